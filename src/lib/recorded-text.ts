import { isWithin, mustBe } from './must-be.js';

/** Maximum size of recorded text in a rule, a prompt or a diff, in bytes of UTF-8. */
const MAX_BYTES = 2_048;
/** Line breaks and terminal control characters. */
const CONTROLS = /[\p{Cc}\u2028\u2029]+/gu;
/** Invisible characters: format characters (bidirectional, zero-width, tags), lone surrogates, private use, fillers. */
const UNSEEN = /[\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}]+/gu;

/** Returns recorded text in a form that is safe to display: one line, without invisible characters, at most 2 kB. */
export function recordedText(text: string, maxBytes = MAX_BYTES): string {
  mustBe(isWithin(maxBytes, 0), 'maxBytes', maxBytes, 'a number from 0');
  // Every character takes at least one byte, so text beyond `maxBytes` characters is never needed.
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
  // A character that was cut in two at the end is removed, not replaced.
  return new TextDecoder().decode(bytes.subarray(0, maxBytes)).replace(/\ufffd$/, '');
}
