import type { OutcomeError } from '../contract/outcome.js';
import { type Facts, readFacts } from './facts.js';
import { parseFields } from './fields.js';

/** Maximum message length in UTF-16 units. Longer messages are truncated and marked with `…`. */
const MAX_MESSAGE = 2_000;
const MAX_NAME = 120;

/**
 * Converts any thrown value to an error record: the innermost useful message, with name, code, status and wait if
 * stated. Never throws, even with throwing getters or proxies. Redaction happens later, in observe.
 */
export function describeError(error: unknown): OutcomeError {
  return describeFacts(readFacts(error));
}

type Draft = { -readonly [Name in keyof OutcomeError]: OutcomeError[Name] };

/** Does the same as `describeError`, for callers that have already read the error. */
export function describeFacts(layers: readonly Facts[]): OutcomeError {
  const draft: Draft = { message: '' };
  for (const facts of layers.toReversed()) addInside(draft, facts, MAX_INSIDE);
  return draft;
}

/** Name of an error without a name of its own. */
const PLAIN = 'Error';
/** Maximum nesting of JSON inside messages. */
const MAX_INSIDE = 3;

/**
 * Adds a layer: its own name, code and status, and the sentence inside the JSON or dict of its message. The inner text
 * only fills gaps. It never overrides the status stated by the program that passed it on.
 */
function addInside(draft: Draft, facts: Facts, depth: number): void {
  const message = facts.messages.at(-1);
  fillGaps(draft, facts);
  const start = depth === 0 ? -1 : (message?.indexOf('{') ?? -1);
  const fields = message === undefined || start < 0 ? undefined : parseFields(message, start);
  if (fields) for (const layer of readFacts(fields.value, true).toReversed()) addInside(draft, layer, depth - 1);
  if (draft.message === '' && message !== undefined) draft.message = cut(message, MAX_MESSAGE);
}

function fillGaps(draft: Draft, { name, code, status, retryAfterMs }: Facts): void {
  if (name !== undefined && (draft.name ?? PLAIN) === PLAIN) draft.name = cut(name, MAX_NAME);
  if (code !== undefined) draft.code ??= cut(code, MAX_NAME);
  if (status !== undefined) draft.status ??= status;
  if (retryAfterMs !== undefined) draft.retryAfterMs ??= retryAfterMs;
}

/** Truncates, and replaces surrogate halves, which UTF-8 cannot encode. */
function cut(text: string, max: number): string {
  const kept = text.length <= max ? text : `${text.slice(0, max - 1)}…`;
  return kept.toWellFormed();
}
