import { describe, expect, it } from 'vitest';
import { eachOf } from '../../src/lib/each-of.js';

async function* batches(...all: readonly (readonly number[])[]) {
  for (const batch of all) yield batch;
}

describe('iterating over batches', () => {
  it('gives every element in order, whatever the batches hold', async () => {
    const found: number[] = [];
    for await (const value of eachOf(batches([], [1, 2], [], [3], []))) found.push(value);
    expect(found).toEqual([1, 2, 3]);
  });

  it('keeps the order for a reader that asks before it was answered', async () => {
    const values = eachOf(batches([1], [2, 3], [4]));
    const asked = Array.from({ length: 6 }, () => values.next());
    expect((await Promise.all(asked)).map(({ value }) => value)).toEqual([1, 2, 3, 4, undefined, undefined]);
  });

  it('ends what it reads when the reader stops', async () => {
    let ended = false;
    async function* endless() {
      try {
        for (;;) yield [1, 2];
      } finally {
        ended = true;
      }
    }
    for await (const _ of eachOf(endless())) break;
    expect(ended).toBe(true);
  });

  it('passes a failure on to the reader', async () => {
    async function* failing() {
      yield [1];
      throw new Error('the disk is gone');
    }
    const values = eachOf(failing());
    expect(await values.next()).toEqual({ value: 1, done: false });
    await expect(values.next()).rejects.toThrow('the disk is gone');
  });
});
