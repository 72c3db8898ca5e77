import { isObject, mustBe, showValue } from 'rsi-loop/kit';
import type { KeptBecause } from './text-line.js';

const CHARACTERS_PER_TOKEN = 4;

/** Estimates the tokens of a text: one for four characters. */
export function tokensOf(text: string): number {
  return Math.ceil(text.trim().length / CHARACTERS_PER_TOKEN);
}

/** Part that a study may leave out. */
interface Part {
  readonly text: string;
  readonly tokens: number;
  readonly kept?: KeptBecause;
}

/** Keeps the parts beyond the limits in every session. The longest ones cost most, so they are tried first. */
export function withinLimits<Own extends Part>(
  parts: readonly Own[],
  maxParts: number,
  maxCharacters = Number.POSITIVE_INFINITY,
): readonly Own[] {
  mustBe(Array.isArray(parts) && parts.every(isObject), 'parts', showValue(parts), 'a list of parts with their text');
  const free = parts.filter(({ kept }) => kept === undefined);
  const tried = new Set<Own>();
  let characters = 0;
  for (const part of [...free].sort((a, b) => b.tokens - a.tokens)) {
    if (tried.size >= maxParts || characters + part.text.length > maxCharacters) continue;
    tried.add(part);
    characters += part.text.length;
  }
  return parts.map((part) => (part.kept !== undefined || tried.has(part) ? part : { ...part, kept: 'limit' }));
}
