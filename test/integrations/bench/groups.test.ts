import { describe, expect, it } from 'vitest';
import { compare } from '../../../integrations/bench/compare.js';
import { compareRecorded } from '../../../integrations/bench/compare-recorded.js';
import { MemoryRuns } from '../../../integrations/bench/memory-runs.js';
import { halfOf, type Problem } from '../../../integrations/bench/problem.js';
import { Suite } from '../../../integrations/bench/suite.js';
import { ManualClock } from '../../../src/testing/manual-clock.js';

/** Twelve problems: two groups of four and one of three, and one on its own. */
const PROBLEMS = Array.from({ length: 12 }, (_, index): Problem => {
  const group = { group: `document ${Math.floor(index / 4)}` };
  return { id: `p${index}`, input: index, ...(index < 11 && group) };
});

function suiteOf(onRun: (input: number, version: string) => void = () => undefined): Suite {
  return new Suite('groups', {
    problems: PROBLEMS,
    run: async ({ input }, { prompts }) => {
      onRun(Number(input), prompts.system ?? 'old');
      await Promise.resolve();
      return Number(input) % 2 === 0 || prompts.system === 'new' ? 1 : 0;
    },
    score: Number,
    clock: new ManualClock(0),
  });
}
const NEW = { prompts: { system: 'new' } };

describe('problems of one group', () => {
  it('run together in each draw, and no other draw of the group begins meanwhile', async () => {
    const order: (readonly [number, string])[] = [];
    await compare(
      suiteOf((input, version) => order.push([input, version])),
      NEW,
      { maxPairs: 60, concurrency: 2 },
    );
    const whole = ['old', 'new'].flatMap((version) => {
      const inputs = order.flatMap(([input, by]) => (by === version && input < 4 ? [input] : []));
      return Array.from({ length: Math.floor(inputs.length / 4) }, (_, at) =>
        inputs.slice(4 * at, 4 * at + 4).join(''),
      );
    });
    expect(whole.length).toBeGreaterThan(4);
    // Pairs that only look for lost problems come at the end.
    expect(new Set(whole.slice(0, 3))).toEqual(new Set(['0123']));
  });

  it('are one pair, and a group weighs as much as its problems', async () => {
    const result = await compare(suiteOf(), {}, { maxPairs: 700, usefulGain: 0.001 });
    // 700 pairs of runs are 200 draws with 3.5 problems on average.
    expect(result).toMatchObject({ kind: 'unknown', why: 'max-pairs', evidence: { pairs: 200, wins: 0, losses: 0 } });
    expect(result.scores.baseline).toBeCloseTo(0.5, 1);
  });

  it('are not run again after an interruption', async () => {
    let runs = 0;
    const kept = new MemoryRuns();
    const stop = new AbortController();
    const suite = suiteOf(() => {
      if (++runs === 31) stop.abort();
    });
    await compare(suite, {}, { runs: kept, maxPairs: 60, signal: stop.signal });
    const before = runs;
    const whole = await compare(suite, {}, { runs: kept, maxPairs: 60 });
    expect(before).toBeGreaterThan(30);
    let once = 0;
    expect(
      await compare(
        suiteOf(() => once++),
        {},
        { maxPairs: 60 },
      ),
    ).toEqual(whole);
    expect(runs).toBe(once);
  });

  it('are in one half of the benchmark', () => {
    const halves = new Map<string | undefined, Set<string>>();
    for (const problem of PROBLEMS)
      halves.set(problem.group, (halves.get(problem.group) ?? new Set()).add(halfOf(problem)));
    for (const [group, found] of halves) expect([group, found.size]).toEqual([group, 1]);
    const torn = PROBLEMS.map((problem, index): Problem => ({ ...problem, split: index === 1 ? 'open' : 'held-out' }));
    expect(() => new Suite('torn', { problems: torn, run: () => 1, score: Number })).toThrow(
      'the group document 0 is in both halves: give all of its problems the same split, or none',
    );
    const wrong = [{ id: 'p', input: 1, group: '' }];
    expect(() => new Suite('wrong', { problems: wrong, run: () => 1, score: Number })).toThrow(
      'problem p has a group that is no text: give a name',
    );
  });

  it('widen the interval of a baseline', async () => {
    const interval = async (problems: readonly Problem[]) => {
      const suite = new Suite('b', { problems, run: ({ input }) => Number(input) % 2, score: Number });
      const { score } = await suite.baseline();
      return { of: score.of, width: score.high - score.low };
    };
    const alone = await interval(PROBLEMS.map(({ id, input }) => ({ id, input })));
    const grouped = await interval(PROBLEMS);
    expect(grouped.of).toBe(alone.of);
    expect(grouped.width).toBeGreaterThan(1.5 * alone.width);
  });

  it('are one pair of recorded runs', () => {
    const runs = (score: number) => PROBLEMS.map(({ id }) => ({ problemId: id, score, durationMs: 1 }));
    const groups = new Map(PROBLEMS.map(({ id, group }) => [id, group]));
    const groupOf = (id: string) => groups.get(id);
    expect(compareRecorded(runs(0), runs(1))).toMatchObject({ kind: 'better', evidence: { pairs: 12 } });
    expect(compareRecorded(runs(0), runs(1), { groupOf })).toMatchObject({ kind: 'unknown', evidence: { pairs: 4 } });
  });
});
