/**
 * 64-bit string hash in two 32-bit lanes (cyrb53 by bryc, public domain, without its final truncation to 53 bits). Not
 * cryptographic: use it for ids and random draws, never for security.
 */
function lanes(text: string, seed: number): readonly [number, number] {
  let high = 0xdeadbeef ^ seed;
  let low = 0x41c6ce57 ^ seed;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 2654435761);
    low = Math.imul(low ^ unit, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return [high >>> 0, low >>> 0];
}

/** Returns 16 hexadecimal digits, the same in every process and on every machine. */
export function hashHex(text: string, seed = 0): string {
  const [high, low] = lanes(text, seed);
  return hexOf(high) + hexOf(low);
}

/** Bytes in hexadecimal digits: a look-up is several times faster than `toString(16)`. */
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

function hexOf(word: number): string {
  return `${HEX[word >>> 24]}${HEX[(word >>> 16) & 255]}${HEX[(word >>> 8) & 255]}${HEX[word & 255]}`;
}

/** Returns a number uniformly distributed over [0, 1), with 53 bits. */
export function hashUnit(text: string, seed = 0): number {
  const [high, low] = lanes(text, seed);
  return ((high >>> 5) * 67108864 + (low >>> 6)) / 9007199254740992;
}
