import { LoopError } from '../contract/errors.js';
import { showValue } from './text.js';

/** @throws LoopError `invalid-input` naming the value, unless it can be asked as a `Model`. */
export function mustBeModel(model: unknown): void {
  if (typeof (model as { complete?: unknown } | undefined)?.complete !== 'function')
    throw new LoopError(
      'invalid-input',
      `model is ${showValue(model)}: give a Model, such as those of rsi-loop/models`,
    );
}
