import { LoopError } from '../contract/errors.js';
import { showValue } from './text.js';

/** @throws LoopError `invalid-input` naming the option, its value and what is possible, unless the value is valid. */
/** Checks a value of the host. */
export function mustBe(isValid: boolean, name: string, value: unknown, wanted: string): void {
  if (isValid) return;
  // A text is what the caller wants to be shown.
  const shown = typeof value === 'string' ? value : showValue(value);
  throw new LoopError('invalid-input', `${name} is ${shown}: give ${wanted}`);
}

/** @throws LoopError `invalid-input` naming the value, unless it can be asked as a `Model`. */
/** Checks that a value of the host is a model. */
export function mustBeModel(model: unknown): void {
  const isModel = typeof (model as { complete?: unknown } | undefined)?.complete === 'function';
  mustBe(isModel, 'model', showValue(model), 'a Model, such as those of rsi-loop/models');
}

/** Returns whether a value of the host is a number from `least` to `most`. Never throws, as a comparison with a symbol would. */
export function isWithin(value: unknown, least: number, most = Number.POSITIVE_INFINITY): boolean {
  return typeof value === 'number' && value >= least && value <= most;
}
