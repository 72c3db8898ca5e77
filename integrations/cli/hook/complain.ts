import { writeSync } from 'node:fs';

/** Writes the reason of a failure to standard error, as one line. */
export function complain(error: unknown): void {
  writeSync(2, `rsi hook: ${reasonOf(error)}\n`);
}

/** Returns the message of an error as one line of plain characters. */
export function reasonOf(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return reason.replace(/[^\x20-\x7e]+/g, ' ').slice(0, 400);
}

/** Returns an error saying that a session or an event is lost, and why. */
export function unrecorded(what: 'session' | 'event', cause: unknown): Error {
  return new Error(`nothing of this ${what} is recorded: ${reasonOf(cause)}`, { cause });
}
