import { LoopError } from 'rsi-loop';
import { mustBe, showValue } from 'rsi-loop/kit';

/** Returns the text of an address. @throws LoopError `invalid-input` for a value that is none. */
export function addressText(url: unknown): string {
  const text = url instanceof URL ? url.href : url;
  if (typeof text === 'string') return text;
  throw new LoopError('invalid-input', `url is ${showValue(url)}: give an address such as http://127.0.0.1:8000`);
}

/** @throws LoopError `invalid-input` naming an option that is given and no text. */
export function mustBeTexts(options: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(options))
    mustBe(value === undefined || typeof value === 'string', name, value, 'a text');
}
