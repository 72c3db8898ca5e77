import { redact } from 'rsi-loop';

/** Longest text that is sent, in characters. */
const MAX_CHARACTERS = 20_000;

/** Returns a text as people may see it: without secrets, and cut. */
export function shownText(text: string): string {
  return redact(text).slice(0, MAX_CHARACTERS);
}
