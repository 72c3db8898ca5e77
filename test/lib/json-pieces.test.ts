import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/contract/json.js';
import { jsonPieces, jsonSlices, lazyList } from '../../src/lib/json-pieces.js';
import { SystemClock } from '../../src/lib/system-clock.js';

const snapshots = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium' },
    fc.constantFrom(null, undefined, true, Number.NaN, -0, 0.1, 'ä"\u2028\\', '\ud800'),
    fc.double(),
    fc.string(),
    fc.array(tie('value'), { maxLength: 120 }),
    fc.dictionary(fc.string(), tie('value')),
    fc.array(tie('value')).map((items) => lazyList(items as Json[], (item) => item)),
  ),
})).value;

describe('a snapshot written in pieces', () => {
  it('is the text that JSON.stringify gives', () => {
    fc.assert(
      fc.property(snapshots, (value) => {
        expect([...jsonPieces([value])].join('')).toBe(JSON.stringify([value]));
      }),
      { numRuns: 500 },
    );
  });

  it('never exists as a whole: each item of a lazy list is made when its turn to be written comes', async () => {
    let made = 0;
    const items = Array.from({ length: 2_000 }, (_, index) => index);
    const list = lazyList(items, (index) => {
      made++;
      return { index, text: 'x'.repeat(1_000) };
    });
    const madeWhen: number[] = [];
    const slices: string[] = [];
    for await (const slice of jsonSlices({ list }, new SystemClock())) {
      madeWhen.push(made);
      slices.push(slice);
    }
    expect(JSON.parse(slices.join(''))).toEqual(JSON.parse(JSON.stringify({ list })));
    expect(Math.max(...slices.map(({ length }) => length))).toBeLessThan(70_000);
    expect(madeWhen[0]).toBeLessThan(100);
  });

  it('lets what else waits in the process go on', async () => {
    let others = 0;
    let isDone = false;
    const other = () => {
      others++;
      if (!isDone) setImmediate(other);
    };
    setImmediate(other);
    const list = lazyList(Array.from({ length: 5_000 }), () => ({ text: 'x'.repeat(100) }));
    for await (const _ of jsonSlices(list, { monotonic: () => 0 }));
    isDone = true;
    expect(others).toBeGreaterThan(10);
  });
});
