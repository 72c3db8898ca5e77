import { hashHex } from './hash.js';

/** Longest piece of recorded text that a model is shown, in bytes of UTF-8. */
export const MAX_SHOWN_BYTES = 2_000;

/** What no person sees and a model reads all the same: control, bidirectional, zero-width, tags, halves of pairs, private use. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2028\u2029]+/gu;

/** Recorded text on one line, without what cannot be seen, and cut: to be shown to a model or compared with what it says. */
export function plainText(text: string, maxBytes = MAX_SHOWN_BYTES): string {
  // A long text is cut first: what comes out is never longer, in bytes, than what went in.
  const shown = text
    .slice(0, 4 * maxBytes)
    .replace(/[\t\n\r]+/g, ' ')
    .replace(UNSEEN, '')
    .replace(/\s+/gu, ' ')
    .trim();
  const { read } = new TextEncoder().encodeInto(shown, new Uint8Array(maxBytes));
  return shown.slice(0, read);
}

/**
 * Recorded texts for the user part of a request, each between two lines that hold a mark. The mark is made of the texts,
 * so that none of them can contain it.
 */
export function delimited(records: readonly (readonly [label: string, text: string])[]): string {
  const mark = hashHex(JSON.stringify(records));
  return records
    .map(([label, text]) => `[${label} ${mark}\n${text.replaceAll(mark, '')}\n${mark} ${label}]`)
    .join('\n\n');
}
