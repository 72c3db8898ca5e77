import { describe, expect, it } from 'vitest';
import { Analyzer } from '../../src/analyze/analyzer.js';
import type { OutcomeId } from '../../src/contract/ids.js';
import type { Outcome } from '../../src/contract/outcome.js';
import { makeFailure, makeOutcome, START } from './make-outcome.js';

/** A task that fails because the one inside it did, as the journal sorts them: by time, then by id. */
function pair(index: number, inside: Partial<Outcome> = {}): readonly Outcome[] {
  const id = `p${index}` as OutcomeId; // ids of a test
  const atMs = START + index * 1_000;
  const reset = 'read ECONNRESET';
  const outer = makeFailure('network', reset, { id, atMs, task: 'flow', managed: true });
  const inner = makeFailure('network', reset, { atMs, task: 'fetch', managed: true, parent: id, ...inside });
  return [outer, inner];
}

const pairs = (count: number, inside?: Partial<Outcome>) =>
  Array.from({ length: count }, (_, index) => pair(index, inside)).flat();

function innerOf(outcomes: readonly Outcome[], task = 'flow'): number | undefined {
  const analyzer = new Analyzer();
  analyzer.absorb(outcomes);
  return analyzer.patterns(START + 3_600_000).find((pattern) => pattern.task === task)?.inner;
}

describe('a failure of a task inside', () => {
  it('belongs to the inner task, although both end in the same millisecond', () => {
    expect(innerOf(pairs(10))).toBe(1);
    expect(innerOf(pairs(10), 'fetch')).toBeUndefined();
  });

  it('is counted per failure: half of them have another reason', () => {
    const own = Array.from({ length: 10 }, (_, index) =>
      makeFailure('network', 'read ECONNRESET', { atMs: START + 500_000 + index, task: 'flow' }),
    );
    expect(innerOf([...pairs(10), ...own])).toBe(0.5);
  });

  it.for<[string, Partial<Outcome>]>([
    ['failed otherwise', { issues: ['validation'] }],
    ['was only captured, so that nothing inside can retry it', { managed: false }],
    ['succeeded', { success: true, issues: [] }],
    ['is the task itself, which calls itself', { task: 'flow' }],
  ])('does not explain the failure if it %s', ([, inside]) => {
    expect(innerOf(pairs(10, inside))).toBeUndefined();
  });

  it('is known after a restart, also if only the inner task had ended before', () => {
    const analyzer = new Analyzer();
    const all = pairs(10);
    const inside = all.filter(({ parent }) => parent !== undefined);
    analyzer.absorb(inside);
    const restored = Analyzer.restore(JSON.parse(JSON.stringify(analyzer.snapshot())));
    restored?.absorb(all.filter(({ parent }) => parent === undefined));
    const again = restored && Analyzer.restore(JSON.parse(JSON.stringify(restored.snapshot())));
    expect(again?.patterns(START + 3_600_000).find(({ task }) => task === 'flow')?.inner).toBe(1);
  });
});

describe('the wait that a server states', () => {
  const stated = (fields: Partial<NonNullable<Outcome['error']>>, count = 10) =>
    Array.from({ length: count }, (_, index) =>
      makeFailure('server_error', '503', { atMs: START + index, error: { message: '503 Unavailable', ...fields } }),
    );
  const waitOf = (outcomes: readonly Outcome[]) => {
    const analyzer = new Analyzer();
    analyzer.absorb([...outcomes, makeOutcome()]);
    return analyzer.patterns(START + 3_600_000)[0]?.retryAfterMs;
  };

  it('is part of the pattern, from a header as much as from words', () => {
    expect(waitOf(stated({ retryAfterMs: 15_000 }))).toBe(15_000);
    expect(waitOf(stated({ message: '503: try again in 15 s' }))).toBe(15_000);
  });

  it('is the median of the latest ones, and none if most failures state none', () => {
    expect(waitOf([...stated({ retryAfterMs: 1_000 }, 9), ...stated({ retryAfterMs: 3_600_000 }, 8)])).toBe(1_000);
    expect(waitOf([...stated({ retryAfterMs: 15_000 }, 5), ...stated({}, 6)])).toBeUndefined();
  });
});

describe('the calls in flight at which failures begin', () => {
  const refusals = (inFlight: readonly number[]) =>
    inFlight.map((calls, index) =>
      makeFailure('rate_limit', '429', {
        atMs: START + index,
        attempts: [{ delayMs: 0, durationMs: 5, success: false, issue: 'rate_limit', inFlight: calls }],
      }),
    );
  const fullAt = (inFlight: readonly number[]) => {
    const analyzer = new Analyzer();
    analyzer.absorb([...refusals(inFlight), makeOutcome()]);
    const restored = Analyzer.restore(JSON.parse(JSON.stringify(analyzer.snapshot())));
    return restored?.patterns(START + 3_600_000)[0]?.fullAt;
  };
  const of = (calls: number, count: number) => Array.from({ length: count }, () => calls);

  it('are part of the pattern if nearly all of the latest began with the same number, or one more', () => {
    expect(fullAt([...of(9, 15), ...of(10, 5)])).toBe(9);
    expect(fullAt([...of(3, 1), ...of(9, 18), ...of(40, 1)])).toBe(9);
    expect(fullAt([...of(4, 20), ...of(9, 20)])).toBe(9);
  });

  it('are unknown if failures begin at any load, with one call beside, or too rarely', () => {
    expect(fullAt(Array.from({ length: 20 }, (_, index) => 5 + (index % 4)))).toBeUndefined();
    expect(fullAt([...of(9, 17), ...of(2, 3)])).toBeUndefined();
    expect(fullAt(of(2, 20))).toBeUndefined();
    expect(fullAt(of(9, 19))).toBeUndefined();
  });
});
