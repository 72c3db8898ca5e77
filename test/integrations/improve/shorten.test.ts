import { Suite } from 'rsi-loop/bench';
import { describe, expect, it } from 'vitest';
import { MemoryRuns } from '../../../integrations/bench/memory-runs.js';
import type { ImproveOptions, ImproveProgress } from '../../../integrations/improve/improve-options.js';
import { iterate } from '../../../integrations/improve/iterate.js';
import { MemoryLog } from '../../../integrations/improve/memory-log.js';
import type { Proposal } from '../../../integrations/improve/proposal.js';
import { seededRandom } from '../../../src/lib/random.js';
import { ManualClock } from '../../../src/testing/manual-clock.js';

/** Agent that solves more for each of the given sentences in its prompt, and that other sentences do not change. */
function agent(gains: Readonly<Record<string, number>>) {
  const random = seededRandom(3);
  let runs = 0;
  const suite = new Suite('sentences', {
    problems: Array.from({ length: 40 }, (_, index) => ({
      id: `p${index}`,
      input: index,
      split: index % 2 === 0 ? ('open' as const) : ('held-out' as const),
    })),
    run: (_, { prompts: { system = '' } }) => {
      runs++;
      const gain = Object.entries(gains).reduce((sum, [text, one]) => sum + (system.includes(text) ? one : 0), 0);
      return random() < 0.3 + gain ? 1 : 0;
    },
    score: Number,
    clock: new ManualClock(0),
  });
  return { suite, runs: () => runs };
}

const USEFUL = 'Check the total.';
const POLITE = ['Be polite.', 'Smile.', 'Think of the user.', 'Stay calm.', 'Take pride in it.', 'Be kind.'];

const START = { prompts: { system: 'Solve it.' } };
const OPTIONS = { start: START, rounds: 1, draftSteps: 1, concurrency: 1 };

/** Proposes all sentences together, in the first step. */
function proposing(sentences: readonly string[]): ImproveOptions['propose'] {
  return ({ tried }): readonly Proposal[] =>
    tried.length > 0
      ? []
      : sentences.map((text) => ({
          variant: { name: text, prompts: { system: `Solve it. ${text}` } },
          hypothesis: `"${text}" helps`,
        }));
}

describe('a draft that is proven', () => {
  it('loses the sentences that do nothing, and its reasons name only what it contains', async () => {
    const { suite } = agent({ [USEFUL]: 0.5 });
    const { best, archive, rounds } = await iterate(suite, { ...OPTIONS, propose: proposing([...POLITE, USEFUL]) });
    const [whole, ...shorter] = rounds;
    expect([whole?.isKept, whole?.shortens]).toEqual([true, undefined]);
    expect(POLITE.filter((text) => whole?.draft.prompts?.system?.includes(text)).length).toBeGreaterThan(1);
    expect(best.prompts?.system).toBe(`Solve it. ${USEFUL}`);
    expect(shorter.at(-1)).toMatchObject({
      isKept: true,
      draft: { prompts: best.prompts },
      shortens: { version: whole?.version, gain: whole?.comparison?.gain.low },
      comparison: { kind: 'better', by: whole?.comparison?.gain.low },
    });
    const kept = archive.find(({ id }) => id === shorter.at(-1)?.version);
    expect(kept?.hypotheses).toEqual([{ hypothesis: `"${USEFUL}" helps` }]);
    expect(best.name).toBe(USEFUL);
  });

  it('stays whole if each of its sentences helps', async () => {
    const gains = { 'Check the total.': 0.3, 'Name the currency.': 0.35 };
    const { best, rounds } = await iterate(agent(gains).suite, { ...OPTIONS, propose: proposing(Object.keys(gains)) });
    expect(rounds.map(({ isKept }) => isKept)).toEqual([true]);
    expect(Object.keys(gains).every((text) => best.prompts?.system?.includes(text))).toBe(true);
  });

  it('is shortened in the same way after an interruption, and no run is paid twice', async () => {
    const whole = agent({ [USEFUL]: 0.5 });
    const steady = await iterate(whole.suite, { ...OPTIONS, propose: proposing([...POLITE, USEFUL]) });
    const { suite, runs } = agent({ [USEFUL]: 0.5 });
    const kept = { runs: new MemoryRuns(), log: new MemoryLog() };
    let ended = 'stopped';
    for (let at = 400; ended === 'stopped'; at += 150) {
      const stop = new AbortController();
      const onProgress = ({ spent }: ImproveProgress) => spent.runs >= at && stop.abort();
      const propose = proposing([...POLITE, USEFUL]);
      ({ ended } = await iterate(suite, { ...OPTIONS, ...kept, propose, signal: stop.signal, onProgress }));
    }
    expect(runs()).toBe(whole.runs());
    const again = await iterate(suite, { ...OPTIONS, ...kept, propose: proposing([]) });
    expect(again.best).toEqual(steady.best);
    expect(runs()).toBe(whole.runs());
  });
});
