import { createHash, timingSafeEqual } from 'node:crypto';
import { LoopError } from 'rsi-loop';

/** Minimum length of a secret; shorter ones can be guessed. */
const SHORTEST_SECRET = 16;

/**
 * Validates a secret from the options of a server.
 * @throws LoopError `invalid-input` naming the option. The message does not contain the value.
 */
export function readSecret(name: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string' && value.length >= SHORTEST_SECRET) return value;
  throw new LoopError('invalid-input', `${name} is too short: give at least ${SHORTEST_SECRET} characters`);
}

/** Secret that callers have to present. Compares in constant time, and keeps only a digest. */
export class Secret {
  readonly #digest: Buffer;

  constructor(text: string) {
    this.#digest = digestOf(text);
  }

  matches(shown: string): boolean {
    return timingSafeEqual(digestOf(shown), this.#digest);
  }
}

/** Returns a digest, which has the same length for any text. */
function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
