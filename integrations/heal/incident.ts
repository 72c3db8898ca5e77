import type { Issue, JsonObject, OutcomeError } from 'rsi-loop';
import type { StackFrame } from './stack-frames.js';

/** Failure of a healed function, as it was captured. Texts are redacted and bounded. */
export interface Incident {
  readonly id: string;
  readonly task: string;
  readonly atMs: number;
  readonly error: OutcomeError;
  readonly issue: Issue;
  /** Whether such failures usually pass without a change. */
  readonly isTransient: boolean;
  readonly arguments: JsonObject;
  /** Frame of the source in which it was thrown, with the lines around it; absent if the error has no stack. */
  readonly source?: StackFrame & { readonly lines: string };
  /** Node, platform and processor. */
  readonly environment: Readonly<Record<string, string>>;
  /** Lessons and earlier failures and successes of this task, a line each. */
  readonly recent: readonly string[];
}

/** End of an attempt to repair a function. */
export type Repair = {
  readonly incident: string;
  readonly task: string;
} & (
  | {
      readonly kind: 'proposed';
      /** Id of the change, for `approve` and `rollback` of the project and for `rsi improve`. */
      readonly change: string;
      readonly place: string;
    }
  /** No patch was asked for. */
  | { readonly kind: 'skipped'; readonly why: string }
  /** The model's patch was rejected by a check, or there was none. */
  | { readonly kind: 'rejected'; readonly why: string }
);
