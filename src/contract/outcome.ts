import type { OutcomeId } from './ids.js';
import type { Issue, Severity } from './issue.js';
import type { JsonObject } from './json.js';

export interface TokenUse {
  /** All input tokens, including those read from a cache. */
  readonly input: number;
  readonly output: number;
  /** Part of `input` that came from a cache, usually sold at about a tenth of the price. */
  readonly cachedInput?: number;
}

export interface OutcomeError {
  /** Redacted and truncated. */
  readonly message: string;
  readonly name?: string;
  readonly code?: string;
  /** HTTP status, 100 to 599. */
  readonly status?: number;
  readonly retryAfterMs?: number;
}

/** One try inside a task that `loop.run` executed. */
export interface Attempt {
  /** Wait before this attempt, in milliseconds. */
  readonly delayMs: number;
  readonly durationMs: number;
  readonly success: boolean;
  readonly model?: string;
  /** Class of the failure; only on failures. */
  readonly issue?: Issue;
}

/** Result of one task. Each task has exactly one outcome, regardless of its number of attempts. */
export interface Outcome {
  readonly id: OutcomeId;
  readonly task: string;
  readonly success: boolean;
  /** End of the task, in epoch milliseconds. */
  readonly atMs: number;
  /** System that recorded it, e.g. `claude-code`. Default `generic`. */
  readonly source: string;
  readonly session?: string;
  /** Whether this was the last task of its session. */
  readonly endsSession?: boolean;
  readonly agent?: string;
  /** Id of the enclosing task. Children do not count in the parent's rates and health. */
  readonly parent?: string;
  readonly model?: string;
  readonly tool?: string;
  readonly durationMs?: number;
  readonly tokens?: TokenUse;
  readonly costUsd?: number;
  /** 1 (useless) to 5 (perfect). There is no default. */
  readonly quality?: number;
  readonly error?: OutcomeError;
  /** Classified from the error, plus those named by the caller. Empty on a clean success. */
  readonly issues: readonly Issue[];
  /** Computed from the error message only, so it is the same on every machine. */
  readonly fingerprint?: string;
  readonly attempts?: readonly Attempt[];
  readonly expected?: string;
  readonly actual?: string;
  readonly severity?: Severity;
  readonly context?: JsonObject;
  readonly tags?: readonly string[];
  /** Whether the task was started through the loop and read its policy. */
  readonly managed?: boolean;
  /** Whether the host allows the task to run again after a failure; absent if the host did not say. */
  readonly repeatable?: boolean;
  /** Models listed by the caller, best first; absent if there was only one. */
  readonly models?: readonly string[];
  /** Number of outcomes this one represents if others were sampled out. Default 1. */
  readonly weight?: number;
}
