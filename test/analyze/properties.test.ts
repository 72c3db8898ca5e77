import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Analyzer } from '../../src/analyze/analyzer.js';
import type { OutcomeId } from '../../src/contract/ids.js';
import type { Outcome } from '../../src/contract/outcome.js';
import { DAY, HOUR, START } from './make-outcome.js';

const NOW = START + 9 * DAY;
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });

/** Outcomes of a few tasks, models and sessions over nine days, in the order of time. */
const history = fc
  .array(
    fc.record({
      hour: fc.integer({ min: 0, max: 215 }),
      task: fc.constantFrom('search', 'write'),
      success: fc.boolean(),
      source: fc.constantFrom('one', 'two'),
      issue: optional(fc.constantFrom('timeout', 'context_loss', 'cancelled', 'unknown')),
      message: optional(fc.constantFrom('timed out after 3 s', 'no such file /a/b', 'lone \ud800', '')),
      model: optional(fc.constantFrom('haiku', 'sonnet')),
      session: optional(fc.constantFrom('s1', 's2', 's3')),
      parent: optional(fc.constant('p')),
      durationMs: optional(fc.integer({ min: 0, max: 1e6 })),
      costUsd: optional(fc.double({ min: 0, max: 1, noNaN: true })),
      quality: optional(fc.integer({ min: 1, max: 5 })),
      tags: optional(fc.array(fc.constantFrom('beta', 'eu'), { maxLength: 2 })),
    }),
    { maxLength: 120 },
  )
  .map((rows) =>
    rows
      .sort((a, b) => a.hour - b.hour)
      .map(({ hour, issue, message, ...row }, index): Outcome => {
        const given = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined));
        return {
          ...(given as typeof row & Pick<Outcome, 'task' | 'success' | 'source'>), // what was undefined is left out
          id: String(index).padStart(4, '0') as OutcomeId, // made up here, so no maker brands it
          atMs: START + hour * HOUR,
          issues: issue === undefined ? [] : [issue],
          ...(message !== undefined && !row.success && { error: { message } }),
        } as Outcome;
      }),
  );

function analyzed(...batches: readonly (readonly Outcome[])[]): Analyzer {
  const analyzer = new Analyzer();
  for (const batch of batches) analyzer.absorb(batch);
  return analyzer;
}

describe('Analyzer, whatever is sent', () => {
  it('gives the same bytes after a restart anywhere', () => {
    fc.assert(
      fc.property(history, fc.nat(120), (outcomes, cut) => {
        const kept = JSON.parse(JSON.stringify(analyzed(outcomes.slice(0, cut)).snapshot()));
        const restored = Analyzer.restore(kept);
        restored?.absorb(outcomes.slice(cut));
        const whole = analyzed(outcomes);
        expect(JSON.stringify(restored?.snapshot())).toBe(JSON.stringify(whole.snapshot()));
        expect(JSON.stringify(restored?.patterns(NOW))).toBe(JSON.stringify(whole.patterns(NOW)));
      }),
      { numRuns: 60, seed: 1 },
    );
  });

  it('does not care how outcomes are cut into batches, and reading changes nothing', () => {
    fc.assert(
      fc.property(history, fc.nat(120), (outcomes, cut) => {
        const analyzer = analyzed(outcomes.slice(0, cut));
        analyzer.patterns(NOW);
        analyzer.tasks(NOW);
        analyzer.absorb(outcomes.slice(cut));
        expect(JSON.stringify(analyzer.patterns(NOW))).toBe(JSON.stringify(analyzed(outcomes).patterns(NOW)));
      }),
      { numRuns: 40, seed: 2 },
    );
  });

  it('reads the same again and again as at a first read, through merges, evictions and time', () => {
    const words = fc.constantFrom('disk full on node', 'disk gone on node', 'no route to host', 'no way to host');
    const worded = fc.array(fc.tuple(words, fc.integer({ min: 0, max: 99 })), { minLength: 120, maxLength: 120 });
    fc.assert(
      fc.property(history, worded, fc.array(fc.nat(120), { maxLength: 4 }), (rows, messages, cuts) => {
        const outcomes = rows.map((row, index) => {
          const [text, number] = messages[index] ?? ['', 0];
          return row.error ? { ...row, error: { message: `${text} ${'abcdefgh'[number % 8]}${number}` } } : row;
        });
        const options = { maxGroups: 8 };
        const often = new Analyzer(options);
        let from = 0;
        for (const cut of [...cuts, 120].sort((a, b) => a - b)) {
          often.absorb(outcomes.slice(from, cut));
          from = cut;
          // The last time asked about in one round is the first in the next, when more was counted.
          for (const hours of [0, -40, 3, 5, 47, 0]) {
            const nowMs = NOW + hours * HOUR;
            const fresh = Analyzer.restore(JSON.parse(JSON.stringify(often.snapshot())), options);
            expect(JSON.stringify(often.patterns(nowMs))).toBe(JSON.stringify(fresh?.patterns(nowMs)));
            expect(JSON.stringify(often.tasks(nowMs))).toBe(JSON.stringify(fresh?.tasks(nowMs)));
          }
        }
      }),
      { numRuns: 60, seed: 5 },
    );
  });

  it('finds the same failures, as often, in any order', () => {
    const counts = (analyzer: Analyzer) =>
      analyzer
        .patterns(NOW)
        .filter(({ kind }) => kind === 'failure')
        .map(({ id, count, rate }) => [id, count, rate.of])
        .sort();
    fc.assert(
      fc.property(history, (outcomes) => {
        expect(counts(analyzed([...outcomes].reverse()))).toEqual(counts(analyzed(outcomes)));
      }),
      { numRuns: 40, seed: 3 },
    );
  });

  it('never has more failures than outcomes', () => {
    fc.assert(
      fc.property(history, (outcomes) => {
        for (const { rate, count, recurring } of analyzed(outcomes).patterns(NOW)) {
          expect(rate.of).toBeGreaterThanOrEqual(count);
          expect(rate.low).toBeLessThanOrEqual(rate.value);
          expect(recurring).toBe(count >= 3);
        }
      }),
      { numRuns: 40, seed: 4 },
    );
  });
});
