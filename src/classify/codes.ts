import { flagsOf, LETTER } from './units.js';
import { kindOfWord, REASON } from './words.js';

export function isHttpError(text: string, start: number): boolean {
  const status =
    (text.charCodeAt(start) - 48) * 100 + (text.charCodeAt(start + 1) - 48) * 10 + text.charCodeAt(start + 2) - 48;
  return (status >= 400 && status <= 431) || status === 451 || (status >= 498 && status <= 530) || status === 599;
}

/** Returns whether the reason phrase of a status follows at `end`: `429 Too Many Requests`. */
export function isReasonNext(text: string, end: number, to: number): boolean {
  if (end >= to || text.charCodeAt(end) !== 32) return false;
  let index = end + 1;
  while (index < to && index < end + 16 && (flagsOf(text.charCodeAt(index)) & LETTER) !== 0) index++;
  return kindOfWord(text.slice(end + 1, index)) === REASON;
}

/**
 * Returns whether an exit status has one universal meaning: success, a time-out by `timeout`, or death by a signal. The
 * meaning of 1 or 2 depends on the program, so these count as ordinary values.
 */
export function isTellingExit(text: string, start: number, end: number): boolean {
  const status = Number(text.slice(start, end));
  return status === 0 || status === 124 || (status > 128 && status < 160);
}

/**
 * Returns whether a number is a code where a code is expected. Codes are HTTP statuses in use, errno and gRPC codes,
 * and WebSocket close codes. The set is small, so random digits cannot create groups without limit.
 */
export function isCode(text: string, start: number, end: number): boolean {
  const code = Number(text.slice(start, end));
  switch (end - start) {
    case 1:
    case 2:
      return true;
    case 3:
      return isHttpError(text, start) || code < 104 || (code >= 200 && code < 209) || (code >= 300 && code < 309);
    default:
      return code >= 1000 && code < 1016;
  }
}
