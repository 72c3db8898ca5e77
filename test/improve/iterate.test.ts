import { Suite, type Variant } from 'rsi-loop/bench';
import { describe, expect, it } from 'vitest';
import { MemoryRuns } from '../../src/bench/memory-runs.js';
import { type ImproveOptions, iterate } from '../../src/improve/iterate.js';
import { MemoryLog } from '../../src/improve/memory-log.js';
import type { ProposalRequest, Propose } from '../../src/improve/proposal.js';
import { seededRandom } from '../../src/lib/random.js';
import { ManualClock } from '../../src/testing/manual-clock.js';

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
    // The expected gain stands beside the measured one.
    expect(tried.at(-1)).toMatchObject({ hypothesis: 'with examples helps', expectedGain: 0.1 });
    expect(rounds[2]?.comparison?.gain.low).toBeGreaterThan(0);
  });

  it('collects candidates in a draft and proves them together', async () => {
    const steps = [...ROUNDS.slice(1)];
    const propose: Propose = () => steps.shift() ?? [];
    const { best, rounds } = await iterate(agent().suite, { propose, draftSteps: 2, repeats: 6 });
    expect(rounds).toHaveLength(1);
    expect(rounds[0]?.comparison).toMatchObject({ kind: 'better' });
    expect(best.prompts).toEqual({ system: 'careful', tools: 'with examples' });
  });

  it('compares nothing when no candidate scores more', async () => {
    const propose: Propose = () => [candidate('hasty', { system: 'hasty' })];
    const { rounds, best } = await iterate(agent().suite, { propose, ...STEPWISE, patience: 2 });
    expect(rounds).toEqual([1, 2].map((round) => ({ round, draft: {}, isKept: false })));
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

  it.each([1, 60, 130, 170, 200, 400, 520])(
    'continues after an end at run %i, and repeats no run and no proposal',
    async (at) => {
      const options = { ...STEPWISE, concurrency: 1 };
      const whole = agent();
      const uninterrupted = await iterate(whole.suite, { propose: scripted(), ...options });

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
      expect({ ...second, costUsd: 0 }).toEqual({ ...uninterrupted, costUsd: 0 });
      expect(second.costUsd).toBeCloseTo(uninterrupted.costUsd);
      expect(interrupted.runs()).toBe(whole.runs());
      expect(asked.map(({ round }) => round)).toEqual([1, 2, 3, 4]);
    },
  );

  it('ends after rounds without a gain, at the target, and before it costs too much', async () => {
    const useless = () => [candidate('decorated', { system: 'decorated' })];
    const bored = await iterate(agent().suite, { propose: useless, patience: 2, comparison: { maxPairs: 20 } });
    expect(bored).toMatchObject({ ended: 'no-gain', best: {} });
    expect(bored.rounds).toHaveLength(2);
    const good = await iterate(agent().suite, { propose: scripted(), target: 0.3 });
    expect(good).toMatchObject({ ended: 'target', rounds: [], tried: [] });
    const poor = await iterate(agent().suite, { propose: scripted(), maxUsd: 1.2 });
    expect(poor.ended).toBe('max-usd');
    expect(poor.costUsd).toBeLessThanOrEqual(1.2);
    expect(poor.costUsd).toBeGreaterThan(1);
  });

  it.each<[Partial<ImproveOptions>, string]>([
    [{ rounds: 0 }, 'rounds is 0: give a whole number from 1'],
    [{ draftSteps: 0 }, 'draftSteps is 0: give a whole number from 1'],
    [{ alpha: 1 }, 'alpha is 1: give a number above 0 and below 1'],
    [{ patience: 0.5 }, 'patience is 0.5: give a whole number from 1'],
    [{ target: 2 }, 'target is 2: give a number from 0 to 1'],
  ])('says what is wrong with %j', async (options, message) => {
    await expect(iterate(agent().suite, { propose: () => [], ...options })).rejects.toThrow(message);
  });

  it('needs problems in both halves', async () => {
    const suite = new Suite('one', { problems: [{ id: 'p', input: 1, split: 'open' }], run: () => 1, score: Number });
    await expect(iterate(suite, { propose: () => [] })).rejects.toThrow(
      'no problem of one is held-out: set "split" of some, or give more problems',
    );
  });
});
