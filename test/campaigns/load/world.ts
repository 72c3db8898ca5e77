import type { Policy, RSILoopOptions } from 'rsi-loop';
import type { Random } from '../../../src/lib/random.js';

/** One call of a task's function. */
export interface Call {
  readonly task: number;
  /** Which customer the call is for. */
  readonly customer: number;
  readonly model: string | undefined;
  readonly nowMs: number;
  /** Draws of this task. Task by task, they are the same for all settings. */
  readonly luck: Random;
}

/** Outcome of a call: how long it takes, and the error it ends with. */
export interface Answer {
  readonly takesMs: number;
  readonly error?: Error;
}

export type Provider = (call: Call) => Answer;

/** Settings of one candidate for the best fixed policy. */
export type Way = Partial<Policy>;

/** Load on a provider, and how it refuses. */
export interface World {
  readonly name: string;
  /** Tasks of one life. */
  readonly tasks: number;
  /** Yields the start of each task, in milliseconds since the beginning. */
  readonly arrivals: (random: Random) => Iterator<number>;
  readonly provider: (random: Random) => Provider;
  readonly models?: readonly [string, ...string[]];
  /** Configuration of the host. Default: none. */
  readonly host?: Pick<RSILoopOptions, 'policy' | 'idempotent'>;
  readonly timeoutMs?: number;
  /** Customers that the tasks are for, in turn. Default 1. */
  readonly customers?: number;
  /** Tasks around the one that calls the provider. Default 0. */
  readonly depth?: number;
  /** Processes on one store. Default 1. */
  readonly processes?: number;
  /** Settings of which the best is the best fixed policy. Default: none, because no setting prevents a failure. */
  readonly ways?: readonly Way[];
}
