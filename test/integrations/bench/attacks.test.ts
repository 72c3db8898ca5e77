import { describe, expect, it } from 'vitest';
import { compare } from '../../../integrations/bench/compare.js';
import { describeComparison } from '../../../integrations/bench/describe-comparison.js';
import { MemoryRuns } from '../../../integrations/bench/memory-runs.js';
import type { Problem } from '../../../integrations/bench/problem.js';
import { Suite, type SuiteOptions } from '../../../integrations/bench/suite.js';
import { seededRandom } from '../../../src/lib/random.js';
import { ManualClock } from '../../../src/testing/manual-clock.js';

const PROBLEMS: readonly Problem[] = Array.from({ length: 20 }, (_, index) => ({
  id: `p${index}`,
  input: { number: index },
  expected: index,
}));
const V2 = { name: 'v2', prompts: { system: 'new' } };

function suiteOf(run: SuiteOptions['run'], options: Partial<SuiteOptions> = {}): Suite {
  return new Suite('attacked', { problems: PROBLEMS, run, score: Number, clock: new ManualClock(0), ...options });
}

describe('lost problems', () => {
  it('are reported, and block on demand, although the candidate wins so fast that none was drawn', async () => {
    const ran: string[] = [];
    const suite = suiteOf(({ id }, { prompts }) => {
      if (id === 'p7') ran.push(prompts.system ?? 'old');
      return id === 'p7' ? prompts.system === undefined : prompts.system !== undefined;
    });
    const found = [];
    for (let seed = 1; seed <= 10; seed++) found.push(await compare(suite, V2, { seed }));
    expect(found).toHaveLength(10);
    for (const one of found)
      expect(one).toMatchObject({
        kind: 'better',
        loses: [{ problemId: 'p7', runs: 5 }],
        evidence: { losses: expect.any(Number) },
      });
    expect(await compare(suite, V2, { losses: 'block' })).toMatchObject({
      kind: 'worse',
      loses: [{ problemId: 'p7', runs: 5 }],
    });
  });

  it('look once at each problem, and not again where the candidate is right', async () => {
    const runs = new Map<string, number>();
    const suite = suiteOf(({ id }, { prompts }) => {
      runs.set(id, (runs.get(id) ?? 0) + 1);
      return prompts.system === undefined ? 0 : 1;
    });
    const comparison = await compare(suite, V2);
    expect(comparison).toMatchObject({ kind: 'better' });
    expect(comparison).not.toHaveProperty('unchecked');
    expect(runs.size).toBe(20);
    const total = [...runs.values()].reduce((sum, count) => sum + count, 0);
    expect(total).toBeLessThanOrEqual(2 * (comparison.evidence.pairs + 20 + 2));
  });

  it('are said to be unchecked where a limit ends the search', async () => {
    const suite = suiteOf((_, { prompts }) => (prompts.system === undefined ? 0 : 1));
    const comparison = await compare(suite, V2, { maxPairs: 9 });
    expect(comparison).toMatchObject({ kind: 'better', unchecked: expect.any(Number) });
    expect(describeComparison(comparison)).toMatch(/ \d+ problems were not checked for losses: a limit was reached\.$/);
  });

  it('are looked for again after a kill, and no pair is paid twice', async () => {
    const runs = new MemoryRuns();
    let made = 0;
    const stop = new AbortController();
    const suite = suiteOf((_, { prompts }) => {
      if (++made === 30) stop.abort();
      return prompts.system === undefined ? 0 : 1;
    });
    const first = await compare(suite, V2, { runs, signal: stop.signal });
    expect(first).toMatchObject({ kind: 'unknown', why: 'stopped' });
    expect(describeComparison(first)).toContain(
      'scores higher, but whether it costs more, takes longer or loses a problem',
    );
    const second = await compare(suite, V2, { runs });
    expect(second.kind).toBe('better');
    const alone = made;
    expect(await compare(suite, V2, { runs })).toEqual(second);
    expect(made).toBe(alone);
  });
});

describe('guards', () => {
  it.each([{ costUsd: 0.1 }, { costUsd: 1 }])(
    'block a candidate that wins fast and costs $costUsd instead of 0.01',
    async ({ costUsd }) => {
      const suite = suiteOf((_, { prompts }) =>
        prompts.system === undefined ? { answer: 0, costUsd: 0.01 } : { answer: 1, costUsd },
      );
      expect(await compare(suite, V2)).toMatchObject({ kind: 'worse', why: 'guard', guard: 'cost' });
    },
  );

  it('do not count the time and cost of cached answers', async () => {
    const clock = new ManualClock(0);
    const random = seededRandom(5);
    const suite = suiteOf(
      (_, { prompts }) => {
        const cached = prompts.system === undefined && random() < 0.5;
        clock.advance(cached ? 0 : 1_000);
        return { answer: prompts.system === undefined ? 0 : 1, cached, costUsd: cached ? 0 : 0.01 };
      },
      { clock },
    );
    expect(await compare(suite, V2, { concurrency: 1 })).toMatchObject({ kind: 'better' });
  });
});

describe('cached answers', () => {
  /** Each version answers a problem once, by chance; repeats come from its cache. */
  function cachingSuite(seed: number): Suite {
    const random = seededRandom(seed);
    const answers = new Map<string, number>();
    return suiteOf(({ id }, { prompts }) => {
      const key = `${id} ${prompts.system}`;
      const known = answers.get(key);
      const answer = known ?? (random() < 0.5 ? 1 : 0);
      answers.set(key, answer);
      return { answer, cached: known !== undefined };
    });
  }

  it('count once per problem, also if the first answer was new', async () => {
    const comparison = await compare(cachingSuite(1), V2, { maxPairs: 300 });
    expect(comparison.evidence.pairs).toBeLessThanOrEqual(20);
  });

  it('do not narrow a baseline', async () => {
    const { score, cached, problems } = await cachingSuite(1).baseline({ repeats: 5, concurrency: 1 });
    expect({ of: score.of, cached }).toEqual({ of: 20, cached: 80 });
    expect(problems.every(({ runs, deviation }) => runs === 1 && deviation === undefined)).toBe(true);
  });
});

describe('a budget', () => {
  const costly: SuiteOptions['run'] = () => ({ answer: 1, costUsd: 0.9 });

  it('of the suite holds for each baseline and comparison, also before the first cost is known', async () => {
    const suite = suiteOf(costly, { maxUsd: 1 });
    expect(await suite.baseline({ concurrency: 8 })).toMatchObject({ costUsd: 0.9, stopped: 'max-usd' });
    const comparison = await compare(suite, V2, { concurrency: 8, maxUsd: 4 });
    expect(comparison).toMatchObject({ kind: 'unknown', why: 'max-usd', evidence: { pairs: 2 } });
  });

  it('that is spent does not hide the results it paid for', async () => {
    const runs = new MemoryRuns();
    const suite = suiteOf(costly, { maxUsd: 4 });
    const first = await compare(suite, V2, { runs });
    expect(first.evidence.pairs).toBe(2);
    expect(await compare(suite, V2, { runs })).toEqual(first);
    const baseline = await suite.baseline({ runs });
    expect(await suite.baseline({ runs })).toEqual(baseline);
  });

  it('counts a run whose answer could not be scored', async () => {
    const suite = suiteOf(costly, {
      score: () => {
        throw new Error('no such grader');
      },
    });
    const result = await suite.run(PROBLEMS[0] as Problem);
    expect(result).toMatchObject({ score: 0, costUsd: 0.9, error: 'Error: no such grader' });
  });
});

describe('an agent that tampers', () => {
  it('changes neither its score nor the next run by writing into its problem', async () => {
    const suite = suiteOf(
      (problem) => {
        const writable = problem as unknown as {
          expected: unknown;
          input: { number: number };
          check: { texts: string[] };
        };
        writable.expected = 'mine';
        writable.input.number = -1;
        writable.check.texts[0] = 'mine';
        return 'mine';
      },
      { problems: [{ id: 'p', input: { number: 3 }, expected: 3, check: { kind: 'contains', texts: ['3'] } }] },
    );
    const [problem] = suite.problems;
    expect((await suite.run(problem as Problem)).score).toBe(0);
    expect((await suite.run(problem as Problem)).score).toBe(0);
    expect(problem).toMatchObject({ input: { number: 3 }, expected: 3, check: { texts: ['3'] } });
  });

  it('leaves no secret and no long text in what is kept of a wrong answer', async () => {
    const key = `sk-ant-api03-${'aB3x'.repeat(24)}`;
    const { answer = '' } = await suiteOf(() => `the key is ${key} ${'x'.repeat(10_000)}`, {
      score: () => 0,
    }).run(PROBLEMS[0] as Problem);
    expect(answer).toMatch(/^the key is \[redacted/);
    expect(answer.length).toBeLessThanOrEqual(200);
  });
});

it('a suite says at its creation that it cannot run or score', () => {
  const wrong = (options: object) => () => suiteOf(() => 1, options);
  expect(wrong({ run: undefined })).toThrow('run is undefined: give a function from a problem to an answer');
  expect(wrong({ score: 'exact' })).toThrow('score is "exact": give a function, such as exact()');
  expect(wrong({ timeoutMs: 0 })).toThrow('timeoutMs is 0: give milliseconds above 0');
  expect(wrong({ maxUsd: Number.NaN })).toThrow('maxUsd is NaN: give a number above 0');
});
