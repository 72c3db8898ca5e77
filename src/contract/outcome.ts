import type { OutcomeId } from './ids.js';
import type { Issue, Severity } from './issue.js';
import type { JsonObject } from './json.js';

export interface TokenUse {
  /** All tokens read, those from a cache included. */
  readonly input: number;
  readonly output: number;
  /** Part of `input` that was read from a cache, which providers sell at about a tenth of the price. */
  readonly cachedInput?: number;
}

export interface OutcomeError {
  /** Redacted and cut. */
  readonly message: string;
  readonly name?: string;
  readonly code?: string;
  /** HTTP status, 100 to 599. */
  readonly status?: number;
  readonly retryAfterMs?: number;
}

/** One try inside a task that `loop.run` executed. */
export interface Attempt {
  /** Wait before this attempt began. */
  readonly delayMs: number;
  readonly durationMs: number;
  readonly success: boolean;
  readonly model?: string;
  /** What went wrong; only on failures. */
  readonly issue?: Issue;
}

/** How a task ended. One task is one outcome, whatever it took. */
export interface Outcome {
  readonly id: OutcomeId;
  readonly task: string;
  readonly success: boolean;
  /** Epoch milliseconds of the end. */
  readonly atMs: number;
  /** Where it came from, e.g. `claude-code`. Default `generic`. */
  readonly source: string;
  readonly session?: string;
  /** This was the last task of its session. */
  readonly endsSession?: boolean;
  readonly agent?: string;
  /** Id of the enclosing task. Children stay out of the parent's rates and health. */
  readonly parent?: string;
  readonly model?: string;
  readonly tool?: string;
  readonly durationMs?: number;
  readonly tokens?: TokenUse;
  readonly costUsd?: number;
  /** 1 (useless) to 5 (perfect). Never defaulted. */
  readonly quality?: number;
  readonly error?: OutcomeError;
  /** Classified from the error, plus what the caller named. Empty on a clean success. */
  readonly issues: readonly Issue[];
  /** A pure function of the error message: the same on every machine. */
  readonly fingerprint?: string;
  readonly attempts?: readonly Attempt[];
  readonly expected?: string;
  readonly actual?: string;
  readonly severity?: Severity;
  readonly context?: JsonObject;
  readonly tags?: readonly string[];
  /** The task was begun through the loop, so it read its policy. */
  readonly managed?: boolean;
  /** The host said that the task may run again after a failure, or that it may not; absent where it said nothing. */
  readonly repeatable?: boolean;
  /** The models that the caller listed, best first; absent where there was only one. */
  readonly models?: readonly string[];
  /** How many outcomes this one stands for when others were sampled out. Default 1. */
  readonly weight?: number;
}
