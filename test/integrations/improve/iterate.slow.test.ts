import { Suite, type Variant } from 'rsi-loop/bench';
import { describe, expect, it } from 'vitest';
import { MemoryRuns } from '../../../integrations/bench/memory-runs.js';
import { proposer } from '../../../integrations/improve/ask-model.js';
import type { ImproveOptions } from '../../../integrations/improve/improve-options.js';
import type { ImprovementStep } from '../../../integrations/improve/improvement-step.js';
import { iterate } from '../../../integrations/improve/iterate.js';
import { MemoryLog } from '../../../integrations/improve/memory-log.js';
import type { ProposalRequest, Propose } from '../../../integrations/improve/proposal.js';
import { seededRandom } from '../../../src/lib/random.js';
import { ManualClock } from '../../../src/testing/manual-clock.js';
import { ScriptedModel } from '../../../src/testing/scripted-model.js';

const PROBLEMS = Array.from({ length: 40 }, (_, index) => ({
  id: `p${index}`,
  input: index,
  split: index % 2 === 0 ? ('open' as const) : ('held-out' as const),
}));

/** An agent whose skill depends on its prompts: care and examples help, haste harms, decoration does nothing. */
function skillOf({ prompts = {} }: Variant, isOpen: boolean): number {
  if (prompts.system === 'memorised') return isOpen ? 1 : 0.4;
  const care = prompts.system === 'careful' ? 0.25 : prompts.system === 'hasty' ? -0.25 : 0;
  return 0.5 + care + (prompts.tools === 'with examples' ? 0.2 : 0);
}

function agent(): { readonly suite: Suite; readonly runs: () => number } {
  const random = seededRandom(11);
  let runs = 0;
  const suite = new Suite('simulated', {
    problems: PROBLEMS,
    run: ({ split }, { prompts }) => {
      runs++;
      return { answer: random() < skillOf({ prompts }, split === 'open') ? 1 : 0, costUsd: 0.01 };
    },
    score: Number,
    clock: new ManualClock(0),
  });
  return { suite, runs: () => runs };
}

const candidate = (name: string, prompts: Record<string, string>) => ({
  variant: { name, prompts },
  hypothesis: `${name} helps`,
  expectedGain: 0.1,
});

const ROUNDS = [
  [candidate('hasty', { system: 'hasty' }), candidate('memorised', { system: 'memorised' })],
  [candidate('decorated', { system: 'decorated' }), candidate('careful', { system: 'careful' })],
  [candidate('with examples', { tools: 'with examples' })],
];

/** Proposes what the script says for the round, and keeps what it was asked. */
function scripted(asked: ProposalRequest[] = []): Propose {
  return (request) => {
    asked.push({ ...request, tried: [...request.tried] });
    return ROUNDS[request.round - 1] ?? [];
  };
}

/** One step per draft: the script has one list of candidates per round. */
const STEPWISE = { draftSteps: 1, repeats: 6 };

describe('an improvement', () => {
  it('keeps what is proven on the held-out half, and builds on it', async () => {
    const { best, rounds, tried, ended } = await iterate(agent().suite, { propose: scripted(), ...STEPWISE });
    expect(best.prompts).toEqual({ system: 'careful', tools: 'with examples' });
    expect(rounds.map(({ comparison, isKept }) => [comparison?.candidate, isKept])).toEqual([
      ['memorised', false],
      ['careful', true],
      ['with examples', true],
    ]);
    expect(ended).toBe('no-proposals');
    // A prompt that only solves the problems it has seen scores high there, and is not kept.
    expect(tried[1]).toMatchObject({ variant: { name: 'memorised' }, score: 1, isChosen: true, round: 1 });
    expect(tried[0]).toMatchObject({ variant: { name: 'hasty' }, isChosen: false });
    // The expected gain is shown with the measured one.
    expect(tried.at(-1)).toMatchObject({ hypothesis: 'with examples helps', expectedGain: 0.1 });
    expect(rounds[2]?.comparison?.gain.low).toBeGreaterThan(0);
  });

  it('runs candidates that change files, and joins the files of those that help', async () => {
    const random = seededRandom(5);
    const suite = new Suite('files', {
      problems: PROBLEMS,
      run: (_, { code }) =>
        random() < 0.3 + 0.3 * Object.values(code).filter((text) => text === 'good').length ? 1 : 0,
      score: Number,
      clock: new ManualClock(0),
    });
    const ideas = [{ 'src/a.js': 'good' }, { 'src/b.js': 'good', 'src/old.js': null }, { 'src/a.js': 'bad' }];
    const propose = () => ideas.splice(0, 1).map((code) => ({ variant: { code }, hypothesis: 'it helps' }));
    const { best } = await iterate(suite, { propose, ...STEPWISE });
    expect(best.code).toEqual({ 'src/a.js': 'good', 'src/b.js': 'good', 'src/old.js': null });
  });

  it('collects candidates in a draft and proves them together', async () => {
    const steps = [...ROUNDS.slice(1)];
    const propose: Propose = () => steps.shift() ?? [];
    const { best, rounds } = await iterate(agent().suite, { propose, draftSteps: 2, repeats: 6 });
    expect(rounds).toHaveLength(1);
    expect(rounds[0]?.comparison).toMatchObject({ kind: 'better' });
    expect(best.prompts).toEqual({ system: 'careful', tools: 'with examples' });
  });

  it('keeps why a candidate failed, so that the next one can avoid it', async () => {
    const suite = new Suite('failing', {
      problems: PROBLEMS,
      run: (_, { prompts }) => {
        if (prompts.system !== undefined) throw new Error('this model is unknown');
        return 0.5;
      },
      score: Number,
    });
    const propose: Propose = ({ tried }) => (tried.length > 0 ? [] : [candidate('broken', { system: 'x' })]);
    const { tried } = await iterate(suite, { propose });
    expect(tried).toMatchObject([{ score: 0, error: 'Error: this model is unknown', isChosen: false }]);
  });

  it('compares nothing when no candidate scores more', async () => {
    const propose: Propose = () => [candidate('hasty', { system: 'hasty' })];
    const { rounds, best } = await iterate(agent().suite, { propose, ...STEPWISE, patience: 2 });
    expect(rounds).toMatchObject([1, 2].map((round) => ({ round, draft: {}, isKept: false })));
    expect(best).toEqual({});
  });

  it('shows a proposer the failures of the open half, the draft and what was tried, and nothing else', async () => {
    const asked: ProposalRequest[] = [];
    await iterate(agent().suite, { propose: scripted(asked), ...STEPWISE });
    expect(asked).toHaveLength(4);
    expect(asked[0]?.draft).toEqual({});
    expect(asked[0]?.failures.length).toBeGreaterThan(5);
    expect(asked[2]?.draft.prompts).toEqual({ system: 'careful' });
    expect(asked[2]?.score).toBeGreaterThan(asked[0]?.score ?? 1);
    expect(asked[2]?.tried.map(({ variant }) => variant.name)).toEqual(['hasty', 'memorised', 'decorated', 'careful']);
    const heldOut = new Set(PROBLEMS.flatMap(({ id, split }) => (split === 'held-out' ? [id] : [])));
    const seen = asked.flatMap(({ failures }) => failures.map(({ problem }) => problem.id));
    expect(seen.filter((id) => heldOut.has(id))).toEqual([]);
  });

  it('continues after an end at any run, and repeats no run and no proposal', async () => {
    const options = { ...STEPWISE, concurrency: 1 };
    const whole = agent();
    const uninterrupted = await iterate(whole.suite, { propose: scripted(), ...options });
    for (const at of [1, 60, 130, 170, 200, 400, 520]) {
      const interrupted = agent();
      const kept = { runs: new MemoryRuns(), log: new MemoryLog() };
      const asked: ProposalRequest[] = [];
      const stop = new AbortController();
      const save = kept.runs.save.bind(kept.runs);
      kept.runs.save = async (run) => {
        await save(run);
        if (interrupted.runs() === at) stop.abort();
      };
      const propose = scripted(asked);
      const first = await iterate(interrupted.suite, { propose, signal: stop.signal, ...options, ...kept });
      expect(first.ended).toBe('stopped');
      const second = await iterate(interrupted.suite, { propose, ...options, ...kept });
      expect({ ...second, spent: 0 }).toEqual({ ...uninterrupted, spent: 0 });
      expect(second.spent.usd).toBeCloseTo(uninterrupted.spent.usd);
      expect(second.spent.runs).toBe(whole.runs());
      expect(interrupted.runs(), `ended at run ${at}`).toBe(whole.runs());
      expect(asked.map(({ round }) => round)).toEqual([1, 2, 3, 4]);
    }
  });

  it.each([90, 260, 800])('makes the same choices after an end at run %i', async (at) => {
    const words = Array.from({ length: 12 }, (_, index) => `Word${index}.`);
    const solve = ({ prompts = {} }: Variant, draw: number) =>
      draw < 0.3 + 0.06 * (prompts.system?.match(/Word[0-4]\./g) ?? []).length;
    const life = () => {
      const random = seededRandom(6);
      let runs = 0;
      const suite = new Suite('words', {
        problems: PROBLEMS,
        run: (_, { prompts }) => (++runs && solve({ prompts }, random()) ? 1 : 0),
        score: Number,
        clock: new ManualClock(0),
      });
      return { suite, runs: () => runs };
    };
    const propose: Propose = ({ draft, tried }) =>
      words.slice(tried.length % 12, (tried.length % 12) + 2).map((word) => ({
        variant: { prompts: { system: `${draft.prompts?.system} ${word}` } },
        hypothesis: word,
      }));
    const options = { start: { prompts: { system: 'Solve.' } }, draftSteps: 6, rounds: 2, repeats: 1, concurrency: 1 };
    const whole = life();
    const uninterrupted = await iterate(whole.suite, { propose, ...options, comparison: { maxPairs: 100 } });

    const interrupted = life();
    const kept = { runs: new MemoryRuns(), log: new MemoryLog() };
    const stop = new AbortController();
    const onProgress = () => interrupted.runs() === at && stop.abort();
    const both = { propose, ...options, comparison: { maxPairs: 100 }, ...kept };
    expect((await iterate(interrupted.suite, { ...both, signal: stop.signal, onProgress })).ended).toBe('stopped');
    const second = await iterate(interrupted.suite, both);
    expect({ ...second, spent: 0 }).toEqual({ ...uninterrupted, spent: 0 });
    expect(interrupted.runs()).toBe(whole.runs());
    // Some candidates were proposed for versions that are neither the best one nor the draft.
    expect(new Set(second.tried.map(({ parent }) => parent)).size).toBeGreaterThan(3);
    expect(
      second.archive.every(({ parents }, index) => (index === 0 ? parents.length === 0 : parents.length > 0)),
    ).toBe(true);
  });

  it('ends after rounds without a gain, at the target, and before it costs too much', async () => {
    const useless = () => [candidate('decorated', { system: 'decorated' })];
    const bored = await iterate(agent().suite, { propose: useless, patience: 2, comparison: { maxPairs: 20 } });
    expect(bored).toMatchObject({ ended: 'no-gain', best: {} });
    expect(bored.rounds).toHaveLength(2);
    const good = await iterate(agent().suite, { propose: scripted(), target: 0.3 });
    expect(good).toMatchObject({ ended: 'target', rounds: [], tried: [] });
    const poor = await iterate(agent().suite, { propose: scripted(), budget: { usd: 1.2 } });
    expect(poor.ended).toBe('max-usd');
    expect(poor.spent.usd).toBeLessThanOrEqual(1.2);
    expect(poor.spent.usd).toBeGreaterThan(1);
  });

  it.each<[Partial<ImproveOptions>, string]>([
    [{ rounds: 0 }, 'rounds is 0: give a whole number from 1'],
    [{ draftSteps: 0 }, 'draftSteps is 0: give a whole number from 1'],
    [{ alpha: 1 }, 'alpha is 1: give a number above 0 and below 1'],
    [{ patience: 0.5 }, 'patience is 0.5: give a whole number from 1'],
    [{ target: 2 }, 'target is 2: give a number from 0 to 1'],
    [{ budget: { runs: 0 } }, 'budget.runs is 0: give a number above 0'],
  ])('says what is wrong with %j', async (options, message) => {
    await expect(iterate(agent().suite, { propose: () => [], ...options })).rejects.toThrow(message);
  });

  it('goes on with the next round when a model answers in prose or is down, and keeps its error', async () => {
    const { suite } = agent();
    const answer = {
      candidates: [
        { name: 'careful', hypothesis: 'Care helps.', expectedGain: 0.2, texts: [{ name: 'system', text: 'careful' }] },
      ],
    };
    const model = new ScriptedModel(['Sure, I can help!', { kind: 'down' }, { kind: 'json', json: answer }]);
    const steps: ImprovementStep[] = [];
    const { rounds } = await iterate(suite, {
      ...STEPWISE,
      propose: proposer(model, { texts: { system: '' } }),
      rounds: 3,
      onStep: (step) => steps.push(step),
    });
    expect(rounds.map(({ isKept }) => isKept)).toEqual([false, false, true]);
    expect(steps.flatMap((step) => (step.kind === 'planned' ? (step.problem ?? 'none') : []))).toEqual([
      'scripted: the answer is not valid JSON (17 characters)',
      'scripted is down',
      'none',
    ]);
    await expect(iterate(suite, { propose: () => Promise.reject(new TypeError('a mistake')) })).rejects.toThrow(
      'a mistake',
    );
  });

  it('ends as stopped when a signal interrupts the proposer', async () => {
    const { suite } = agent();
    const stop = new AbortController();
    const propose = proposer(new ScriptedModel([{ kind: 'slow' }]), { texts: { system: '' } });
    const improving = iterate(suite, {
      ...STEPWISE,
      propose: (request) => {
        queueMicrotask(() => stop.abort());
        return propose(request);
      },
      signal: stop.signal,
    });
    expect((await improving).ended).toBe('stopped');
  });

  it('needs problems in both halves', async () => {
    const suite = new Suite('one', { problems: [{ id: 'p', input: 1, split: 'open' }], run: () => 1, score: Number });
    await expect(iterate(suite, { propose: () => [] })).rejects.toThrow(
      'no problem of one is held-out: set "split" of some, or give more problems',
    );
  });
});
