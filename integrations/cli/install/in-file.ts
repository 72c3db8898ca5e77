import { LoopError } from 'rsi-loop';

/** Runs `work` and adds the file's name to its errors. */
export function inFile<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!LoopError.is(error)) throw error;
    throw new LoopError(error.code, `${path}: ${error.message}; nothing was written`, { cause: error });
  }
}
