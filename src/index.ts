export type { AdviceFor } from './advice.js';
export { agentPatterns } from './agent-patterns.js';
export {
  type Cause,
  type CauseWhere,
  DIMENSIONS,
  type Dimension,
  type Localization,
  type LocalizeOptions,
  localize,
} from './analyze/localize.js';
export type { Answer } from './check-arguments.js';
export {
  type Classification,
  type ClassifyOptions,
  classifyError,
  type ErrorRule,
  isRetryable,
} from './classify/classify-error.js';
export { describeError } from './classify/describe-error.js';
export { fingerprint } from './classify/fingerprint.js';
export {
  type MinedMessage,
  type MinerSnapshot,
  TemplateMiner,
  type TemplateMinerOptions,
} from './classify/template-miner.js';
export type { FixFilter } from './core.js';
export type { CauseShare, RootCauses, RootCausesOptions } from './count-root-causes.js';
export { MemoryStore, type MemoryStoreOptions } from './defaults/memory-store.js';
export { LoopError, type LoopErrorCode } from './errors.js';
export type { Precedent } from './experience/library.js';
export type { TemperatureAdvice } from './experience/temperature.js';
export type { Explanation } from './explain.js';
export { type ExportOptions, exportOutcomes } from './export-outcomes.js';
export type { AgentFigures, AgentPatterns, AgentPatternsOptions, Ends } from './find-agent-patterns.js';
export type { AutoApproval } from './fix/auto-approval.js';
export type { Candidate, CatalogContext, CatalogEntry } from './fix/candidate.js';
export type { RuleDraft } from './fix/rule-draft.js';
export type { RuleQuestion, RuleWriter } from './fix/rule-drafts.js';
export type { RulePaths } from './fix/rule-paths.js';
export type { HistoryItem } from './history.js';
export type { JsonSchema } from './lib/json-schema.js';
export type { Idempotent, MayRepeat, RepeatSource } from './lib/repeat.js';
export { SystemClock } from './lib/system-clock.js';
export { RSILoop, type SessionEnd } from './loop.js';
export { type MarkOptions, mark } from './mark.js';
export { ErrorNamer, type NamedError } from './observe/error-namer.js';
export { type FieldProblem, type OutcomeDefaults, type ParsedOutcome, parseOutcome } from './observe/normalize.js';
export {
  type BegunTask,
  type NoticedFailure,
  Observer,
  type ObserverOptions,
  type ObserverProblem,
  type OutcomeFields,
} from './observe/observer.js';
export { redact } from './observe/redact.js';
export { type CallStart, type OpenCall, openCall, unobserved } from './open-call.js';
export type { RSILoopOptions } from './options.js';
export {
  type Bounds,
  type OwnSettingName,
  type OwnSettings,
  type Policy,
  SETTINGS,
  type SettingName,
  type SettingRule,
  type Settings,
} from './policy.js';
export type {
  Clock,
  Embedder,
  EraseFilter,
  EraseOptions,
  EraseReceipt,
  Gate,
  Model,
  ModelAnswer,
  ModelCall,
  ModelHealth,
  ModelMessage,
  ModelMode,
  ModelRequest,
  ModelRole,
  Store,
  Workspace,
  WorkspaceFile,
  WriteResult,
} from './ports.js';
export { recall } from './recall.js';
export type { RecallAbout, Recalled, RecallOptions, Recollection } from './recollect.js';
export * from './records.js';
export { rootCauses } from './root-causes.js';
export type { BeginOptions, OpenTask, TaskEnd } from './run/begin.js';
export { isEmptyAnswer } from './run/check.js';
export type { Measures, RunContext, RunEnd, RunOptions, RunOptionsWithModels } from './run/options.js';
export type { PolicyLayer, PolicyRow } from './run/policy-table.js';
export { tellProblem } from './tell-problem.js';
export { ArmBet, type ArmBetOptions, type BetDecision, type BetEnd, type PastEnd } from './verify/arm-bet.js';
export type { HealthPoint } from './verify/health.js';
