/** `rsi-loop/prove`: tries which lines of a text are worth their tokens, and audits trials from their records. */

export type { ImprovementLog } from 'rsi-loop/kit';
export { FileLog } from 'rsi-loop/node';
export { type AuditOptions, auditTrial, type TrialAudit } from './audit.js';
export type { AssumptionCheck } from './audit-checks.js';
export type { LineEffect } from './effect-interval.js';
export type { LineFigures, LineVerdict } from './line-judge.js';
export type { LineCosts, LineFollowed, LineLevel } from './line-totals.js';
export type { ModelEvidence } from './model-bets.js';
export { namesDanger } from './names-danger.js';
export { type PromptStudy, provePrompt } from './prompt-study.js';
export { type ReadLinesOptions, readLines } from './read-lines.js';
export type { ReadMembersOptions, SetMember } from './set-members.js';
export { type Offered, type ProveSetOptions, proveSet, type SetStudy } from './set-study.js';
export { type ReportLine, type SessionAbout, Study, type StudyOptions, type StudyReport } from './study.js';
export type { LineState, SessionResult, StudyEntry, StudyLine, StudyOpened, StudyOutcome } from './study-entry.js';
export { tokensOf, withinLimits } from './study-limits.js';
export type { KeptBecause, TextLine } from './text-line.js';
export { type ProveOptions, prove, type TextStudy } from './text-study.js';
export { withoutLines } from './without-lines.js';
