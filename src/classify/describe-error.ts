import type { OutcomeError } from '../contract/outcome.js';
import { type Facts, readFacts } from './facts.js';
import { parseFields } from './fields.js';

/** Longest message kept, in UTF-16 units; what follows is cut and marked with `…`. */
const MAX_MESSAGE = 2_000;
const MAX_NAME = 120;

/**
 * Turns whatever was thrown into the record kept of it: the innermost useful message, with name, code, status and
 * wait where the error states them. Never throws, whatever getter or proxy it meets. Redaction comes later, in observe.
 */
export function describeError(error: unknown): OutcomeError {
  return describeFacts(readFacts(error));
}

type Draft = { -readonly [Name in keyof OutcomeError]: OutcomeError[Name] };

/** `describeError` for whoever has read the error already. */
export function describeFacts(layers: readonly Facts[]): OutcomeError {
  const draft: Draft = { message: '' };
  for (let index = layers.length - 1; index >= 0; index--) {
    const facts = layers[index];
    if (facts) addInside(draft, facts, MAX_INSIDE);
  }
  return draft;
}

/** The name of an error that has none of its own. */
const PLAIN = 'Error';
/** JSON in JSON in JSON at most. */
const MAX_INSIDE = 3;

/**
 * What a layer says: its own name, code and status, and the sentence inside the JSON or dict of its message, which fills in
 * what the layer leaves open. A text never says another status than the program that passed it on.
 */
function addInside(draft: Draft, facts: Facts, depth: number): void {
  const message = facts.messages.at(-1);
  if (facts.name !== undefined && (draft.name ?? PLAIN) === PLAIN) draft.name = cut(facts.name, MAX_NAME);
  if (draft.code === undefined && facts.code !== undefined) draft.code = cut(facts.code, MAX_NAME);
  if (draft.status === undefined && facts.status !== undefined) draft.status = facts.status;
  if (draft.retryAfterMs === undefined && facts.retryAfterMs !== undefined) draft.retryAfterMs = facts.retryAfterMs;
  const start = depth === 0 ? -1 : (message?.indexOf('{') ?? -1);
  const fields = message === undefined || start < 0 ? undefined : parseFields(message, start);
  if (fields) {
    const inside = readFacts(fields.value, true);
    for (let index = inside.length - 1; index >= 0; index--) {
      const layer = inside[index];
      if (layer) addInside(draft, layer, depth - 1);
    }
  }
  if (draft.message === '' && message !== undefined) draft.message = cut(message, MAX_MESSAGE);
}

/** Cuts, and replaces halves of surrogate pairs, which UTF-8 cannot carry. */
function cut(text: string, max: number): string {
  const kept = text.length <= max ? text : `${text.slice(0, max - 1)}…`;
  return kept.replace(/\p{Surrogate}/gu, '\ufffd');
}
