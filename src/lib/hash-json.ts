import { LoopError } from '../contract/errors.js';
import { hashHex } from './hash.js';
import { messageOf } from './text.js';

/**
 * Returns the hash of values of the host as JSON.
 * @throws LoopError `invalid-input` if JSON cannot hold them, such as a bigint or an object that holds itself.
 */
export function hashJson(values: readonly unknown[]): string {
  let text: string;
  try {
    text = JSON.stringify(values);
  } catch (cause) {
    const reason = messageOf(cause).split('\n', 1)[0];
    const message = `an id needs values that JSON can hold, and one cannot be written: ${reason}`;
    throw new LoopError('invalid-input', message, { cause });
  }
  return hashHex(text);
}
