import { describe, expect, it } from 'vitest';
import type { Piece } from '../../../../integrations/sources/import/open-piece.js';
import { type DocumentEnd, type JsonPiece, JsonSplitter } from '../../../../integrations/sources/import/split-json.js';
import { LineSplitter, parseLine } from '../../../../integrations/sources/import/split-lines.js';

function split(splitter: LineSplitter | JsonSplitter, text: string, chunkBytes: number) {
  const bytes = Buffer.from(text);
  const pieces: { number: number; text: string; cutFrom?: number }[] = [];
  const take = (found: readonly (Piece | JsonPiece | DocumentEnd)[]) => {
    for (const piece of found) {
      if (!('bytes' in piece)) continue;
      const { number, cutFrom } = piece;
      pieces.push({ number, text: piece.bytes.toString(), ...(cutFrom !== undefined && { cutFrom }) });
    }
  };
  for (let start = 0; start < bytes.length; start += chunkBytes)
    take(splitter.push(bytes.subarray(start, start + chunkBytes)));
  take(splitter.end());
  return pieces;
}

describe('LineSplitter', () => {
  it.each([1, 2, 5, 1000])('gives the same lines in chunks of %i bytes', (chunkBytes) => {
    expect(split(new LineSplitter(), '\ufeffone\r\n\ntwö\nthree', chunkBytes)).toEqual([
      { number: 1, text: 'one' },
      { number: 2, text: '' },
      { number: 3, text: 'twö' },
      { number: 4, text: 'three' },
    ]);
  });

  it('reads a line of 10 MB', () => {
    const line = JSON.stringify({ text: 'x'.repeat(10_000_000) });
    const lines = split(new LineSplitter(), `${line}\n{}\n`, 65_536);
    expect(lines.map(({ text }) => text.length)).toEqual([line.length, 2]);
  });

  it('says how long a line beyond the cap was, and goes on with the next', () => {
    const lines = split(new LineSplitter(1000), `${'x'.repeat(5000)}\n{"a":1}\n${'y'.repeat(1001)}`, 64);
    expect(lines.map(({ number, cutFrom }) => [number, cutFrom])).toEqual([
      [1, 5000],
      [2, undefined],
      [3, 1001],
    ]);
    expect(lines.every(({ text }) => text.length <= 1000)).toBe(true);
  });
});

describe('parseLine', () => {
  it.each([
    ['{"a":1', 'the line is cut off: its JSON has no end'],
    ['{"a":1} trailing }', 'the line is not JSON'],
    ['[1]', 'the line holds a list, not an object'],
    ['null', 'the line holds null, not an object'],
  ])('says why %j is no record', (text, reason) => {
    expect(parseLine({ number: 1, bytes: Buffer.from(text) })).toEqual({ kind: 'bad', reason });
  });
});

describe('JsonSplitter with whole objects', () => {
  it.each([1, 3, 1000])(
    'gives the members of a list in chunks of %i bytes, with the lines they begin in',
    (chunkBytes) => {
      const text = '[\n  {"a": "]}\\"{"},\n  {\n "b": [1, {}] }\n]\n';
      expect(split(new JsonSplitter({ wholeObjects: true }), text, chunkBytes)).toEqual([
        { number: 2, text: '{"a": "]}\\"{"}' },
        { number: 3, text: '{\n "b": [1, {}] }' },
      ]);
    },
  );

  it('gives the documents of a file that holds several', () => {
    expect(split(new JsonSplitter({ wholeObjects: true }), '{"a":1}\n{\n"b":2}', 4).map(({ text }) => text)).toEqual([
      '{"a":1}',
      '{\n"b":2}',
    ]);
  });

  it('gives what is left of a document that was cut off', () => {
    expect(split(new JsonSplitter({ wholeObjects: true }), '[{"a":1},{"b":', 5).map(({ text }) => text)).toEqual([
      '{"a":1}',
      '{"b":',
    ]);
  });
});
