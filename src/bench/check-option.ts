import { LoopError } from '../contract/errors.js';

/** @throws LoopError `invalid-input` naming the option, its value and what is possible, unless the value is valid. */
export function mustBe(isValid: boolean, name: string, value: unknown, wanted: string): void {
  if (!isValid) throw new LoopError('invalid-input', `${name} is ${String(value)}: give ${wanted}`);
}
