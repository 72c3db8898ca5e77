/** Longest recorded text that may reach a rule, a prompt or a diff, in bytes of UTF-8. */
const MAX_BYTES = 2_048;
/** What ends a line or steers a terminal. */
const CONTROLS = /[\p{Cc}\u2028\u2029]+/gu;
/** What no person sees: format characters (bidirectional, zero-width, tags), halves of pairs, private use, fillers. */
const UNSEEN = /[\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}]+/gu;

/** Recorded text as it may be shown or handed on: on one line, without what cannot be seen, at most 2 kB. */
export function recordedText(text: string, maxBytes = MAX_BYTES): string {
  // No character is shorter than a byte, so what lies beyond can never be needed.
  const visible = text
    .slice(0, 2 * maxBytes)
    .normalize('NFC')
    .replace(CONTROLS, ' ')
    .replace(UNSEEN, '')
    .replace(/\s+/g, ' ')
    .trim();
  return cutToBytes(visible, maxBytes);
}

function cutToBytes(text: string, maxBytes: number): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.byteLength <= maxBytes) return text;
  // A character cut in two at the end is left out, not replaced.
  return new TextDecoder().decode(bytes.subarray(0, maxBytes)).replace(/\ufffd$/, '');
}
