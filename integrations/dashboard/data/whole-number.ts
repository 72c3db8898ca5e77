import { LoopError } from 'rsi-loop';

/** Reads a parameter. @throws LoopError `invalid-input` for anything but a whole number. */
export function wholeNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new LoopError('invalid-input', `${name} is ${JSON.stringify(text.slice(0, 40))}: give a whole number from 0`);
}
