import { DEPLOYMENT_KEYS } from '../contract/deployment.js';
import { type FeatureKey, isFeatureKey, type Scope, TAG_PREFIX } from '../contract/scope.js';
import type { KindFigures } from '../contract/verdict.js';
import { ArmCounts, type ArmCountsSnapshot } from './arm-counts.js';
import type { EndedUnit } from './betting-martingale.js';
import { EffectBets, type EffectBetsSnapshot, USEFUL_RATIO } from './effect-bets.js';
import type { Unit } from './unit.js';

/** Dimensions along which a fix may help some tasks and harm others, beside the features of tasks. */
const DIMENSIONS = ['model', 'tool', 'source'] as const;
/** Facts about the agent and the release that are watched like features of the task. */
const OF_PROGRAM = ['agent', ...DEPLOYMENT_KEYS] as const;
/** Limit on watched features, with those of the program. Later ones count only in the overall test. */
const MAX_FEATURES = 8 + OF_PROGRAM.length;
/** Value of a tag for the tasks without it. A scope cannot name them, so they are not excluded. */
const UNTAGGED = 'no';
/** Limit on values watched per dimension. Later values count only in the overall test. */
const MAX_VALUES = 8;
const HELP_RATIO = 0.5;
const HARM_NEEDED = 20;
const NONE_NEEDED = 10;
/** A value with at least this share of the tasks must show that the fix helps it before the fix is confirmed. */
const LARGE = 0.1;
const SHOWN = 2;
/** Evidence that ends the doubt about a value after the confirmation, and the number of its tasks that ends it anyway. */
const TRUSTED = 4;
const LONGEST_DOUBT = 1_000;
/**
 * Evidence that the fix helps one value. With it, a fix that fails overall continues without another value. Between the
 * best and the worst value of a feature, this much difference is enough.
 */
const SAVED_BY = 4;

type Feature = (typeof OF_PROGRAM)[number] | FeatureKey;
type Dimension = (typeof DIMENSIONS)[number] | Feature;

interface ValueSnapshot {
  readonly value: string;
  readonly bets: EffectBetsSnapshot;
  readonly counts: ArmCountsSnapshot;
  readonly tasks: number;
  readonly isSpared: boolean;
  /** Its tasks when the fix was confirmed, if it is in doubt since. */
  readonly doubtedFrom?: number;
}

export type SubgroupsSnapshot = readonly (readonly [Dimension, readonly ValueSnapshot[]])[];

/** One model, tool, source or value of a feature, with bets on its own tasks. */
interface Value {
  readonly value: string;
  bets: EffectBets;
  readonly counts: ArmCounts;
  tasks: number;
  isSpared: boolean;
  doubtedFrom?: number;
}

/**
 * Monitors the effect of a fix on each model, tool, source and feature, as it may help one and harm another. Betting
 * starts with the second value of a dimension. The i-th value needs i (i + 1) times the evidence for harm. So a fix that
 * does nothing is found to harm some value of one dimension in at most 1 of 20 trials. The j-th feature to get a second
 * value needs j (j + 1) times as much, so all features count like one dimension. Agent, service, version, region and host
 * count as features. For all of them it is at most 4 of 20.
 */
export class Subgroups {
  readonly #isSingle: boolean;
  readonly #values = new Map<Dimension, Map<string, Value>>();

  /** @param isSingle Whether each unit is a single task. */
  constructor(isSingle: boolean, snapshot: SubgroupsSnapshot = []) {
    this.#isSingle = isSingle;
    for (const [dimension, values] of snapshot) {
      const kept = values.map((one): [string, Value] => [
        one.value,
        { ...one, bets: this.#betsOf(one.bets), counts: new ArmCounts(one.counts) },
      ]);
      this.#values.set(dimension, new Map(kept));
    }
  }

  /** Bets on the tasks of one unit, separately per value; only counts them with `isCounted`. */
  bet({ arm, share, tasks }: Unit, isCounted = false): void {
    for (const dimension of this.#dimensionsOf(tasks)) {
      const known = this.#values.get(dimension);
      const first = valueIn(tasks[0]?.scope, dimension);
      // Fast path: usually a single task without a value, or with the only value seen so far.
      if (tasks.length === 1 && (first === undefined || (known?.size === 1 && known.has(first)))) continue;
      for (const [value, count] of countByValue(tasks, dimension)) {
        this.#betOn(dimension, value, { arm, share: isCounted ? 1 : share, ...count });
      }
    }
  }

  /** Returns a value that the fix harms or does not help, with enough evidence. */
  harmed(): { readonly scope: Scope; readonly why: 'harm' | 'no-effect' } | undefined {
    return this.#find((one, weight, dimension) => {
      if (one.isSpared || isUntagged(dimension, one)) return undefined;
      if (one.bets.harm.reaches(Math.log(HARM_NEEDED * weight))) return 'harm';
      return one.bets.logNone >= Math.log(NONE_NEEDED * weight) ? 'no-effect' : undefined;
    });
  }

  /**
   * Returns the worst value if the fix fails overall but helps another value, in the dimension in which they differ
   * most.
   */
  worst(): { readonly scope: Scope; readonly why: 'harm' | 'no-effect' } | undefined {
    let widest = 0;
    let found: ReturnType<Subgroups['worst']>;
    for (const [dimension, values] of this.#values) {
      const open = openOf(values).sort((a, b) => a.bets.help.log - b.bets.help.log);
      const [worst, best] = [open[0], open.at(-1)];
      if (!worst || !best || worst.bets.help.log >= 0 || best.bets.help.log <= 0) continue;
      const gap = best.bets.help.log - worst.bets.help.log;
      const isSaved = (isFeature(dimension) ? gap : best.bets.help.log) >= Math.log(SAVED_BY);
      if (!isSaved || gap <= widest || isUntagged(dimension, worst)) continue;
      widest = gap;
      found = { scope: { [dimension]: worst.value }, why: worst.bets.harm.log > 0 ? 'harm' : 'no-effect' };
    }
    return found;
  }

  /**
   * Whether some value with many tasks does not yet show that the fix helps it. A feature may be noise, so its values
   * count only while they look like harm.
   */
  get isInDoubt(): boolean {
    for (const [dimension, values] of this.#values) {
      const open = openOf(values);
      if (open.length < 2) continue;
      const tasks = open.reduce((sum, one) => sum + one.tasks, 0);
      if (open.some((one) => one.tasks >= LARGE * tasks && isDoubted(dimension, one))) return true;
    }
    return false;
  }

  /** Returns the values that do not show that the fix helps them, of any size. A feature counts only if it looks like harm. */
  doubted(): readonly Scope[] {
    return [...this.#values].flatMap(([dimension, values]) => {
      const open = openOf(values);
      return open.length < 2
        ? []
        : open.filter((one) => isDoubted(dimension, one)).map(({ value }) => ({ [dimension]: value }));
    });
  }

  /** Returns whether the fix helps a value that was in doubt; false if nothing shows it after long; undefined before. */
  isTrusted(scope: Scope): boolean | undefined {
    const one = this.#valueOf(scope);
    if (!one) return false;
    if (one.bets.help.log >= Math.log(TRUSTED)) return true;
    return one.tasks - (one.doubtedFrom ?? 0) >= LONGEST_DOUBT && one.bets.harm.log <= 0 ? false : undefined;
  }

  /** Follows which values are in doubt after the confirmation. */
  doubt(doubted: readonly Scope[]): void {
    for (const scope of doubted) {
      const one = this.#valueOf(scope);
      if (one) one.doubtedFrom ??= one.tasks;
    }
  }

  #valueOf(scope: Scope): Value | undefined {
    for (const [dimension, values] of this.#values) {
      const value = scope[dimension];
      if (value !== undefined) return values.get(value);
    }
    return undefined;
  }

  /** Counts of both arms for each value of a dimension that has several, with its guard. */
  get figures(): readonly KindFigures[] {
    const found: KindFigures[] = [];
    this.#find((one, weight, dimension) => {
      const guard = { eHarm: one.bets.harm.value, needed: HARM_NEEDED * weight, isExcluded: one.isSpared };
      found.push({ scope: { [dimension]: one.value }, ...one.counts.snapshot(), guard });
      return undefined;
    });
    return found;
  }

  /** Follows which kinds of tasks are excluded from the trial. One that returns is judged from the start. */
  spare(except: readonly Scope[]): void {
    for (const [dimension, values] of this.#values) {
      for (const one of values.values()) {
        const isSpared = except.some((scope) => scope[dimension] === one.value);
        if (one.isSpared && !isSpared) one.bets = this.#betsOf();
        one.isSpared = isSpared;
      }
    }
  }

  snapshot(): SubgroupsSnapshot {
    return [...this.#values].map(([dimension, values]) => [
      dimension,
      [...values.values()].map((one) => ({ ...one, bets: one.bets.snapshot(), counts: one.counts.snapshot() })),
    ]);
  }

  /** Returns the dimensions of a unit. Features beyond the limit are left out. */
  #dimensionsOf(tasks: Unit['tasks']): readonly Dimension[] {
    let features: Set<Feature> | undefined;
    for (const { scope } of tasks) {
      for (const key in scope) if (isFeature(key)) features = (features ?? new Set()).add(key);
    }
    for (const key of this.#values.keys()) if (isTag(key)) features = (features ?? new Set()).add(key);
    if (!features) return DIMENSIONS;
    let free = MAX_FEATURES - [...this.#values.keys()].filter(isFeature).length;
    return [...DIMENSIONS, ...[...features].filter((key) => this.#values.has(key) || free-- > 0)];
  }

  #betOn(dimension: Dimension, value: string, unit: EndedUnit): void {
    let known = this.#values.get(dimension);
    if (!known) {
      known = new Map<string, Value>();
      this.#values.set(dimension, known);
    }
    let one = known.get(value);
    if (!one) {
      if (known.size >= MAX_VALUES) return;
      one = { value, bets: this.#betsOf(), counts: new ArmCounts(), tasks: 0, isSpared: false };
      known.set(value, one);
      // Features are in the order of their second values, so that a constant one takes no evidence from the others.
      if (known.size === 2 && this.#values.delete(dimension)) this.#values.set(dimension, known);
    }
    one.tasks += unit.tasks;
    one.counts.add(unit);
    if (known.size > 1) one.bets.bet(unit);
    one.bets.learn(unit);
  }

  /** @param judge Gets a value, how many times the evidence for harm it needs, and its dimension. */
  #find<Found extends string>(
    judge: (one: Value, weight: number, dimension: Dimension) => Found | undefined,
  ): { readonly scope: Scope; readonly why: Found } | undefined {
    let features = 0;
    for (const [dimension, values] of this.#values) {
      if (values.size < 2) continue;
      const feature = isFeature(dimension) ? ++features : 0;
      let index = 0;
      for (const one of values.values()) {
        index++;
        const why = judge(one, index * (index + 1) * Math.max(1, feature * (feature + 1)), dimension);
        if (why !== undefined) return { scope: { [dimension]: one.value }, why };
      }
    }
    return undefined;
  }

  #betsOf(snapshot?: EffectBetsSnapshot): EffectBets {
    const options = { isSingle: this.#isSingle, helpRatios: [HELP_RATIO], usefulRatio: USEFUL_RATIO };
    return new EffectBets(options, snapshot);
  }
}

function isDoubted(dimension: Dimension, { bets }: Value): boolean {
  return isFeature(dimension) ? bets.harm.log > Math.max(0, bets.help.log) : bets.help.log < Math.log(SHOWN);
}

function isFeature(key: string): key is Feature {
  return isFeatureKey(key) || OF_PROGRAM.some((name) => name === key);
}

function isTag(key: string): key is FeatureKey {
  return key.startsWith(TAG_PREFIX);
}

function isUntagged(dimension: Dimension, { value }: Value): boolean {
  return isTag(dimension) && value === UNTAGGED;
}

function openOf(values: ReadonlyMap<string, Value>): Value[] {
  return [...values.values()].filter(({ isSpared }) => !isSpared);
}

function valueIn(scope: Scope | undefined, dimension: Dimension): string | undefined {
  return scope?.[dimension] ?? (isTag(dimension) ? UNTAGGED : undefined);
}

function countByValue(tasks: Unit['tasks'], dimension: Dimension) {
  const counts = new Map<string, { tasks: number; failures: number }>();
  for (const { scope, end } of tasks) {
    const value = valueIn(scope, dimension);
    if (value === undefined) continue;
    const count = counts.get(value) ?? { tasks: 0, failures: 0 };
    counts.set(value, { tasks: count.tasks + 1, failures: count.failures + (!end || end.failed ? 1 : 0) });
  }
  return counts;
}
