import { createHash } from 'node:crypto';

/** Record of a change to a text, so that it can be undone to the byte. Holds only the part that was replaced. */
export interface TextChange {
  /** Digest of the text before; `''` if there was none. `after` is the digest of the new text. */
  readonly before: string;
  readonly after: string;
  /** Part of the new text that replaced `text` of the old one. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export function recordChange(before: string | undefined, after: string): TextChange {
  const old = before ?? '';
  const shorter = Math.min(old.length, after.length);
  let start = 0;
  while (start < shorter && old[start] === after[start]) start++;
  let same = 0;
  while (same < shorter - start && old.at(-1 - same) === after.at(-1 - same)) same++;
  return {
    before: before === undefined ? '' : digest(before),
    after: digest(after),
    start,
    end: after.length - same,
    text: old.slice(start, old.length - same),
  };
}

/** Returns the text before the change, or no text if there was no file; undefined if `text` has changed since. */
export function undoChange(change: TextChange, text: string): { readonly text?: string } | undefined {
  if (change.after !== digest(text)) return undefined;
  if (change.before === '') return {};
  const undone = text.slice(0, change.start) + change.text + text.slice(change.end);
  return digest(undone) === change.before ? { text: undone } : undefined;
}

export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
