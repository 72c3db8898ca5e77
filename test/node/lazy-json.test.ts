import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Json } from '../../src/contract/json.js';
import { jsonSlices, lazyList } from '../../src/lib/json-pieces.js';
import { parseLazily } from '../../src/node/lazy-json.js';

afterEach(() => {
  vi.restoreAllMocks();
});

async function written(value: Json): Promise<Buffer> {
  const slices: string[] = [];
  for await (const slice of jsonSlices(value, { monotonic: () => 0 })) slices.push(slice);
  return Buffer.from(slices.join(''));
}

const values = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium' },
    fc.constantFrom<Json>(null, true, 0.1, '', '[\n', '\n]', ',\n', 'ä\u2028"\\'),
    fc.string({ unit: 'binary' }),
    fc.array(tie('value'), { maxLength: 60 }),
    fc.dictionary(fc.string(), tie('value')),
    fc.array(tie('value')).map((items) => lazyList(items, (item) => item)),
  ),
})).value;

describe('a snapshot read from a file', () => {
  it('is what was written, whatever it holds', async () => {
    await fc.assert(
      fc.asyncProperty(values, async (value) => {
        expect(JSON.stringify(parseLazily(await written([value])))).toBe(JSON.stringify([value]));
      }),
      { numRuns: 300 },
    );
  });

  it('is parsed item by item, so that no turn of the event loop parses all of it', async () => {
    const sizes: number[] = [];
    const parse = JSON.parse;
    const items = Array.from({ length: 1_000 }, (_, index) => ({ index, text: 'x'.repeat(500) }));
    const json = await written({ version: 1, list: lazyList(items, (item) => item), after: [1] });
    vi.spyOn(JSON, 'parse').mockImplementation((text: string) => {
      sizes.push(text.length);
      return parse(text);
    });
    const read = parseLazily(json) as { readonly list: Iterable<Json> }; // as it was written
    expect([...read.list]).toEqual(items);
    expect(sizes).toHaveLength(1_001);
    expect(Math.max(...sizes)).toBeLessThan(json.byteLength / 100);
  });

  it('of an earlier release, without a line for each item, is read too', async () => {
    expect(parseLazily(Buffer.from('{"version":1,"list":[{"a":"\\n"},2]}'))).toEqual({
      version: 1,
      list: [{ a: '\n' }, 2],
    });
  });
});
