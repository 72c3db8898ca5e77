import { type BenchRecord, type BenchRun, type BenchRuns, baselineId, comparisonId, race, Suite } from 'rsi-loop/bench';
import { type ImprovementStep, iterate, type Proposal } from 'rsi-loop/improve';
import type { BenchSource } from '../data/bench-source.js';
import { seededRandom } from './random.js';
import type { SimulatedClock } from './simulated-clock.js';

/** Share of each kind of invoice that the simulated agent reads correctly as it is. */
const KINDS: readonly (readonly [kind: string, skill: number])[] = [
  ['one page', 0.95],
  ['two currencies', 0.35],
  ['several tax rates', 0.25],
  ['credit note', 0.5],
  ['scanned', 0.6],
  ['handwritten total', 0.1],
  ['discount', 0.7],
  ['net amounts', 0.45],
];
const PROBLEMS = KINDS.flatMap(([kind, skill]) =>
  Array.from({ length: 4 }, (_, at) => ({
    id: `${kind} ${at + 1}`,
    input: skill,
    expected: 'gross amount',
    split: at % 2 === 0 ? ('open' as const) : ('held-out' as const),
  })),
);

/** Phrases of a prompt, with what they are worth. */
const PHRASES: readonly (readonly [phrase: string, gain: number])[] = [
  ['Check that the amounts add up.', 0.22],
  ['List each tax rate with its amount.', 0.15],
  ['Answer in one word.', -0.3],
  ['You are a world-class accountant.', 0],
];
const [CHECK = '', RATES = '', SHORT = '', FLATTERY = ''] = PHRASES.map(([phrase]) => phrase);

const PROPOSALS: readonly (readonly Proposal[])[] = [
  [
    proposal('flattery', [FLATTERY], 'Confidence helps with handwritten totals.', 0.05),
    proposal('sums', [CHECK], 'Totals are read from the wrong line; sums show which one is right.', 0.15),
  ],
  [
    proposal('short', [CHECK, SHORT], 'Long answers are cut off.', 0.08),
    proposal('rates', [CHECK, RATES], 'Invoices with several tax rates are read as if they had one.', 0.1),
  ],
  [proposal('rates and role', [CHECK, RATES, FLATTERY], 'Tax rates need a list, a role may help.', 0.05)],
];

function proposal(name: string, phrases: readonly string[], hypothesis: string, expectedGain: number): Proposal {
  return { variant: { name, prompts: { system: phrases.join('\n') } }, hypothesis, expectedGain };
}

/** Runs benchmarks and an improvement of a simulated agent, at the time of the clock. */
export async function demoBenchmarks(clock: SimulatedClock, seed: number): Promise<BenchSource> {
  const random = seededRandom(seed);
  const suite = new Suite('invoices', {
    problems: PROBLEMS,
    run: ({ input }, { prompts: { system = '' } }) => {
      clock.pass(1_500);
      const gain = PHRASES.reduce((sum, [phrase, one]) => sum + (system.includes(phrase) ? one : 0), 0);
      if (random() < Number(input) + gain) return { answer: 1, costUsd: 0.004, tokens: { input: 900, output: 60 } };
      throw new Error('expected the gross amount, the total is the net amount');
    },
    score: Number,
    clock,
  });
  const finished = new Lists<BenchRun>();
  const log = new Lists<ImprovementStep>();
  const runs: BenchRuns = { load: (id) => finished.load(id), save: (run) => finished.add(run.comparison, run) };
  const records: BenchRecord[] = [];
  const limits = { runs, concurrency: 1 };

  const began = clock.now();
  const baseline = await suite.baseline({ ...limits, seed: began });
  const problems = Object.fromEntries(baseline.problems.map(({ problemId, score }) => [problemId, score]));
  const { score, costUsd } = baseline;
  records.push({
    ...{ seed: began, atMs: began, suite: suite.name, action: 'baseline', candidates: [] },
    runs: baselineId(suite, { seed: began }),
    end: { seed: began, atMs: clock.now(), score, problems, costUsd },
  });

  const next = clock.now();
  const candidates = [
    { name: 'rates', prompts: { system: RATES } },
    { name: 'short', prompts: { system: SHORT } },
  ];
  const comparisons = await race(suite, candidates, { ...limits, seed: next });
  records.push({
    ...{ seed: next, atMs: next, suite: suite.name, action: 'compare', candidates },
    runs: comparisonId(suite, candidates, { seed: next }),
    end: { seed: next, atMs: clock.now(), comparisons },
  });

  const propose = ({ round }: { readonly round: number }) => PROPOSALS[round - 1] ?? [];
  await iterate(suite, { ...limits, propose, rounds: PROPOSALS.length, draftSteps: 1, log });
  return {
    name: 'memory',
    history: { list: async () => records },
    runs,
    log,
    decide: async (version, kind, deciding) => {
      const [id = ''] = await log.list();
      const spent = { runs: 0, usd: 0, tokens: 0, minutes: 0 };
      const decided = kind === 'approve' ? 'approved' : 'rejected';
      await log.add(id, { kind: decided, version, ...deciding, atMs: clock.now(), spent });
    },
    size: async () => records.length + log.size,
  };
}

/** Lists by id, in memory. */
class Lists<Value> {
  readonly #lists = new Map<string, Value[]>();

  /** Values of all lists. */
  get size(): number {
    return [...this.#lists.values()].reduce((sum, { length }) => sum + length, 0);
  }

  async list(): Promise<readonly string[]> {
    return [...this.#lists.keys()];
  }

  async load(id: string): Promise<readonly Value[]> {
    return this.#lists.get(id) ?? [];
  }

  async add(id: string, value: Value): Promise<void> {
    const list = this.#lists.get(id) ?? [];
    list.push(value);
    this.#lists.set(id, list);
  }
}
