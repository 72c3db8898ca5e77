/** Returns numbers in [0, 1). Injected everywhere, so that every run is repeatable. */
export type Random = () => number;

/** Returns a deterministic generator: sfc32 (Chris Doty-Humphrey, PractRand), seeded from one number. */
export function seededRandom(seed: number): Random {
  let a = 0x9e3779b9 ^ seed;
  let b = 0x243f6a88 ^ Math.imul(seed, 0x85ebca6b);
  let c = 0xb7e15162 ^ Math.imul(seed ^ 0x27d4eb2f, 0xc2b2ae35);
  let counter = 1;
  const next = () => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    return sum >>> 0;
  };
  for (let warm = 0; warm < 15; warm++) next();
  return () => next() / 4294967296;
}
