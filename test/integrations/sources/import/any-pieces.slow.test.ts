import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { Outcome } from 'rsi-loop';
import { describe, expect, it } from 'vitest';
import { IMPORTERS } from '../../../../integrations/sources/import/detect.js';
import { type InputProblem, importTraces } from '../../../../integrations/sources/import/index.js';
import { SAMPLES } from './samples.js';

async function readInPieces(bytes: Uint8Array, size: number) {
  async function* pieces() {
    for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
  }
  const outcomes: Outcome[] = [];
  const problems: InputProblem[] = [];
  const names = new Set<string>();
  const reading = importTraces(pieces(), { nowMs: 1_775_000_000_000, onProblem: (problem) => problems.push(problem) });
  for await (const batch of reading) {
    names.add(batch.importer);
    outcomes.push(...batch.outcomes);
  }
  const { leftOut, skipped, nothingFound } = reading.summary;
  return { names: [...names], outcomes, problems, leftOut, skipped, nothingFound };
}

const PADS = [
  ['as it is', ''],
  ['with 20 kB in its first record', '\u00e9"\\\n'.repeat(5_000)],
  ['with 150 kB in its first record', `${'word '.repeat(30_000)}\u20ac`],
] as const;

describe('an input read in pieces', () => {
  it('has a sample of every format', () => {
    const read = new Set(SAMPLES.map(({ importer }) => importer));
    expect(IMPORTERS.map(({ name }) => name).filter((name) => !read.has(name))).toEqual([]);
  });

  describe.each(SAMPLES.map((sample) => [sample.name, sample] as const))('%s', (_, sample) => {
    it.each(PADS)('%s: gives the same outcomes whatever the size of the pieces', async (_, pad) => {
      const text =
        sample.importer === 'generic' && sample.name === 'csv'
          ? sample.text(pad.replaceAll('"', ''))
          : sample.text(pad);
      const bytes = Buffer.from(text);
      const whole = await readInPieces(bytes, bytes.length);
      expect(whole).toMatchObject({ names: [sample.importer], skipped: 0, problems: [] });
      expect(whole.outcomes).toHaveLength(sample.outcomes);
      // Small pieces of a long text take long: each size is drawn on a scale of its own.
      const size = fc.double({ min: 0, max: 6, noNaN: true }).map((power) => Math.round(10 ** power));
      await fc.assert(
        fc.asyncProperty(size, fc.boolean(), async (size, packed) => {
          expect(
            await readInPieces(packed ? gzipSync(bytes) : bytes, Math.max(size, bytes.length > 30_000 ? 300 : 1)),
          ).toEqual(whole);
        }),
        {
          numRuns: 6,
          examples: [
            [1, false],
            [1, true],
            [65_536, false],
            [1_000_000, true],
          ],
        },
      );
    });
  });
});
