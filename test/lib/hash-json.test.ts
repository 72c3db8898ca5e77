import { expect, it } from 'vitest';
import { LoopError } from '../../src/contract/errors.js';
import { hashHex } from '../../src/lib/hash.js';
import { hashJson } from '../../src/lib/hash-json.js';

it('is the hash of the JSON of the values', () => {
  expect(hashJson(['a', 1])).toBe(hashHex('["a",1]'));
});

it('says what JSON cannot hold', () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  for (const value of [10n, cycle]) {
    expect(() => hashJson([value])).toThrow(LoopError);
    expect(() => hashJson([value])).toThrow(/^an id needs values that JSON can hold, and one cannot be written: .+$/);
  }
});
