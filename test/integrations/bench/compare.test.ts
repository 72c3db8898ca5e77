import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, TestRunner } from 'vitest';
import { compare, race } from '../../../integrations/bench/compare.js';
import type { CompareOptions } from '../../../integrations/bench/compare-options.js';
import { describeComparison } from '../../../integrations/bench/describe-comparison.js';
import { expectBetter, expectNotWorse } from '../../../integrations/bench/expect-better.js';
import { FileRuns } from '../../../integrations/bench/file-runs.js';
import { PairedBet } from '../../../integrations/bench/paired-bet.js';
import type { Problem } from '../../../integrations/bench/problem.js';
import { RunPurse } from '../../../integrations/bench/run-purse.js';
import { Suite, type SuiteOptions } from '../../../integrations/bench/suite.js';
import { seededRandom } from '../../../src/lib/random.js';
import { ManualClock } from '../../../src/testing/manual-clock.js';

const PROBLEMS: readonly Problem[] = Array.from({ length: 20 }, (_, index) => ({ id: `p${index}`, input: index }));

/** Benchmark whose agent solves each problem with the probability that `skill` gives for a version. */
function suiteOf(skill: (version: string, problem: number) => number, options: Partial<SuiteOptions> = {}): Suite {
  const random = seededRandom(7);
  return new Suite('sums', {
    problems: PROBLEMS,
    run: ({ input }, { prompts }) => (random() < skill(prompts.system ?? 'old', Number(input)) ? 1 : 0),
    score: Number,
    clock: new ManualClock(0),
    ...options,
  });
}

const V2 = { name: 'v2', prompts: { system: 'new' } };

describe('a comparison', () => {
  it('rejects once if its results cannot be saved, also while several runs are under way', async () => {
    const unhandled: unknown[] = [];
    const listen = (error: unknown) => void unhandled.push(error);
    const before = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection').on('unhandledRejection', listen);
    const runs = { load: async () => [], save: () => Promise.reject(new Error('ENOSPC: no space left')) };
    await expect(
      compare(
        suiteOf(() => 1),
        V2,
        { runs, concurrency: 16 },
      ),
    ).rejects.toThrow('ENOSPC');
    await new Promise((resolve) => setTimeout(resolve, 0));
    process.removeAllListeners('unhandledRejection');
    for (const one of before) process.on('unhandledRejection', one);
    expect(unhandled).toEqual([]);
  });

  it('calls a candidate better that solves more of the same problems, and says by how much', async () => {
    const suite = suiteOf((version) => (version === 'new' ? 0.9 : 0.6));
    const comparison = await compare(suite, V2);
    expect(comparison).toMatchObject({ kind: 'better', why: 'mean', candidate: 'v2', needed: 20 });
    expect(comparison.gain.low).toBeGreaterThan(0);
    expect(comparison.gain.low).toBeLessThan(0.3);
    expect(comparison.gain.high).toBeGreaterThan(0.3);
    expect(describeComparison(comparison)).toMatch(
      /^v2 is better\. \d\d % against \d\d % in \d+ pairs \(\d+ won, \d+ lost\): \+/,
    );
  });

  it('calls a candidate worse that solves fewer', async () => {
    const comparison = await compare(
      suiteOf((version) => (version === 'new' ? 0.5 : 0.8)),
      V2,
    );
    expect(comparison).toMatchObject({ kind: 'worse', why: 'mean' });
    expect(comparison.gain.high).toBeLessThan(0);
  });

  it('stops when a useful gain is excluded', async () => {
    const comparison = await compare(
      suiteOf(() => 0.95),
      V2,
      { usefulGain: 0.2 },
    );
    expect(comparison).toMatchObject({ kind: 'not-worse', by: 0.2, gainsLessThan: 0.2 });
    expect(comparison.gain.high).toBeLessThan(0.3);
    expect(comparison.evidence.pairs).toBeLessThan(60);
  });

  it('leaves a small difference undecided and says what was missing', async () => {
    const comparison = await compare(
      suiteOf(() => 0.5),
      V2,
      { maxPairs: 10 },
    );
    expect(comparison).toMatchObject({ kind: 'unknown', why: 'max-pairs', evidence: { pairs: 10 } });
    expect(describeComparison(comparison)).toContain('of 20 needed, maxPairs reached');
  });

  it('counts crashes and time-outs as failures and never drops them', async () => {
    const clock = new ManualClock(0);
    const suite = new Suite('failing', {
      problems: PROBLEMS,
      run: ({ input }, { prompts, signal }) => {
        if (prompts.system === undefined) return 1;
        if (Number(input) % 2 === 0) throw new TypeError('no tool of this name');
        queueMicrotask(() => clock.advance(1_000));
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      },
      score: Number,
      timeoutMs: 1_000,
      clock,
    });
    const comparison = await compare(suite, V2, { concurrency: 1, guards: { duration: 1e9 } });
    expect(comparison).toMatchObject({ kind: 'worse', scores: { baseline: 1, candidate: 0 } });
    expect(await suite.run({ id: 'p2', input: 2 }, V2)).toMatchObject({
      score: 0,
      error: 'TypeError: no tool of this name',
    });
    expect(await suite.run({ id: 'p1', input: 1 }, V2)).toMatchObject({
      score: 0,
      error: 'LoopError: no answer in 1000 ms',
    });
  });

  it('reports a problem that is lost beside a gain, and blocks it only on demand', async () => {
    const problems = PROBLEMS.slice(0, 4);
    const lossy = () =>
      suiteOf((version, problem) => (problem === 0 ? Number(version === 'old') : version === 'new' ? 1 : 0.1), {
        problems,
      });
    const comparison = await compare(lossy(), V2, { alpha: 1e-6 });
    expect(comparison).toMatchObject({ kind: 'better', loses: [{ problemId: 'p0' }] });
    expect(comparison.gain.value).toBeGreaterThan(0.3);
    expect(describeComparison(comparison)).toMatch(
      /^v2 is better, but loses p0 \(0 of \d+ runs, all solved before\)\./,
    );
    const blocked = await compare(lossy(), V2, { alpha: 1e-6, losses: 'block' });
    expect(blocked).toMatchObject({ kind: 'worse', why: 'losses', loses: [{ problemId: 'p0' }] });
    expect(describeComparison(blocked)).toMatch(/^v2 loses p0 \(/);
  });

  it('names a lost problem by luck in few comparisons, however many problems there are', async () => {
    let named = 0;
    const lives = 25;
    for (let seed = 1; seed <= lives; seed++) {
      const random = seededRandom(seed);
      const suite = suiteOf(() => 0, {
        problems: Array.from({ length: 100 }, (_, index) => ({ id: `p${index}`, input: index })),
        // Every problem is a coin, but for a gain that decides the mean quickly.
        run: ({ input }, { prompts }) =>
          Number(input) < 50 ? Number(prompts.system === 'new') : random() < 0.5 ? 1 : 0,
      });
      const comparison = await compare(suite, V2, { seed });
      if ('loses' in comparison) named++;
    }
    expect(named).toBeLessThan(6);
  });

  it('stops a candidate that solves more by costing twice as much', async () => {
    const random = seededRandom(3);
    const run: SuiteOptions['run'] = (_problem, { prompts }) => {
      const isNew = prompts.system === 'new';
      return { answer: random() < (isNew ? 0.65 : 0.6) ? 1 : 0, costUsd: isNew ? 0.02 : 0.01 };
    };
    const comparison = await compare(
      suiteOf(() => 0, { run }),
      V2,
    );
    expect(comparison).toMatchObject({ kind: 'worse', why: 'guard', guard: 'cost' });
    const allowed = await compare(
      suiteOf(() => 0, { run }),
      V2,
      { guards: { cost: 2.5 }, maxPairs: 100 },
    );
    expect(allowed).not.toHaveProperty('guard');
  });

  it('stops a candidate that uses fifty times the output tokens, or three times the turns, though no cost is stated', async () => {
    const random = seededRandom(3);
    const measured = (more: (isNew: boolean) => object) =>
      suiteOf(() => 0, {
        run: (_problem, { prompts }) => {
          const isNew = prompts.system === 'new';
          return { answer: random() < (isNew ? 0.95 : 0.5) ? 1 : 0, ...more(isNew) };
        },
      });
    const wordy = measured((isNew) => ({ tokens: { input: 100, output: isNew ? 5_000 : 100 } }));
    expect(await compare(wordy, V2)).toMatchObject({ kind: 'worse', why: 'guard', guard: 'tokens' });
    const slow = measured((isNew) => ({ turns: isNew ? 9 : 3 }));
    expect(await compare(slow, V2)).toMatchObject({ kind: 'worse', why: 'guard', guard: 'turns' });
    const same = measured(() => ({ turns: 3, tokens: { input: 100, output: 100 } }));
    expect(await compare(same, V2)).toMatchObject({ kind: 'better' });
  });

  it('counts an answer from a cache once per problem', async () => {
    const run: SuiteOptions['run'] = (_problem, { prompts }) => ({ answer: prompts.system ? 1 : 0, cached: true });
    const comparison = await compare(
      suiteOf(() => 0, { run, problems: PROBLEMS.slice(0, 3) }),
      V2,
    );
    expect(comparison).toMatchObject({ kind: 'unknown', evidence: { pairs: 3, wins: 3 } });
  });

  it('never spends more than allowed, with several runs at the same time', async () => {
    let spent = 0;
    const run: SuiteOptions['run'] = async () => {
      spent += 0.01;
      return { answer: (spent * 100 * 7919) % 2 < 1 ? 1 : 0, costUsd: 0.01 };
    };
    const comparison = await compare(
      suiteOf(() => 0, { run }),
      V2,
      { maxUsd: 0.505, concurrency: 8 },
    );
    expect(comparison).toMatchObject({ kind: 'unknown', why: 'max-usd' });
    expect(spent).toBeLessThanOrEqual(0.505);
    expect(spent).toBeGreaterThan(0.4);
  });

  it('never spends more when runs throw after they were paid', async () => {
    let paid = 0;
    const crashing = (every: number, state: boolean) =>
      suiteOf(() => 0, {
        run: () => {
          paid += 0.02;
          const isCrash = Math.round(paid * 50) % every === 0;
          if (isCrash) throw Object.assign(new Error('the stream broke'), state && { costUsd: 0.02 });
          return { answer: 1, costUsd: 0.02 };
        },
      });
    await compare(crashing(2, false), V2, { maxUsd: 1 });
    expect(paid).toBeLessThanOrEqual(1);
    expect(paid).toBeGreaterThan(0.9);
    paid = 0;
    // Every run crashes, and states what it cost: the first ten show that nothing works.
    const all = await compare(crashing(1, true), V2, { maxUsd: 1 });
    expect(paid).toBeLessThan(0.35);
    expect(all).toMatchObject({ kind: 'unknown', why: 'all-failed', error: 'Error: the stream broke' });
    expect(describeComparison(all)).toContain('v2 is unknown: every run failed (Error: the stream broke).');
    paid = 0;
    await compare(crashing(1, false), V2, { maxUsd: 1 });
    expect(paid).toBeLessThan(0.35);
  });

  it('holds limits on runs, tokens and minutes, and shares a purse', async () => {
    const clock = new ManualClock(0);
    let runs = 0;
    const suite = suiteOf(() => 0, {
      clock,
      run: async () => {
        await clock.advance(6_000);
        return { answer: ++runs % 2, tokens: { input: 80, output: 20 } };
      },
    });
    for (const [budget, why, most] of [
      [{ runs: 31 }, 'max-runs', 31],
      [{ tokens: 2_050 }, 'max-tokens', 20],
      [{ minutes: 4 }, 'max-minutes', 40],
    ] as const) {
      runs = 0;
      expect(await compare(suite, V2, { budget, concurrency: 2 })).toMatchObject({ kind: 'unknown', why });
      expect(runs).toBeLessThanOrEqual(most);
      expect(runs).toBeGreaterThan(most - 3);
    }
    runs = 0;
    const purse = new RunPurse({ runs: 50 }, clock);
    await suite.baseline({ repeats: 2, budget: purse });
    expect(await compare(suite, V2, { budget: purse })).toMatchObject({ why: 'max-runs' });
    expect([runs, purse.spent.runs, purse.spent.tokens]).toEqual([50, 50, 5_000]);
  });

  it('gives the same result for the same seed, however many runs there are at a time', async () => {
    const score = (problem: Problem, version: string) => seededRandom(Number(problem.input) * 7 + version.length)();
    const run: SuiteOptions['run'] = (problem, { prompts }) => score(problem, prompts.system ?? 'older');
    const of = (options: CompareOptions) =>
      compare(
        suiteOf(() => 0, { run }),
        V2,
        { maxPairs: 60, ...options },
      );
    const alone = await of({ concurrency: 1 });
    expect(await of({ concurrency: 16 })).toEqual(alone);
    expect(await of({ seed: 2 })).not.toEqual(alone);
  });

  it('rejects options out of range', async () => {
    const suite = suiteOf(() => 1);
    await expect(compare(suite, V2, { alpha: 1.5 })).rejects.toThrow('alpha is 1.5: give a number above 0 and below 1');
    await expect(compare(suite, V2, { maxPairs: 0 })).rejects.toThrow('maxPairs is 0: give a whole number from 1');
    await expect(compare(suite, V2, { guards: { cost: 0.5 } })).rejects.toThrow('guards.cost is 0.5');
  });
});

describe('a race of several candidates', () => {
  it('ends when one is proven better, and needs more evidence for it', async () => {
    const suite = suiteOf((version) => (version === 'good' ? 0.95 : 0.6));
    const names = ['a', 'b', 'good', 'd'];
    const results = await race(
      suite,
      names.map((name) => ({ name, prompts: { system: name } })),
    );
    expect(results.map(({ candidate }) => candidate)).toEqual(names);
    expect(results[2]).toMatchObject({ kind: 'better', needed: 80 });
    expect(results.filter(({ kind }) => kind === 'better')).toHaveLength(1);
    expect(results[0]?.kind === 'unknown' ? results[0].why : 'other-won').toBe('other-won');
  });
});

describe('a race of many candidates', () => {
  it('runs those that score best more often, and the others less', async () => {
    const suite = suiteOf((version) => (version === 'good' ? 0.75 : 0.6));
    const names = [...Array.from({ length: 15 }, (_, index) => `c${index}`), 'good'];
    const results = await race(
      suite,
      names.map((name) => ({ name, prompts: { system: name } })),
    );
    const pairs = results.map(({ evidence }) => evidence.pairs);
    const winner = results.at(-1);
    expect([winner?.kind, winner?.evidence.pairs]).toEqual(['better', Math.max(...pairs)]);
    expect([...pairs].sort((a, b) => a - b)[7]).toBeLessThan(Math.max(...pairs) / 2);
    expect(Math.min(...pairs)).toBeGreaterThanOrEqual(60);
  });
});

describe('the question whether a candidate is better by a number of points', () => {
  const gaining = (gain: number) => suiteOf((version) => (version === 'new' ? 0.3 + gain : 0.3));

  it('is answered by excluding smaller gains', async () => {
    const much = await compare(gaining(0.5), V2, { betterBy: 0.2 });
    expect(much).toMatchObject({ kind: 'better', by: 0.2 });
    expect(much.gain.low).toBeGreaterThanOrEqual(0.2);
    expect(describeComparison(much)).toMatch(/^v2 is better by more than 20 points\. /);
    const little = await compare(gaining(0.15), V2, { betterBy: 0.2, maxPairs: 300 });
    expect([little.kind, little.evidence.eBetter < 20]).toEqual(['unknown', true]);
    await expect(compare(gaining(0), V2, { betterBy: 1 })).rejects.toThrow(
      'betterBy is 1: give a number from 0 and below 1',
    );
  });

  it('is answered wrongly in at most 5 % of the lives whose gain is exactly that', () => {
    const random = seededRandom(8);
    let wrong = 0;
    for (let life = 0; life < 1_000; life++) {
      const bet = new PairedBet(0.2, { betterBy: 0.2, maxPairs: 300 });
      let highest = 0;
      for (let pair = 0; pair < 300; pair++) {
        bet.add((random() < 0.6 ? 1 : 0) - (random() < 0.4 ? 1 : 0));
        highest = Math.max(highest, bet.evidence.eBetter);
      }
      if (highest >= 20) wrong++;
    }
    expect(wrong).toBeGreaterThan(0);
    expect(wrong / 1_000).toBeLessThanOrEqual(0.05);
  });
});

describe('the question whether a candidate is not worse', () => {
  const steady = (drop: number) =>
    suiteOf((version, problem) => (version === 'new' && problem < drop ? 0 : Number(problem < 15)));

  it('is answered by excluding the loss that matters', async () => {
    const same = await compare(steady(0), V2, { notWorseBy: 0.05 });
    expect(same).toMatchObject({ kind: 'not-worse', by: 0.05, notWorseBy: 0.05, needed: 20 });
    expect(describeComparison(same)).toMatch(/^v2 is not worse by 5 points or more\. (\d\d) % against \1 %/);
    const worse = await compare(steady(5), V2, { notWorseBy: 0.05 });
    expect(worse).toMatchObject({ kind: 'worse', why: 'mean' });
    expect(describeComparison(worse)).toContain('v2 is worse by more than 5 points.');
    const better = await compare(
      suiteOf((version) => (version === 'new' ? 0.95 : 0.5)),
      V2,
      { notWorseBy: 0.02 },
    );
    expect(['better', 'not-worse']).toContain(better.kind);
  });

  it('stays unknown if there are too few pairs, and says how many are needed', async () => {
    const comparison = await compare(
      suiteOf(() => 0.5),
      V2,
      { notWorseBy: 0.02, maxPairs: 60 },
    );
    expect(comparison).toMatchObject({ kind: 'unknown', why: 'max-pairs' });
    expect(describeComparison(comparison)).toMatch(
      /To exclude a loss of 2 points, about \d{4} pairs are needed if the versions are equal/,
    );
    await expect(
      compare(
        suiteOf(() => 0.5),
        V2,
        { notWorseBy: 1 },
      ),
    ).rejects.toThrow('notWorseBy is 1');
  });
});

describe('expectBetter', () => {
  it('passes for a better candidate and fails with the figures otherwise', async () => {
    const better = suiteOf((version) => (version === 'new' ? 0.9 : 0.5));
    await expect(expectBetter(better, V2)).resolves.toMatchObject({ kind: 'better' });
    await expect(
      expectBetter(
        suiteOf(() => 0.5),
        V2,
        { maxPairs: 8 },
      ),
    ).rejects.toThrow(/v2 is unknown: evidence .* in 8 pairs/);
  });

  it('ends with its test, as vitest says', async () => {
    const test = TestRunner.getCurrentTest() as unknown as { context: { signal: AbortSignal } };
    const stop = new AbortController();
    const whole = test.context;
    // Stands for the time limit of this test.
    Object.defineProperty(test, 'context', { configurable: true, value: { ...whole, signal: stop.signal } });
    let runs = 0;
    const run = () => {
      if (++runs === 20) stop.abort();
      return runs % 2;
    };
    const stopped = expectBetter(
      suiteOf(() => 0, { run }),
      V2,
    );
    await expect(stopped).rejects.toThrow('stopped');
    expect(runs).toBeLessThan(30);
  });

  it('has a twin for a cheaper model or a shorter prompt', async () => {
    const sure = suiteOf(() => 1);
    await expect(expectNotWorse(sure, V2, { notWorseBy: 0.05 })).resolves.toMatchObject({ kind: 'not-worse' });
    const worse = suiteOf((version) => (version === 'new' ? 0.5 : 0.9));
    await expect(expectNotWorse(worse, V2, { notWorseBy: 0.05 })).rejects.toThrow('v2 is worse by more than 5 points');
  });
});

describe('a comparison whose runs are kept in files', () => {
  let folder = '';
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('resumes after an interruption without a run being repeated, with the same result', async () => {
    folder = mkdtempSync(join(tmpdir(), 'rsi-'));
    let runs = 0;
    const score = (problem: Problem, version: string) => seededRandom(Number(problem.input) * 7 + version.length)();
    const run: SuiteOptions['run'] = (problem, { prompts }) => {
      runs++;
      return score(problem, prompts.system ?? 'older');
    };
    const whole = await compare(
      suiteOf(() => 0, { run }),
      V2,
      { maxPairs: 40 },
    );
    const runsOfWhole = runs;
    runs = 0;
    const store = new FileRuns(folder);
    for (let cut = 1; cut <= 5; cut++) {
      const stop = new AbortController();
      const stopping: SuiteOptions['run'] = (problem, context) => {
        if (runs >= cut * 7) stop.abort();
        return run(problem, context);
      };
      await compare(
        suiteOf(() => 0, { run: stopping }),
        V2,
        { maxPairs: 40, runs: store, signal: stop.signal },
      );
    }
    expect(
      await compare(
        suiteOf(() => 0, { run }),
        V2,
        { maxPairs: 40, runs: store },
      ),
    ).toEqual(whole);
    expect(runs).toBe(runsOfWhole);
    await store.close();
  });

  it('loses only the torn last line of a killed process, and names a file of another version', async () => {
    folder = mkdtempSync(join(tmpdir(), 'rsi-'));
    const path = join(folder, 'c.jsonl');
    const result = { problemId: 'p', score: 1, durationMs: 5 };
    const runAt = (draw: number) => ({ comparison: 'c', draw, version: 0, result });
    const first = new FileRuns(folder);
    for (const draw of [0, 1, 2]) await first.save(runAt(draw));
    await first.close();
    writeFileSync(path, readFileSync(path).subarray(0, -5));
    const second = new FileRuns(folder);
    await second.save(runAt(3));
    await second.close();
    expect((await second.load('c')).map(({ draw }) => draw)).toEqual([0, 1, 3]);
    expect(await second.load('other')).toEqual([]);

    // Killed while the first line was written.
    writeFileSync(path, readFileSync(path).subarray(5));
    expect((await second.load('c')).map(({ draw }) => draw)).toEqual([0, 1, 3]);

    const { FORMAT } = await import('../../../src/node/format.js');
    const { sealLine } = await import('../../../src/node/line.js');
    writeFileSync(path, `${sealLine(`"format":${FORMAT + 1},"kind":"runs"}`)}\n`);
    await expect(second.load('c')).rejects.toThrow('a newer version wrote it; upgrade rsi-loop');
  });
});
