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

/**
 * Returns what `read` takes from a value of the host. An error of the engine, for a value of another type, becomes one that
 * names the value.
 * @throws LoopError `invalid-input` with the engine's error as its cause.
 */
export function readAs<Result>(name: string, wanted: string, read: () => Result): Result {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof TypeError || cause instanceof RangeError || cause instanceof SyntaxError)) throw cause;
    throw new LoopError('invalid-input', `${name} cannot be read (${cause.message}): give ${wanted}`, { cause });
  }
}

/** Returns whether a value of the host is a number from `least` to `most`. Never throws, as a comparison with a symbol would. */
export function isWithin(value: unknown, least: number, most = Number.POSITIVE_INFINITY): boolean {
  return typeof value === 'number' && value >= least && value <= most;
}
