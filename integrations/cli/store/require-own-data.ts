import { LoopError } from 'rsi-loop';
import { isSystemError, whyWords } from '../terminal/system-error.js';
import { mustBeOwnData } from './own-data.js';

/**
 * Checks like `mustBeOwnData`, for commands.
 * @throws LoopError `invalid-input`, which a command prints before it ends.
 */
export function requireOwnData(folder: string): void {
  try {
    mustBeOwnData(folder);
  } catch (cause) {
    const words = whyWords(cause);
    // The system's message does not name the folder.
    const why = isSystemError(cause) ? `cannot use ${folder}: ${words}; name another folder with --store` : words;
    throw new LoopError('invalid-input', why, { cause });
  }
}
