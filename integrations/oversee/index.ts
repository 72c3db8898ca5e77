/** `rsi-loop/oversee`: long runs that stay inside their limits. */

export { type ActionGate, type ActionGateOptions, actionGate } from './action-gate.js';
export { addActionKind } from './action-kind.js';
export { ACTION_TIERS, type Action, type ActionRisk, type ActionTier, riskOf, type TierRules } from './action-tier.js';
export { type Amount, checkAmount, type Resource, type Sums } from './amount.js';
export { type Attached, attach } from './attach/attach.js';
export type { AttachOptions, TokenPrice } from './attach/call-account.js';
export { handleSignals, type SignalOptions } from './handle-signals.js';
export { type GroupOptions, type LeftProcesses, ProcessGroups } from './process-groups.js';
export {
  ProgressWatch,
  type WatchedCall,
  type WatchFinding,
  type WatchKind,
  type WatchOptions,
  type WatchStep,
  type WatchSteps,
} from './progress-watch.js';
export { Purse, type Reservation, type SpendingAlert } from './purse.js';
export type { Receipt, StopReason } from './receipt.js';
export type { ProcessLimits } from './run-processes.js';
export type { SharedBudgets } from './shared-limits.js';
export { type BookedReservation, SpendBook } from './spend-book.js';
export { type Guarded, type SuperviseOptions, type SupervisingLoop, supervise } from './supervise.js';
export type { Budget, RunBudget, RunOptions, Supervised, Work, WorstCase } from './supervised.js';
export { markWrongStop } from './wrong-stop.js';
