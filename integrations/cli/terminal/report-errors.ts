import { LoopError } from 'rsi-loop/record';
import { EXIT, type ExitCode } from '../exit.js';
import { notice } from './output.js';
import { isSystemError, systemErrorWords } from './system-error.js';

/** Reports errors that a person can fix on standard error. Errors of this program itself are thrown. */
export async function reportingErrors(work: () => Promise<ExitCode>): Promise<ExitCode> {
  try {
    return await work();
  } catch (error) {
    if (!LoopError.is(error) && !isSystemError(error)) throw error;
    await notice(`error: ${LoopError.is(error) ? error.message : systemErrorWords(error)}`);
    return EXIT.unusable;
  }
}
