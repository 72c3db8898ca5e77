import { isObject } from '../lib/is-object.js';
import type { Failure } from './failure.js';

/** Failure of a task, as the task around it sees it. */
export interface InnerFailure {
  /** Name of the failed task. */
  readonly task: string;
  readonly error: unknown;
  readonly failure: Failure;
  /** Whether the task, or one inside it, had retries for this failure. */
  readonly isRetried: boolean;
}

/** Failures of inner tasks that are kept per attempt. */
const MAX_INNER = 50;
/** Longest chain of causes that is followed. */
const MAX_DEPTH = 8;

/** Failures of the tasks that ran inside one attempt. They tell whether the attempt's failure has an owner further in. */
export class InnerFailures {
  #failures: InnerFailure[] = [];

  add(inner: InnerFailure): void {
    if (this.#failures.length < MAX_INNER) this.#failures.push(inner);
  }

  clear(): void {
    if (this.#failures.length > 0) this.#failures = [];
  }

  /**
   * Returns whether a failure of the task `name` was retried further in, by an inner task or by an SDK. Then it must not
   * be retried again. A task that calls itself leaves retries to the innermost call.
   */
  own(name: string, error: unknown, failure: Failure): boolean {
    if (wasRetriedInside(error)) return true;
    return this.#failures.some(
      (inner) => (inner.isRetried || inner.task === name) && isSameFailure(inner, error, failure),
    );
  }
}

/** An error that was wrapped without its cause has the same class, or none that anything is known about. */
function isSameFailure(inner: InnerFailure, error: unknown, { category }: Failure): boolean {
  return category === inner.failure.category || category === 'unknown' || carries(error, inner.error, MAX_DEPTH);
}

function carries(error: unknown, inner: unknown, depth: number): boolean {
  if (error === inner) return true;
  if (depth === 0 || !isObject(error)) return false;
  try {
    return causesOf(error).some((cause) => carries(cause, inner, depth - 1));
  } catch {
    return false; // a getter or a proxy threw
  }
}

/** Returns whether an error states that the SDK that threw it had retried the call. Never throws. */
export function wasRetriedInside(error: unknown): boolean {
  try {
    return states(error, MAX_DEPTH);
  } catch {
    return false; // a getter or a proxy threw
  }
}

function states(error: unknown, depth: number): boolean {
  if (depth === 0 || !isObject(error)) return false;
  return SIGNS.some((sign) => sign(error)) || causesOf(error).some((cause) => states(cause, depth - 1));
}

type Fields = Readonly<Record<string, unknown>>;

/** How SDKs say in an error that they retried. */
const SIGNS: readonly ((error: Fields) => boolean)[] = [
  // AI SDK: RetryError.
  ({ reason, errors }) => reason === 'maxRetriesExceeded' && Array.isArray(errors) && errors.length > 1,
  // AWS SDK 3.
  ({ $metadata }) => isAbove(numberIn($metadata, 'attempts'), 1),
  // p-retry.
  ({ attemptNumber, retriesLeft }) => typeof retriesLeft === 'number' && isAbove(attemptNumber, 1),
  // got.
  ({ request }) => isAbove(numberIn(request, 'retryCount'), 0),
  // axios-retry.
  ({ config }) => isObject(config) && isAbove(numberIn(config['axios-retry'], 'retryCount'), 0),
  // Google: gaxios.
  ({ config }) => isObject(config) && isAbove(numberIn(config.retryConfig, 'currentRetryAttempt'), 0),
];

function isAbove(value: unknown, limit: number): boolean {
  return typeof value === 'number' && value > limit;
}

function numberIn(fields: unknown, name: string): unknown {
  return isObject(fields) ? fields[name] : undefined;
}

function causesOf({ cause, errors }: Fields): readonly unknown[] {
  return Array.isArray(errors) ? [cause, ...errors.slice(0, MAX_DEPTH)] : [cause];
}
