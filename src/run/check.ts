import { isBlank } from '../classify/completion.js';
import { findFailedAnswer } from '../classify/failed-answers.js';
import { isThenable } from '../lib/promises.js';
import { type Classify, type Failure, readFailure } from './failure.js';
import type { HostFunctions } from './host-functions.js';
import { isWebStream, tagOf } from './stream.js';

/** Failure found in an answer that was returned without an error. */
export interface RejectedResult extends Failure {
  /** Error that the outcome records. */
  readonly error: unknown;
}

export interface Checks<Value> {
  readonly accept?: ((value: Value) => Verdict | PromiseLike<Verdict>) | undefined;
  readonly isEmpty?: ((value: Value) => boolean | PromiseLike<boolean>) | undefined;
}

type Verdict = boolean | string;

const IS_EMPTY = {
  read: (value: unknown) => (typeof value === 'boolean' ? value : undefined),
  expected: 'true or false',
  fallback: false,
};
const ACCEPT = {
  read: (value: unknown) => (typeof value === 'boolean' || typeof value === 'string' ? value : undefined),
  expected: 'true, false or a reason',
  fallback: true as Verdict,
};

/**
 * Checks whether an answer is present and good enough. A check that fails is reported and counts as passed.
 * An answer that states a failure (`failed-answers.ts`) and an HTTP error response, which `fetch` returns without throwing, are failures unless the host's own check accepts them.
 * Returns a promise only if a check of the host did.
 */
export function findFlaw<Value>(
  value: Value,
  { accept, isEmpty }: Checks<Value>,
  classify: Classify,
  host: HostFunctions,
  accepted: readonly string[] = [],
): RejectedResult | undefined | Promise<RejectedResult | undefined> {
  const empty = isEmpty ? host.ask('run.isEmpty', () => isEmpty(value), IS_EMPTY) : isEmptyValue(value, accepted);
  return chain(empty, (isBlank) => {
    if (isBlank) return { issue: 'empty_response', category: 'empty_response', error: 'the answer is empty' };
    if (accept === undefined) return judge(value, undefined, classify, accepted);
    return chain(
      host.ask('run.accept', () => accept(value), ACCEPT),
      (verdict) => judge(value, verdict, classify, accepted),
    );
  });
}

/** Calls `next` with a value, or with the value of a promise once it resolves. */
function chain<Value, Next>(
  value: Value | Promise<Value>,
  next: (value: Value) => Next | Promise<Next>,
): Next | Promise<Next> {
  return isThenable(value) ? value.then(next) : next(value);
}

function judge(
  value: unknown,
  verdict: Verdict | undefined,
  classify: Classify,
  accepted: readonly string[],
): RejectedResult | undefined {
  if (verdict === true) return undefined;
  const refused = findHttpError(value);
  if (refused !== undefined) return { ...readFailure(refused, classify), error: refused };
  if (verdict === undefined) return isResponse(value) ? undefined : statedBy(value, classify, accepted);
  // Retries use the settings of `unknown`: no error says what kind of failure a bad answer is.
  const error = typeof verdict === 'string' ? verdict : 'the answer was not accepted';
  return { issue: 'wrong_output', category: 'unknown', error };
}

/** Returns the failure that an answer states; used where the host has no check of its own. */
function statedBy(value: unknown, classify: Classify, accepted: readonly string[]): RejectedResult | undefined {
  const stated = findFailedAnswer(value, accepted);
  if (stated === undefined) return undefined;
  const { error, category, kind } = stated;
  const read = readFailure(error, classify);
  // The words of a refusal are about its subject.
  if (kind === 'refusal' || read.category === 'unknown') return { issue: category, category, error };
  return { ...read, error };
}

/**
 * Returns whether an answer is empty; the default check. Empty means white space only, or a chat answer (as OpenAI,
 * Anthropic, Ollama and the AI SDK shape it) with neither text nor a tool call. `undefined` and `null` are not answers, so not
 * empty.
 */
export function isEmptyAnswer(value: unknown): boolean {
  return isEmptyValue(value, []) || findFailedAnswer(value)?.category === 'empty_response';
}

/** Returns whether an answer is empty. `accept` of the host does not change that. */
function isEmptyValue(value: unknown, accepted: readonly string[]): boolean {
  if (typeof value === 'string') return isBlank(value) && !accepted.includes('empty');
  return findFailedAnswer(value, accepted)?.kind === 'empty';
}

/** Returns the error of an HTTP response, in a shape the classifier reads. Does not read the body. */
function findHttpError(value: unknown): unknown {
  if (!isResponse(value) || value.ok) return undefined;
  const { status, statusText, headers } = value;
  return { name: 'HttpError', message: `HTTP ${status} ${statusText}`.trim(), status, headers };
}

function isResponse(value: unknown): value is Response {
  return typeof value === 'object' && tagOf(value) === 'Response';
}

/** Cancels the body of an unused answer to free its connection: the task retries, or has ended. */
export function discard(value: unknown): void {
  const body = isResponse(value) ? value.body : value;
  if (isWebStream(body) && !body.locked) body.cancel().catch(() => {});
}
