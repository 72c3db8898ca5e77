import { LoopError } from 'rsi-loop';
import { whyWords } from '../terminal/system-error.js';
import { mustBeOwnData } from './own-data.js';

/** As `mustBeOwnData`, for commands. @throws LoopError `invalid-input`, which a command shows and ends with. */
export function requireOwnData(folder: string): void {
  try {
    mustBeOwnData(folder);
  } catch (cause) {
    throw new LoopError('invalid-input', whyWords(cause), { cause });
  }
}
