import type { PromptDraft } from './writer.js';

/** Share of common word pairs from which two drafts count as the same idea. */
const SAME = 0.9;

/** Returns the drafts that differ from the text and from each other, in the same order. */
export function differing(drafts: readonly PromptDraft[], base: string): readonly PromptDraft[] {
  const seen = [pairsOf(base)];
  return drafts.filter(({ text }) => {
    const pairs = pairsOf(text);
    if (seen.some((other) => overlap(pairs, other) >= SAME && text.length > 0 && sameSize(pairs, other))) return false;
    seen.push(pairs);
    return true;
  });
}

/** Pairs of neighbouring words, which also show another order. */
function pairsOf(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.map((word, index) => `${words[index - 1] ?? ''} ${word}`));
}

function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const common = [...one].filter((pair) => other.has(pair)).length;
  return common / Math.max(1, one.size + other.size - common);
}

/** A draft that adds or removes a single sentence is another idea, however long the text is. */
function sameSize(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return Math.abs(one.size - other.size) < MIN_DIFFERENCE;
}

const MIN_DIFFERENCE = 3;
