import fc from 'fast-check';
import type { JournalRecord } from 'rsi-loop';
import { describe, expect, it } from 'vitest';
import { JournalQueue } from '../../src/node/journal-queue.js';
import { parseLine } from '../../src/node/line.js';
import { outcome } from './folder.js';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('sonnet', 'a"b\\c', 'line\nbreak', '\u007f', 'é', '数据', '\ud800', '😀', 'x'.repeat(30_000)),
);
const value = fc.oneof(text, fc.double(), fc.boolean(), fc.array(text), fc.dictionary(text, fc.jsonValue()));
const outcomes = fc.dictionary(text, value);

describe('a line of the journal', () => {
  it('says the same as JSON.stringify, whatever the outcome holds, and is sealed', () => {
    const queue = new JournalQueue({ now: () => 0 });
    fc.assert(
      fc.property(fc.array(outcomes, { minLength: 1, maxLength: 5 }), (batch) => {
        const from = queue.position;
        const records = batch.map((outcome) => ({ kind: 'outcome', outcome }) as unknown as JournalRecord);
        for (const record of records) queue.add(record);
        expect(written(queue)).toEqual(
          records.map((record, index) => JSON.parse(JSON.stringify({ n: from + index, ...record }))),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('is left out as a whole if the record is no JSON', () => {
    const queue = new JournalQueue({ now: () => 0 });
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    queue.add(outcome(0));
    expect(() => queue.add({ kind: 'start', start: cyclic as never })).toThrow(TypeError);
    queue.add(outcome(2));
    expect(written(queue).map((value) => value.n)).toEqual([0, 1]);
  });
});

/** Takes the gathered lines out of the queue and parses them, without their checksums. */
function written(queue: JournalQueue): Readonly<Record<string, unknown>>[] {
  queue.cut();
  const values: Readonly<Record<string, unknown>>[] = [];
  for (let chunk = queue.next; chunk !== undefined; chunk = queue.next) {
    const lines = chunk.bytes.toString('utf8').split('\n');
    expect(lines.pop()).toBe('');
    expect(lines).toHaveLength(chunk.count);
    for (const line of lines) {
      const parsed = parseLine(line);
      if (parsed === undefined) throw new Error(`no journal line: ${line}`);
      const { crc: _, ...value } = parsed.value;
      values.push(value);
    }
    queue.markNextWritten();
    queue.releaseChunks(1);
  }
  return values;
}
