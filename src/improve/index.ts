/** `rsi-loop/improve`: improves an agent on a benchmark, and keeps only what is proven better. */

export type { ImprovementLog } from '../contract/improvement-log.js';
export { FileLog } from '../node/file-log.js';
export type { ImprovementStep, Round } from './improvement-step.js';
export { type Improvement, type ImproveOptions, iterate } from './iterate.js';
export type { FailedProblem, Proposal, ProposalRequest, Propose, ScoredProposal } from './proposal.js';
