import { LoopError } from '../contract/errors.js';
import { LIMIT_OF_CALL } from '../lib/limit-of-call.js';
import type { FixInPolicy } from './fixes-in-policy.js';

/** Marks errors with which a limit of the loop ended a task: its queue, or a time limit of a fix. */
const mark = Symbol('limit of the loop');

/** Marks an error as caused by a limit of the loop, so that it counts as no weakness of the agent. */
export function markLimit(error: LoopError): LoopError {
  return Object.defineProperty(error, mark, { value: true });
}

export function isLimit(error: unknown): boolean {
  return LoopError.is(error) && mark in error;
}

/** Time limit of an attempt. */
export interface TimeLimit {
  /** Time left for this attempt; 0 means no limit. */
  readonly timeoutMs: number;
  /** The limit as it was set: of the attempt, or of the whole task. */
  readonly statedMs: number;
  /** Whether the caller passed it as `timeoutMs`. No setting of the loop can raise it then. */
  readonly isOfCall?: boolean;
  /** Fix that set it; absent if the host did. */
  readonly owner?: { readonly setting: string; readonly fix: FixInPolicy } | undefined;
}

/** Says how long a task may take, and for a limit of a fix, whose it is and how to turn it off. */
export function describeTimeOut(task: string, { statedMs, isOfCall, owner }: TimeLimit): string {
  const took = `${task} took longer than ${Math.max(1, Math.round(statedMs))} ms`;
  if (isOfCall === true) return `${took} ${LIMIT_OF_CALL}`;
  if (owner === undefined) return took;
  const { setting, fix } = owner;
  return `${took} (${setting} of fix ${fix.fixId}): to turn it off, run rsi rollback ${fix.fixId}`;
}
