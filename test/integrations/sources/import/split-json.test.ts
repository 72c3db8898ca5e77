import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseExact } from '../../../../integrations/sources/import/exact-json.js';
import { JsonSplitter } from '../../../../integrations/sources/import/split-json.js';

function takeApart(text: string, chunkBytes: number, maxMemberBytes?: number) {
  const bytes = Buffer.from(text);
  const found: unknown[] = [];
  const splitter = new JsonSplitter({ ...(maxMemberBytes !== undefined && { maxPieceBytes: maxMemberBytes }) });
  const take = (pieces: ReturnType<JsonSplitter['push']>) => {
    for (const piece of pieces) {
      if (piece.kind === 'end') found.push(piece.torn ? 'torn' : 'end');
      else found.push([piece.key, piece.cutFrom ?? piece.bytes.toString().trim(), piece.number]);
    }
  };
  for (let start = 0; start < bytes.length; start += chunkBytes)
    take(splitter.push(bytes.subarray(start, start + chunkBytes)));
  take(splitter.end());
  return found;
}

describe('JsonSplitter', () => {
  it.each([1, 2, 5, 1_000])('gives members, and the entries of those that are lists, in chunks of %i bytes', (size) => {
    const text =
      '\ufeff{"a": 1,\n "b": {"x": [1, "]"]}, "c": [{"y": 2}, "t,\\"}", 3], "d": [], "e": null}\n[7, [8]] {}';
    expect(takeApart(text, size)).toEqual([
      ['a', '1', 1],
      ['b', '{"x": [1, "]"]}', 2],
      ['c', '{"y": 2}', 2],
      ['c', '"t,\\"}"', 2],
      ['c', '3', 2],
      ['e', 'null', 2],
      'end',
      [undefined, '7', 3],
      [undefined, '[8]', 3],
      'end',
      'end',
    ]);
  });

  it('gives what a torn document held', () => {
    expect(takeApart('{"a": [1, {"b": 2', 4)).toEqual([['a', '1', 1], ['a', '{"b": 2', 1], 'torn']);
  });

  it('keeps only so much of a member, and reads the next', () => {
    expect(takeApart(`{"a": "${'x'.repeat(100)}", "b": 1}`, 10, 50)).toEqual([['a', 102, 1], ['b', '1', 1], 'end']);
  });

  it('gives back any document, wherever it is cut', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom(0, 2),
        (value, size, indent) => {
          const document = JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
          const expected = Object.entries(document).flatMap(([key, member]) =>
            (Array.isArray(member) ? (member as unknown[]) : [member]).map((each) => [
              JSON.stringify(key).slice(1, -1),
              each,
            ]),
          );
          const found = takeApart(JSON.stringify(document, null, indent), size).filter(Array.isArray) as [
            string,
            string,
          ][];
          expect(found.map(([key, text]) => [key, JSON.parse(text)])).toEqual(expected);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('parseExact', () => {
  it('keeps whole numbers beyond 2^53 as their digits, and all else as it is', () => {
    const text =
      '{"id": 12324293800750531911, "low": -9007199254740993, "safe": 9007199254740991, "time": 1758026593210770000,' +
      '"part": 0.28141283299919450, "large": 1.5e300, "long": 123456789012345678.5, "text": "12324293800750531911 \\" 12324293800750531911"}';
    expect(parseExact(text)).toEqual({
      id: '12324293800750531911',
      low: '-9007199254740993',
      safe: 9007199254740991,
      time: '1758026593210770000',
      part: 0.2814128329991945,
      large: 1.5e300,
      long: Number('123456789012345678.5'),
      text: '12324293800750531911 " 12324293800750531911',
    });
    expect(() => parseExact('{"a": 12324293800750531911')).toThrow(SyntaxError);
  });

  it('takes what Python writes for no number as null', () => {
    expect(parseExact('{"a": NaN, "b": [-Infinity, "NaN"], "id": 12324293800750531911}')).toEqual({
      a: null,
      b: [null, 'NaN'],
      id: '12324293800750531911',
    });
  });

  it('gives what JSON.parse gives where no number is that large', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(JSON.stringify(parseExact(text), asText)).toBe(JSON.stringify(JSON.parse(text), asText));
      }),
    );
  });
});

/** A number beyond 2^53 comes as a text, with the digits it was written with. */
function asText(_: string, value: unknown): unknown {
  if (typeof value !== 'number' || !Number.isInteger(value) || Number.isSafeInteger(value)) return value;
  const written = JSON.stringify(value);
  return written.includes('e') ? BigInt(value).toString() : written;
}
