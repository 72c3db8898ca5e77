import { showValue } from 'rsi-loop/kit';
import { MAX_TEXT } from './text-table.js';

/** Places that the program fills in: `{{name}}`, `${name}` and `{name}`. */
const PLACEHOLDERS = /\{\{\s*[\p{L}_][\p{L}\p{N}_.-]*\s*\}\}|\$?\{\s*[\p{L}_][\p{L}\p{N}_.]*\s*\}/gu;
/** Unpaired surrogates, which UTF-8 cannot encode. */
const UNPAIRED = /\p{Cs}/u;

export interface DraftLimits {
  /** Text that the draft would replace. */
  readonly base: string;
  readonly hasSecret: (text: string) => boolean;
  /** Maximum length in UTF-16 units. Default 400,000. */
  readonly maxLength?: number;
}

/** Returns why a draft cannot replace a text; `undefined` if it can. Applies to people and models alike. */
export function checkDraft(draft: unknown, { base, hasSecret, maxLength = MAX_TEXT }: DraftLimits): string | undefined {
  if (typeof draft !== 'string') return `the draft is ${showValue(draft)}: give a text`;
  if (draft.trim() === '') return 'the draft is empty: give a text';
  if (draft.length > maxLength) return `the draft has ${draft.length} characters: give at most ${maxLength}`;
  if (UNPAIRED.test(draft)) return 'the draft has half a character, which no file can hold: save it as UTF-8';
  if (draft === base) return 'the draft is the text in force';
  const [before, after] = [placeholdersOf(base), placeholdersOf(draft)];
  const missing = [...before].filter((name) => !after.has(name));
  if (missing.length > 0) return `the draft lacks ${missing.slice(0, 5).join(', ')}, which the program fills in`;
  const added = [...after].filter((name) => !before.has(name));
  if (added.length > 0) return `the draft adds ${added.slice(0, 5).join(', ')}, which the program does not fill in`;
  return hasSecret(draft) ? 'the draft contains a secret, such as a key or a password: take it out' : undefined;
}

/** Returns the places of a text that the program fills in. */
export function placeholdersOf(text: string): ReadonlySet<string> {
  return new Set((text.match(PLACEHOLDERS) ?? []).map((found) => found.replace(/\s+/g, '')));
}
