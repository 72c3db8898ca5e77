import type { OutcomeError } from '../records.js';
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
  const layers = readFacts(error).flatMap((facts) => [facts, ...insideOf(facts.messages.at(-1))]);
  const name = innermost(layers, (facts) => facts.name);
  const code = innermost(layers, (facts) => facts.code);
  const status = innermost(layers, (facts) => facts.status);
  const retryAfterMs = innermost(layers, (facts) => facts.retryAfterMs);
  return {
    message: cut(innermost(layers, (facts) => facts.messages.at(-1)) ?? '', MAX_MESSAGE),
    ...(name !== undefined && { name: cut(name, MAX_NAME) }),
    ...(code !== undefined && { code: cut(code, MAX_NAME) }),
    ...(status !== undefined && { status }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

/** What JSON or a dict inside a message says, as further layers; JSON in JSON in JSON at most. */
function insideOf(message: string | undefined, depth = 3): readonly Facts[] {
  const start = message?.indexOf('{') ?? -1;
  const fields = message === undefined || start < 0 || depth === 0 ? undefined : parseFields(message, start);
  return fields
    ? readFacts(fields.value).flatMap((facts) => [facts, ...insideOf(facts.messages.at(-1), depth - 1)])
    : [];
}

/** The innermost layer that says it. */
function innermost<Value>(layers: readonly Facts[], pick: (facts: Facts) => Value | undefined): Value | undefined {
  for (let index = layers.length - 1; index >= 0; index--) {
    const facts = layers[index];
    const value = facts && pick(facts);
    if (value !== undefined && value !== '') return value;
  }
  return undefined;
}

/** Cuts, and replaces halves of surrogate pairs, which UTF-8 cannot carry. */
function cut(text: string, max: number): string {
  const kept = text.length <= max ? text : `${text.slice(0, max - 1)}…`;
  return kept.replace(/\p{Surrogate}/gu, '\ufffd');
}
