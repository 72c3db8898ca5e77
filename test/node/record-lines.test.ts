import { crc32 as zlibCrc32 } from 'node:zlib';
import fc from 'fast-check';
import type { JournalRecord, Outcome } from 'rsi-loop';
import { describe, expect, it } from 'vitest';
import { crc32 } from '../../src/node/crc32.js';
import { parseLine } from '../../src/node/line.js';
import { RecordLines } from '../../src/node/record-lines.js';
import { outcome } from './folder.js';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('sonnet', 'a"b\\c', 'line\nbreak', '\u007f', 'é', '数据', '\ud800', '😀', 'x'.repeat(30_000)),
);
const amount = fc.oneof(
  fc.double(),
  fc.maxSafeNat(),
  fc.constantFrom(0, -0, 9, 10, 999_999, 1_000_000, 1_767_225_600_000, 2 ** 31, 1e21, 0.1, -5, Number.MAX_VALUE),
);
const optional = { requiredKeys: ['id', 'task', 'success', 'atMs', 'source', 'issues'] } as const;
const outcomes = fc.record(
  {
    id: text,
    task: text,
    success: fc.boolean(),
    atMs: amount,
    source: text,
    session: text,
    endsSession: fc.boolean(),
    agent: text,
    parent: text,
    model: text,
    tool: text,
    durationMs: amount,
    tokens: fc.record({ input: amount, output: amount }),
    costUsd: amount,
    quality: amount,
    error: fc.record(
      { message: text, name: text, code: text, status: amount, retryAfterMs: amount },
      { requiredKeys: ['message'] },
    ),
    issues: fc.array(text, { maxLength: 3 }),
    fingerprint: text,
    attempts: fc.array(fc.record({ delayMs: amount, durationMs: amount, success: fc.boolean(), model: text })),
    expected: text,
    actual: text,
    severity: fc.constantFrom('low', 'critical'),
    context: fc.dictionary(text, fc.jsonValue()),
    tags: fc.array(text),
    managed: fc.boolean(),
    repeatable: fc.boolean(),
    models: fc.array(text),
    weight: amount,
  } satisfies { readonly [Field in keyof Required<Outcome>]: unknown },
  optional as never,
);

describe('a line of the journal', () => {
  it('says the same as JSON.stringify, whatever the outcome holds, and is sealed', () => {
    const lines = new RecordLines();
    let position = 0;
    fc.assert(
      fc.property(fc.array(outcomes, { minLength: 1, maxLength: 5 }), (batch) => {
        const from = position;
        const records = batch.map((outcome) => ({ kind: 'outcome', outcome }) as unknown as JournalRecord);
        for (const record of records) lines.add(position++, record);
        expect(lines.count).toBe(batch.length);
        const written = lines.take().toString('utf8').split('\n');
        expect(written.pop()).toBe('');
        const read = written.map((line) => {
          const { crc: _, ...value } = parseLine(line)?.value ?? {};
          return value;
        });
        expect(read).toEqual(
          records.map((record, index) => JSON.parse(JSON.stringify({ n: from + index, ...record }))),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('names the fields in the order in which a person reads them', () => {
    const lines = new RecordLines();
    lines.add(7, outcome(3));
    const keys = [
      ...lines
        .take()
        .toString()
        .matchAll(/"(\w+)":/g),
    ].map(([, key]) => key);
    expect(keys.slice(0, 8)).toEqual(['crc', 'n', 'kind', 'outcome', 'id', 'task', 'success', 'atMs']);
  });

  it('is left out as a whole where the record is no JSON', () => {
    const lines = new RecordLines();
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    lines.add(0, outcome(0));
    expect(() => lines.add(1, { kind: 'start', start: cyclic as never })).toThrow(TypeError);
    lines.add(1, outcome(2));
    const written = lines.take().toString().trimEnd().split('\n');
    expect(written.map((line) => parseLine(line)?.value.n)).toEqual([0, 1]);
  });
});

describe('crc32', () => {
  it('is that of zlib, over any part of any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), fc.nat(100), fc.nat(100), (bytes, one, other) => {
        const [from, to] = [Math.min(one, other, bytes.length), Math.min(Math.max(one, other), bytes.length)];
        const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        expect(crc32(view, from, to)).toBe(zlibCrc32(bytes.subarray(from, to)));
      }),
      { numRuns: 1_000 },
    );
  });
});
