import { userInfo } from 'node:os';
import { LoopError } from 'rsi-loop';

/**
 * Returns the name of the user, for the ledger.
 * @throws LoopError if the system has no name for the user, as in some containers.
 */
export function userName(): string {
  try {
    return userInfo().username;
  } catch (cause) {
    throw new LoopError('invalid-input', 'the system has no name for its user: say who decides with --by', { cause });
  }
}

/** Returns the name of the user, as a suggestion; undefined if the system has none. */
export function suggestedName(): string | undefined {
  try {
    return userName();
  } catch {
    return undefined;
  }
}
