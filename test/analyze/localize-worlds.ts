import { Analyzer } from '../../src/analyze/analyzer.js';
import { type Dimension, type Localization, localize } from '../../src/analyze/localize.js';
import type { OutcomeId } from '../../src/contract/ids.js';
import type { Outcome } from '../../src/contract/outcome.js';
import { type Random, seededRandom } from '../../src/lib/random.js';
import { DAY, HOUR, START } from './make-outcome.js';

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

/** How a version came: with everything else the same, step by step, or for all work in one moment. */
export interface RolloutOptions {
  /** The version fails more often than the one before. */
  readonly isFaulty?: boolean;
  /** All work moves to the version in one step, and there is no outage. */
  readonly atOnce?: boolean;
  /** A model fails more often all the time. */
  readonly hasFaultyModel?: boolean;
  /** The outage multiplies the rate of each place by eight, and takes three times as long. */
  readonly multiplies?: boolean;
}

/**
 * A week in which `v2` takes over from `v1` within one to three days. While half of the work or more is done by `v2`,
 * everything fails for two to four hours, on either version.
 */
export function makeRollout(seed: number, options: RolloutOptions = {}): World {
  const { isFaulty, atOnce, hasFaultyModel, multiplies } = options;
  const random = seededRandom(seed);
  const pick = (below: number) => Math.floor(random() * below);
  const beginMs = START + (2 + 2 * random()) * DAY;
  const lengthMs = atOnce ? 0 : (1 + 2 * random()) * DAY;
  const shareAt = (atMs: number) => (atMs < beginMs ? 0 : Math.min(1, (atMs - beginMs) / lengthMs));
  const outageMs = beginMs + (0.5 + 0.5 * random()) * lengthMs;
  const outageLengthMs = (2 + 2 * random()) * HOUR * (multiplies ? 3 : 1);
  const outcomes = Array.from({ length: 6_000 }, (_, index): Outcome => {
    const atMs = START + (index * 7 * DAY) / 6_000;
    const isNew = random() < shareAt(atMs);
    const model = `model-${pick(VALUES)}`;
    const isOut = !atOnce && atMs >= outageMs && atMs < outageMs + outageLengthMs;
    let rate = 0.02;
    if (isFaulty && isNew) rate = 0.15;
    if (hasFaultyModel && model === 'model-1') rate = 0.2;
    const place = { model, tool: `tool-${pick(VALUES)}`, tags: [isNew ? 'v2' : 'v1'] };
    const rateInOutage = multiplies ? 8 * rate : 0.7;
    return outcomeOf(index, { atMs, ...place, success: random() >= (isOut ? rateInOutage : rate) });
  });
  const causes = [...(isFaulty ? [{ tag: 'v2' }] : []), ...(hasFaultyModel ? [{ model: 'model-1' }] : [])];
  return { causes, outcomes };
}

/**
 * Two places of one task that fail with the same words. `kinds: 'many'` spreads the work evenly over 625 kinds;
 * `kinds: 'rare names'` gives nearly every outcome a tag that no other has; `kinds: 'late'` fills the first half of the
 * week with agents that are never seen again.
 */
export function makeSharedWords(seed: number, kinds?: 'many' | 'rare names' | 'late'): World {
  const random = seededRandom(seed);
  const pick = (below: number) => Math.floor(random() * below);
  const values = kinds === 'many' ? VALUES : 4;
  const causes: InjectedCause[] = [{ model: `model-${pick(values)}` }, { tool: `tool-${pick(values)}` }];
  const outcomes = Array.from({ length: 6_000 }, (_, index): Outcome => {
    const isEarly = index < 3_000;
    const fields = {
      model: `model-${pick(values)}`,
      tool: `tool-${pick(values)}`,
      source: `source-${pick(kinds === 'many' ? VALUES : 2)}`,
      agent: kinds === 'late' && isEarly ? `agent-${index >> 2}` : `agent-${pick(kinds === 'many' ? VALUES : 2)}`,
    };
    const isCaused = causes.some((cause) => includes(fields, cause));
    const tags = kinds === 'rare names' ? [`request-${index}`] : undefined;
    const success = random() >= (isCaused ? 0.4 : 0.03);
    return outcomeOf(index, { atMs: START + (index * 7 * DAY) / 6_000, ...fields, ...(tags && { tags }), success });
  });
  return { causes, outcomes };
}

/** Versions that the patterns of these outcomes name, as an answer of `localize`. */
export function runAnalyzer({ outcomes }: World): Localization {
  const analyzer = new Analyzer();
  analyzer.absorb(outcomes);
  const [pattern] = analyzer.patterns(outcomes.at(-1)?.atMs ?? START);
  if (!pattern || pattern.where === 'global') return { kind: 'global' };
  return { kind: 'causes', causes: pattern.where.map((where) => ({ where, failures: 0, of: 0, lift: 1, q: 0 })) };
}

function outcomeOf(index: number, fields: Partial<Outcome> & { readonly success: boolean }): Outcome {
  return {
    id: `o${String(index).padStart(7, '0')}` as OutcomeId, // made up here, so no maker brands it
    task: 'answer',
    source: 'agent',
    atMs: START,
    issues: fields.success ? [] : ['timeout'],
    ...(!fields.success && { error: { message: 'request timed out' } }),
    ...fields,
  };
}

export function run(world: World, dimensions: readonly Dimension[] = DIMENSIONS): Localization {
  return localize(world.outcomes, { dimensions });
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
