/**
 * Returns 53 bits of a text, enough to avoid accidental collisions within a session. Not for secrets: it can be
 * brute-forced.
 */
export function hash53(text: string): number {
  let one = 0xdeadbeef;
  let two = 0x41c6ce57;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    one = Math.imul(one ^ unit, 2654435761);
    two = Math.imul(two ^ unit, 1597334677);
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(two ^ (two >>> 13), 3266489909);
  two = Math.imul(two ^ (two >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909);
  return 4294967296 * (2097151 & two) + (one >>> 0);
}

/** Returns `hash53` as a short text. */
export function hash(text: string): string {
  return hash53(text).toString(36);
}
