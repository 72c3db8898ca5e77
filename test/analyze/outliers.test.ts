import { describe, expect, it } from 'vitest';
import { Analyzer } from '../../src/analyze/analyzer.js';
import type { Outcome } from '../../src/contract/outcome.js';
import type { Pattern } from '../../src/contract/pattern.js';
import { DAY, HOUR, makeOutcome, START } from './make-outcome.js';

const DAYS = 12;
const CHANGE = START + 8 * DAY;

/** One success every 20 minutes for twelve days; `change` says what is different in the last four. */
function history(fields: (index: number) => Partial<Outcome>, change: (index: number) => Partial<Outcome>) {
  return Array.from({ length: DAYS * 72 }, (_, index) => {
    const atMs = START + (index * HOUR) / 3;
    return makeOutcome({ atMs, ...fields(index), ...(atMs >= CHANGE && change(index)) });
  });
}

function patternsOf(outcomes: readonly Outcome[]): readonly Pattern[] {
  const analyzer = new Analyzer();
  analyzer.absorb(outcomes);
  return analyzer.patterns(START + DAYS * DAY);
}

const spread = (index: number) => 100 + ((index * 37) % 50);

describe('patterns without errors', () => {
  it('finds nothing in a task that is as fast and as dear as ever', () => {
    const same = (index: number) => ({ durationMs: spread(index), costUsd: spread(index) / 1e4 });
    expect(patternsOf(history(same, same))).toEqual([]);
  });

  it.each([1, 7, 40, 220, 999, 61_000])('finds nothing in a task that always takes %d ms', (durationMs) => {
    const same = () => ({ durationMs, costUsd: durationMs / 1e4, tokens: { input: durationMs, output: 0 } });
    expect(patternsOf(history(same, same))).toEqual([]);
  });

  it('finds a task that became slower than its own past, and the model it happens with', () => {
    const model = (index: number) => (index % 3 === 0 ? 'haiku' : 'sonnet');
    const before = (index: number) => ({ model: model(index), durationMs: spread(index) });
    const after = (index: number) => (index % 3 === 0 ? { durationMs: 3 * spread(index) } : {});
    const [slow, ...others] = patternsOf(history(before, after));
    expect(others).toEqual([]);
    expect(slow).toMatchObject({ kind: 'slow', issue: 'slow_response', where: [{ model: 'haiku' }], recurring: true });
    expect(slow?.impact.lostMs).toBeGreaterThan(10_000);
    expect(slow?.impact.failures).toBe(0);
  });

  it('blames no reasoning for slow calls that follow each other in a session', () => {
    const slower = history(
      () => ({}),
      () => ({}),
    ).flatMap(({ atMs }, index) =>
      [0, 1, 2, 3].map((call) =>
        makeOutcome({
          session: `s${index}`,
          atMs: atMs + call * 60_000,
          durationMs: (atMs >= CHANGE ? 4 : 1) * spread(index + call),
        }),
      ),
    );
    const [slow] = patternsOf(slower);
    expect(slow).toMatchObject({ kind: 'slow', rootCause: { cause: 'undetermined', evidence: [] } });
  });

  it('finds a task that costs more, in money where prices are known and else in tokens', () => {
    const usd = patternsOf(
      history(
        (i) => ({ costUsd: spread(i) / 1e4 }),
        (i) => ({ costUsd: spread(i) / 1e3 }),
      ),
    );
    expect(usd).toMatchObject([{ kind: 'costly', issue: 'cost_overrun' }]);
    expect(usd[0]?.impact.lostUsd).toBeGreaterThan(1);
    const tokens = (factor: number) => (index: number) => ({ tokens: { input: factor * spread(index), output: 10 } });
    expect(patternsOf(history(tokens(1), tokens(3)))).toMatchObject([{ kind: 'costly' }]);
  });

  it('counts tokens read from a cache as a tenth, as providers bill them', () => {
    const input = (index: number) => 1_000 * spread(index);
    const plain = (index: number) => ({ tokens: { input: input(index), output: 10 } });
    const cached = (share: number) => (index: number) => ({
      tokens: { input: 3 * input(index), output: 10, cachedInput: share * 3 * input(index) },
    });
    expect(patternsOf(history(plain, cached(0.9)))).toEqual([]); // three times the tokens, 0.57 of the price
    expect(patternsOf(history(cached(1), cached(0)))).toMatchObject([{ kind: 'costly' }]); // ten times the price
  });

  it('finds successes of low quality among those that were rated', () => {
    const rated = (index: number) => (index % 2 ? { quality: index % 8 === 1 ? 2 : 5 } : {});
    const [pattern] = patternsOf(history(rated, rated));
    expect(pattern).toMatchObject({ kind: 'low-quality', issue: 'wrong_output' });
    expect(pattern?.rate.value).toBeCloseTo(0.25, 1);
  });

  it('counts what a caller named on a success, and not as a failure', () => {
    const named = (issue: string) => makeOutcome({ issues: [issue], atMs: START + 11 * DAY });
    const patterns = patternsOf([named('wrong_model_tier'), named('slow_response'), named('memory_miss')]);
    expect(patterns.map(({ kind, issue }) => `${kind} ${issue}`).sort()).toEqual([
      'costly wrong_model_tier',
      'low-quality memory_miss',
      'slow slow_response',
    ]);
    expect(patterns.every(({ impact }) => impact.failures === 0)).toBe(true);
  });

  /** Sessions of 40 calls each. The context grows with each call; `factor` multiplies it from the change on. */
  function sessions(factor: number, grown = 1_000): Outcome[] {
    return Array.from({ length: DAYS * 6 }, (_, session) =>
      Array.from({ length: 40 }, (_, call) => {
        const atMs = START + session * 4 * HOUR + call * 60_000;
        const input = (5_000 + call * grown + ((call * 37 + session * 11) % 50)) * (atMs >= CHANGE ? factor : 1);
        return makeOutcome({ atMs, session: `s${session}`, tokens: { input, output: 10 }, durationMs: input / 20 });
      }),
    ).flat();
  }

  it('does not call the late calls of a long session costly or slow: their contexts were always longer', () => {
    // Sessions grow to five times their length: most calls exceed nine in ten of the past, none exceeds its place in it.
    const short = sessions(1).filter(({ atMs, tokens }) => atMs >= START + 5 * DAY || (tokens?.input ?? 0) < 12_000);
    expect(patternsOf(short)).toEqual([]);
  });

  it('finds sessions whose calls cost more than calls at the same place did', () => {
    expect(patternsOf(sessions(3)).map(({ kind }) => kind)).toContain('costly');
  });

  it('says nothing once half of all cases exceed the baseline from beginning to end: it is lost', () => {
    const drifting = Array.from({ length: DAYS * 72 }, (_, index) =>
      makeOutcome({ atMs: START + (index * HOUR) / 3, costUsd: (1 + index / 40) * spread(index) }),
    );
    expect(patternsOf(drifting)).toEqual([]);
  });
});
