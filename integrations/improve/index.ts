/** `rsi-loop/improve`: improves an agent on a benchmark, and keeps only what is proven better. */

export type { Budget, Spent } from 'rsi-loop/bench';
export type { ImprovementLog } from 'rsi-loop/kit';
export { FileLog } from 'rsi-loop/node';
export {
  APPROVED_FORMAT,
  type ApprovedVersion,
  isWithinBounds,
  readApproved,
  type SettingBounds,
} from './approved.js';
export { type ProposerOptions, proposer } from './ask-model.js';
export type { CheckedVersion, CodeChange, CodeDecision, CodeEvidence, RepairEvidence } from './code/code-change.js';
export { type CodeCheck, type CodeProject, type CodeProjectOptions, codeProject } from './code/code-project.js';
export type { CodeRules, Command, CommandLimits } from './code/code-rules.js';
export { evidenceOf } from './code/evidence-of.js';
export { type ExposedAnswers, exposedAnswers } from './code/exposed-answers.js';
export type { AgentOptions } from './code/versions.js';
export type { VersionDecision } from './decision.js';
export type { Hypothesis } from './hypothesis.js';
export type { ImproveOptions, ImproveProgress } from './improve-options.js';
export { type CurrentRound, type Improvement, improvementOf, waitingVersion } from './improvement.js';
export { improvementId } from './improvement-id.js';
export type { Ended, EstimatedHypothesis, Forecast, ImprovementStep, Round, StepBody } from './improvement-step.js';
export { iterate } from './iterate.js';
export type {
  FailedProblem,
  Failure,
  PlannedProposal,
  Proposal,
  ProposalRequest,
  Propose,
  ScoredProposal,
} from './proposal.js';
export { type Readiness, type ReadinessCondition, readiness } from './readiness.js';
export type { PlannedVersion, ScoredVersion, Version } from './version.js';
export { type VersionTree, versionTree } from './version-tree.js';
