export {
  DIMENSIONS,
  type Dimension,
  type Localization,
  localize,
} from './analyze/localize.js';
export { isRetryable } from './classify/certainty.js';
export { type Classification, classifyError, type ErrorRule } from './classify/classify-error.js';
export { describeError } from './classify/describe-error.js';
export { fingerprint } from './classify/fingerprint.js';
export {
  type MinedMessage,
  type MinerSnapshot,
  TemplateMiner,
} from './classify/template-miner.js';
export type { Actor, ActorEvidence, ActorFinding, RemedyRule } from './contract/actor.js';
export type {
  Change,
  CustomChange,
  PolicyChange,
  PromptChange,
  RuleChange,
  RuleFile,
  SkillChange,
} from './contract/change.js';
export type { ChangeKind } from './contract/change-kind.js';
export type { Clock } from './contract/clock.js';
export type { Coordination, Lease, WriterState } from './contract/coordination.js';
export type { CycleReport } from './contract/cycle-report.js';
export type { Deployment } from './contract/deployment.js';
export type { Embedder } from './contract/embedder.js';
export type { EraseFilter, EraseReceipt } from './contract/erasure.js';
export { LoopError, type LoopErrorCode } from './contract/errors.js';
export type { Decision, Fix, FixOf, FixStatus, Forecast, TrialEnd } from './contract/fix.js';
export type { Gate } from './contract/gate.js';
export type { Health, HealthScore } from './contract/health.js';
export type { FixId, OutcomeId } from './contract/ids.js';
export { ERROR_CATEGORIES, type ErrorCategory, type Issue, type NamedIssue, type Severity } from './contract/issue.js';
export type { Cursor, Journal, StoredRecord } from './contract/journal.js';
export type { JournalRecord } from './contract/journal-record.js';
export type { Json, JsonObject } from './contract/json.js';
export type { JsonSchema } from './contract/json-schema.js';
export type { LedgerEntry, Marker } from './contract/ledger-entry.js';
export type { AppendResult, LedgerHead, LedgerLog, StoredEntry } from './contract/ledger-log.js';
export type { Lesson } from './contract/lesson.js';
export { EVENT_KINDS, type LoopEvent, type RebuildProgress } from './contract/loop-event.js';
export type {
  Model,
  ModelAnswer,
  ModelHealth,
  ModelMessage,
  ModelMode,
  ModelRequest,
  ModelRole,
} from './contract/model.js';
export type { ModelCall } from './contract/model-call.js';
export type { Attempt, Outcome, OutcomeError, TokenUse } from './contract/outcome.js';
export type {
  Impact,
  Pattern,
  PatternKind,
  RootCause,
  RootCauseFinding,
  Trend,
  Where,
} from './contract/pattern.js';
export type { Rate } from './contract/rate.js';
export type {
  Sandbox,
  SandboxAnswer,
  SandboxCall,
  SandboxFailure,
  SandboxHost,
  SandboxLanguage,
  SandboxLimits,
  SandboxPermissions,
  SandboxProgram,
  SandboxRequest,
  SandboxResponse,
  SandboxRun,
} from './contract/sandbox.js';
export type { Scope } from './contract/scope.js';
export {
  type Policy,
  SETTINGS,
  type Settings,
} from './contract/settings.js';
export type { Saved, Snapshot, Snapshots } from './contract/snapshots.js';
export type { Source } from './contract/source.js';
export type { Arm, ArmAssignment, Start } from './contract/start.js';
export type { Store, StoreProblem } from './contract/store.js';
export type { AtMost, TaskStatistics } from './contract/task-statistics.js';
export type { DeclaredText, Prompts, PromptText } from './contract/text.js';
export type { RuleCounters, Trial, UnitKind } from './contract/trial.js';
export type {
  ArmFigures,
  GuardName,
  KindFigures,
  Placebo,
  TrialFigures,
  TrialPoint,
  TrialVerdict,
  Verdict,
} from './contract/verdict.js';
export type { Workspace, WorkspaceFile, WriteResult } from './contract/workspace.js';
export { MemoryStore, type MemoryStoreOptions } from './defaults/memory-store.js';
export type { Candidate, CatalogContext, CatalogEntry } from './fix/candidate.js';
export type { PromptDrafting } from './fix/kinds/prompt/writer.js';
export type { RuleDraft } from './fix/rule-draft.js';
export type { RuleQuestion, RuleWriter } from './fix/rule-drafts.js';
export type { AgentPatterns, Ends } from './judge/agent-patterns.js';
export type { AuditOptions, TrialAudit } from './judge/audit.js';
export type { Explanation } from './judge/explain.js';
export { agentPatterns, auditTrial, recall, rootCauses } from './judge/late.js';
export type { RecallResult } from './judge/recall.js';
export type { CauseShare, RootCauses } from './judge/root-causes.js';
export type { MayRepeat } from './lib/repeat.js';
export { SystemClock } from './lib/system-clock.js';
export type { Answer } from './live/check-arguments.js';
export { describeFix, type FixDescription } from './live/describe-fix.js';
export { exportOutcomes } from './live/export-outcomes.js';
export type { HistoryItem } from './live/history.js';
export type { FixFilter } from './live/loop-state.js';
export { mark } from './live/mark.js';
export type { RSILoopOptions, SmallestGain } from './live/options.js';
export { reportProblem } from './live/report-problem.js';
export { type CallSpan, startCall, untracked } from './live/start-call.js';
export { tunableText } from './live/tunable-text.js';
export { RSILoop, type SessionEnd } from './loop.js';
export { ErrorNamer, type NamedError } from './observe/error-namer.js';
export { Observer } from './observe/observer.js';
export type { ObserverProblem, OutcomeFields, StartedTask } from './observe/outcome-observer.js';
export { type FieldProblem, type ParsedOutcome, parseOutcome } from './observe/parse-outcome.js';
export { redact } from './observe/redact.js';
export type { OpenTask, TaskEnd } from './run/begin.js';
export type { BeginOptions, Features } from './run/begin-options.js';
export { isEmptyAnswer } from './run/check.js';
export type { Measures, RunContext, RunEnd, RunOptions } from './run/options.js';
export type { PolicyLayer, PolicyRow } from './run/policy-table.js';
export { ArmBet, type BetDecision, type BetEnd } from './verify/arm-bet.js';
export type { AssumptionCheck, AssumptionName } from './verify/audit-checks.js';
