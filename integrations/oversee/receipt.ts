import type { Issue } from 'rsi-loop';
import type { Amount } from './amount.js';
import type { WatchKind } from './progress-watch.js';

/** Reason why a run was stopped. */
export type StopReason =
  | 'budget'
  | 'time'
  | 'memory'
  | 'processes'
  | 'depth'
  | 'restarts'
  | 'caller'
  | 'signal'
  | 'parent'
  | WatchKind;

/** Record of a stop. */
export interface Receipt {
  /** Id of the outcome. */
  readonly id: string;
  readonly task: string;
  readonly why: StopReason;
  /** Observation with its numbers. */
  readonly message: string;
  /** Amount of all calls of the run and its children. Calls in progress count with what they reserved. */
  readonly spent: Required<Amount>;
  readonly durationMs: number;
  /** Calls, children and processes in progress at the stop. */
  readonly running: readonly string[];
  /** Whether the work ended within the grace time after its signal was aborted. */
  readonly hasEnded: boolean;
  /** Epoch milliseconds. */
  readonly atMs: number;
}

const ISSUES: Readonly<Record<StopReason, Issue>> = {
  budget: 'cost_overrun',
  time: 'timeout',
  memory: 'resource_exhausted',
  processes: 'resource_exhausted',
  depth: 'loop',
  restarts: 'loop',
  silence: 'timeout',
  loop: 'loop',
  errors: 'loop',
  'nothing-new': 'loop',
  'context-full': 'context_length',
  caller: 'cancelled',
  signal: 'cancelled',
  parent: 'cancelled',
};

/** Returns the issue that the outcome of a stopped run gets. */
export function issueOf(why: StopReason): Issue {
  return ISSUES[why];
}
