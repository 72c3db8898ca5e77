import { type Dimension, type Localization, localize } from '../../src/analyze/localize.js';
import { type Random, seededRandom } from '../../src/lib/random.js';
import type { Outcome, OutcomeId } from '../../src/records.js';

const DIMENSIONS = ['model', 'tool', 'source', 'task', 'agent'] as const satisfies readonly Dimension[];
const VALUES = 5;
const BASE_RATE = 0.05;

export type InjectedCause = Readonly<Partial<Record<Dimension, string>>>;

export interface World {
  readonly causes: readonly InjectedCause[];
  readonly outcomes: readonly Outcome[];
}

export interface WorldOptions {
  readonly outcomes?: number;
  readonly causes?: number;
  /** Failure rate everywhere that no cause covers. */
  readonly baseRate?: number;
  /** Failure rate inside a cause. */
  readonly causeRate?: (random: Random) => number;
}

/** Five dimensions of five values each, drawn evenly; causes of one to three dimensions, none inside another. */
export function makeWorld(seed: number, options: WorldOptions = {}): World {
  const random = seededRandom(seed);
  const pick = (below: number) => Math.floor(random() * below);
  const causes: InjectedCause[] = [];
  while (causes.length < (options.causes ?? 0)) {
    const cause = makeCause(pick);
    if (!causes.some((other) => includes(cause, other) || includes(other, cause))) causes.push(cause);
  }
  const rates = causes.map(() => options.causeRate?.(random) ?? 0.6);
  const outcomes = Array.from({ length: options.outcomes ?? 2_000 }, (_, index): Outcome => {
    const fields = Object.fromEntries(DIMENSIONS.map((dimension) => [dimension, `${dimension}-${pick(VALUES)}`]));
    const rate = causes.reduce(
      (highest, cause, at) => (includes(fields, cause) ? Math.max(highest, rates[at] ?? 0) : highest),
      options.baseRate ?? BASE_RATE,
    );
    const success = random() >= rate;
    return {
      id: String(index) as OutcomeId, // made up here, so no maker brands it
      task: '',
      source: '',
      atMs: index * 1000,
      ...fields,
      success,
      issues: success ? [] : ['timeout'],
    };
  });
  return { causes, outcomes };
}

export function run(world: World): Localization {
  return localize(world.outcomes, { dimensions: DIMENSIONS });
}

/** Causes injected, causes named, and those named exactly right. */
export interface Score {
  readonly injected: number;
  readonly named: number;
  readonly right: number;
}

export function score(world: World, answer: Localization): Score {
  const named = answer.kind === 'causes' ? answer.causes.map(({ where }) => where) : [];
  const right = named.filter((where) => world.causes.some((cause) => includes(where, cause) && includes(cause, where)));
  return { injected: world.causes.length, named: named.length, right: right.length };
}

/** Over all worlds together: the harmonic mean of precision and recall. */
export function f1(scores: readonly Score[]): number {
  const sum = (of: (each: Score) => number) => scores.reduce((total, each) => total + of(each), 0);
  return (2 * sum(({ right }) => right)) / (sum(({ injected }) => injected) + sum(({ named }) => named));
}

function makeCause(pick: (below: number) => number): InjectedCause {
  const left = [...DIMENSIONS];
  const depth = 1 + pick(3);
  const entries = Array.from({ length: depth }, () => {
    const [dimension] = left.splice(pick(left.length), 1);
    return [dimension, `${dimension}-${pick(VALUES)}`] as const;
  });
  return Object.fromEntries(entries);
}

/** Whether everything `part` asks for is so in `whole`. */
function includes(whole: Readonly<Record<string, unknown>>, part: InjectedCause): boolean {
  return Object.entries(part).every(([dimension, value]) => whole[dimension] === value);
}
