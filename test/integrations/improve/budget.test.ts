import { Suite } from 'rsi-loop/bench';
import { describe, expect, it } from 'vitest';
import { MemoryRuns } from '../../../integrations/bench/memory-runs.js';
import type { ImproveOptions, ImproveProgress } from '../../../integrations/improve/improve-options.js';
import type { ImprovementStep } from '../../../integrations/improve/improvement-step.js';
import { iterate } from '../../../integrations/improve/iterate.js';
import { MemoryLog } from '../../../integrations/improve/memory-log.js';
import type { Propose } from '../../../integrations/improve/proposal.js';
import { seededRandom } from '../../../src/lib/random.js';
import { ManualClock } from '../../../src/testing/manual-clock.js';

/** Agent that takes six seconds and 100 tokens for each run, and solves more with care. */
function agent() {
  const clock = new ManualClock(0);
  const random = seededRandom(4);
  let runs = 0;
  const suite = new Suite('budgeted', {
    problems: Array.from({ length: 40 }, (_, index) => ({
      id: `p${index}`,
      input: index,
      split: index % 2 === 0 ? ('open' as const) : ('held-out' as const),
    })),
    run: async (_, { prompts: { system = '' } }) => {
      runs++;
      await clock.advance(6_000);
      const skill = system.includes('Care') ? 0.85 : 0.35;
      return { answer: random() < skill ? 1 : 0, tokens: { input: 80, output: 20 }, costUsd: 0.01 };
    },
    score: Number,
    clock,
  });
  return { suite, runs: () => runs };
}

let words = 0;
const propose: Propose = ({ draft }) => [
  {
    variant: { name: `word ${++words}`, prompts: { system: `${draft.prompts?.system} Word${words}.` } },
    hypothesis: 'words help',
  },
  {
    variant: { name: 'care', prompts: { system: `${draft.prompts?.system} Care.` } },
    hypothesis: 'care helps',
    expectedGain: 0.4,
  },
];
const OPTIONS = { propose, start: { prompts: { system: 'Solve.' } }, concurrency: 1, rounds: 50, patience: 50 };

describe('the budget of an improvement', () => {
  it.each<[ImproveOptions['budget'] & object, string, number]>([
    [{ runs: 700 }, 'max-runs', 700],
    [{ usd: 6 }, 'max-usd', 600],
    [{ tokens: 50_000 }, 'max-tokens', 500],
    [{ minutes: 40 }, 'max-minutes', 400],
    [{ minutes: 1_000, runs: 300, usd: 100 }, 'max-runs', 300],
  ])('%j ends it, and leaves enough for a proof', async (budget, ended, most) => {
    const { suite, runs } = agent();
    const end = await iterate(suite, { ...OPTIONS, budget });
    expect(end.ended).toBe(ended);
    expect(runs()).toBeLessThanOrEqual(most);
    expect(runs()).toBeGreaterThan(most * 0.7);
    expect(end.spent).toEqual({
      runs: runs(),
      usd: expect.closeTo(runs() / 100),
      tokens: runs() * 100,
      minutes: expect.closeTo(runs() / 10),
    });
    expect(end.best.prompts?.system).toContain('Care.');
  });

  it('holds over an interruption, and a higher one continues', async () => {
    const { suite, runs } = agent();
    const kept = { runs: new MemoryRuns(), log: new MemoryLog() };
    const stop = new AbortController();
    const onProgress = ({ spent }: ImproveProgress) => spent.runs === 150 && stop.abort();
    const first = await iterate(suite, {
      ...OPTIONS,
      ...kept,
      budget: { minutes: 30 },
      signal: stop.signal,
      onProgress,
    });
    expect([first.ended, runs()]).toEqual(['stopped', 150]);
    const second = await iterate(suite, { ...OPTIONS, ...kept, budget: { minutes: 30 } });
    const paid = runs();
    expect([second.ended, Math.abs(paid - 300) < 2]).toEqual(['max-minutes', true]);
    expect((await iterate(suite, { ...OPTIONS, ...kept, budget: { minutes: 30 } })).spent).toEqual(second.spent);
    expect(runs()).toBe(paid);
    const third = await iterate(suite, { ...OPTIONS, ...kept, budget: { runs: 400 } });
    expect(third.ended).toBe('max-runs');
    expect(runs()).toBeGreaterThan(350);
    expect(runs()).toBeLessThanOrEqual(400);
  });

  it.each([
    [{ runs: -1 }, 'budget.runs is -1: give a number above 0'],
    [{ usd: Number.NaN }, 'budget.usd is NaN: give a number above 0'],
    [{ dollars: 5 } as object, 'budget.dollars is 5: give one of budget.usd, runs, tokens and minutes'],
  ])('says what is wrong with %j', async (budget, message) => {
    await expect(iterate(agent().suite, { ...OPTIONS, budget })).rejects.toThrow(message);
  });
});

describe('an improvement in progress', () => {
  it('reports each step with the time and its use of the budget, and each run for a progress bar', async () => {
    const steps: ImprovementStep[] = [];
    const progress: ImproveProgress[] = [];
    const { suite, runs } = agent();
    const { spent } = await iterate(suite, {
      ...OPTIONS,
      rounds: 1,
      draftSteps: 2,
      onStep: (step) => steps.push(step),
      onProgress: (one) => progress.push(one),
    });
    const step = ['measured', 'planned', 'scored'];
    const proof = ['drafted', 'decided'];
    const shortened = ['planned', 'scored', ...proof];
    expect(steps.map(({ kind }) => kind)).toEqual(['started', ...step, ...step, ...proof, ...shortened, 'ended']);
    const sum = steps.reduce((total, one) => total + one.spent.runs, 0);
    expect([sum, spent.runs, progress.length]).toEqual([runs(), runs(), runs()]);
    const measured = progress.filter((one) => one.step === 'measured');
    expect(measured.map(({ done }) => done)).toEqual([...Array(80)].map((_, index) => (index % 40) + 1));
    expect(new Set(measured.map(({ of }) => of))).toEqual(new Set([40]));
    expect(progress.every(({ done, of }) => done <= of)).toBe(true);
  });

  it('keeps the expected gain of each hypothesis beside the real one', async () => {
    const { rounds } = await iterate(agent().suite, { ...OPTIONS, rounds: 1 });
    const { forecast, comparison } = rounds[0] ?? {};
    const care = forecast?.hypotheses.find(({ hypothesis }) => hypothesis === 'care helps');
    expect(care).toMatchObject({ expectedGain: 0.4 });
    expect(care?.estimatedGain).toBeGreaterThan(0.2);
    expect(forecast?.measured).toEqual(comparison?.gain);
    expect(forecast?.measured.low).toBeGreaterThan(0);
    // Words have no expected gain, so the draft has none if it contains one.
    expect(forecast?.expected).toBe(forecast?.hypotheses.length === 1 ? 0.4 : undefined);
  });

  it('keeps what a proposer returns while it is stopped, and asks once', async () => {
    const stop = new AbortController();
    let asked = 0;
    const slow: Propose = (request) => {
      asked++;
      stop.abort();
      return propose(request);
    };
    const kept = { runs: new MemoryRuns(), log: new MemoryLog() };
    const { suite } = agent();
    const options = { ...OPTIONS, ...kept, rounds: 1, draftSteps: 1 };
    const first = await iterate(suite, { ...options, propose: slow, signal: stop.signal });
    expect([first.ended, first.current.planned?.proposals.length]).toEqual(['stopped', 2]);
    const second = await iterate(suite, { ...options, propose: slow });
    expect([second.ended, asked, second.tried.length]).toEqual(['rounds', 1, 2]);
  });

  it('loses nothing when a proposer throws', async () => {
    const kept = { runs: new MemoryRuns(), log: new MemoryLog() };
    const { suite, runs } = agent();
    const broken: Propose = () => Promise.reject(new Error('no model'));
    await expect(iterate(suite, { ...OPTIONS, ...kept, propose: broken })).rejects.toThrow('no model');
    const paid = runs();
    const steps: ImprovementStep[] = [];
    const onStep = (step: ImprovementStep) => steps.push(step);
    const { archive, spent } = await iterate(suite, { ...OPTIONS, ...kept, rounds: 1, draftSteps: 1, onStep });
    expect(archive[0]?.parents).toEqual([]);
    expect(steps.map(({ kind }) => kind)).not.toContain('measured');
    expect(steps.reduce((sum, one) => sum + one.spent.runs, paid)).toBe(spent.runs);
  });
});
