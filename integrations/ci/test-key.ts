import { createHash } from 'node:crypto';

/** Returns 52 bits that identify a test case: the same on every machine, and different for any two of a million cases. */
export function testKey(suite: string, name: string): number {
  return Number.parseInt(digest(`${suite}\0${name}`, 13), 16);
}

/** Returns the first hexadecimal digits of the SHA-256 of a text. */
export function digest(text: string, digits: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, digits);
}
