import type { Scope } from '../contract/scope.js';
import type { EndedUnit } from './betting-martingale.js';
import { EffectBets, type EffectBetsSnapshot, USEFUL_RATIO } from './effect-bets.js';
import type { Unit } from './unit.js';

/** Dimensions along which a fix may help some tasks and harm others. */
const DIMENSIONS = ['model', 'tool', 'source'] as const;
/** Limit on values watched per dimension. Later values count only in the overall test. */
const MAX_VALUES = 8;
const HELP_RATIO = 0.5;
const HARM_NEEDED = 20;
const NONE_NEEDED = 10;
/** A value with at least this share of the tasks must show that the fix helps it before the fix is confirmed. */
const LARGE = 0.1;
const SHOWN = 2;
/** Evidence that the fix helps one value. With it, a fix that fails overall continues without another value. */
const SAVED_BY = 4;

type Dimension = (typeof DIMENSIONS)[number];

interface ValueSnapshot {
  readonly value: string;
  readonly bets: EffectBetsSnapshot;
  readonly tasks: number;
  readonly isSpared: boolean;
}

export type SubgroupsSnapshot = readonly (readonly [Dimension, readonly ValueSnapshot[]])[];

/** One model, tool or source, with bets on its own tasks. */
interface Value {
  readonly value: string;
  readonly bets: EffectBets;
  tasks: number;
  isSpared: boolean;
}

/**
 * Monitors the effect of a fix on each model, tool and source, as it may help one and harm another. Betting starts with
 * the second value of a dimension. The i-th value needs i (i + 1) times the evidence for harm. So a fix that does
 * nothing is found to harm some value of one dimension in at most 1 of 20 trials. For all three dimensions it is at
 * most 3 of 20.
 */
export class Subgroups {
  readonly #isSingle: boolean;
  readonly #values = new Map<Dimension, Map<string, Value>>();

  /** @param isSingle Whether each unit is a single task. */
  constructor(isSingle: boolean, snapshot: SubgroupsSnapshot = []) {
    this.#isSingle = isSingle;
    for (const [dimension, values] of snapshot) {
      this.#values.set(dimension, new Map(values.map((one) => [one.value, { ...one, bets: this.#betsOf(one.bets) }])));
    }
  }

  /** Bets on the tasks of one unit, separately per value. */
  bet({ arm, share, tasks }: Unit): void {
    for (const dimension of DIMENSIONS) {
      const known = this.#values.get(dimension);
      const first = tasks[0]?.scope?.[dimension];
      // Fast path: usually a single task without a value, or with the only value seen so far.
      if (tasks.length === 1 && (first === undefined || (known?.size === 1 && known.has(first)))) continue;
      for (const [value, count] of countByValue(tasks, dimension)) {
        this.#betOn(dimension, value, { arm, share, ...count });
      }
    }
  }

  /** Returns a value that the fix harms or does not help, with enough evidence. */
  harmed(): { readonly scope: Scope; readonly why: 'harm' | 'no-effect' } | undefined {
    return this.#find((one, index) => {
      const weight = (index + 1) * (index + 2);
      if (one.bets.harm.reaches(Math.log(HARM_NEEDED * weight))) return 'harm';
      return one.bets.logNone >= Math.log(NONE_NEEDED * weight) ? 'no-effect' : undefined;
    });
  }

  /** Returns the worst value if the fix fails overall but helps another value. */
  worst(): { readonly scope: Scope; readonly why: 'harm' | 'no-effect' } | undefined {
    for (const [dimension, values] of this.#values) {
      const open = [...values.values()]
        .filter(({ isSpared }) => !isSpared)
        .sort((a, b) => a.bets.help.log - b.bets.help.log);
      const [worst, best] = [open[0], open.at(-1)];
      if (!worst || !best || worst === best || worst.bets.help.log >= 0) continue;
      if (best.bets.help.log < Math.log(SAVED_BY)) continue;
      return { scope: { [dimension]: worst.value }, why: worst.bets.harm.log > 0 ? 'harm' : 'no-effect' };
    }
    return undefined;
  }

  /** Whether some value with many tasks does not yet show that the fix helps it. */
  get isInDoubt(): boolean {
    for (const values of this.#values.values()) {
      const open = [...values.values()].filter(({ isSpared }) => !isSpared);
      if (open.length < 2) continue;
      const tasks = open.reduce((sum, one) => sum + one.tasks, 0);
      if (open.some((one) => one.tasks >= LARGE * tasks && one.bets.help.log < Math.log(SHOWN))) return true;
    }
    return false;
  }

  /** Marks the kinds of tasks excluded from the trial. */
  spare(except: readonly Scope[]): void {
    for (const [dimension, values] of this.#values) {
      for (const one of values.values()) one.isSpared ||= except.some((scope) => scope[dimension] === one.value);
    }
  }

  snapshot(): SubgroupsSnapshot {
    return [...this.#values].map(([dimension, values]) => [
      dimension,
      [...values.values()].map((one) => ({ ...one, bets: one.bets.snapshot() })),
    ]);
  }

  #betOn(dimension: Dimension, value: string, unit: EndedUnit): void {
    const known = this.#values.get(dimension) ?? new Map<string, Value>();
    this.#values.set(dimension, known);
    let one = known.get(value);
    if (!one) {
      if (known.size >= MAX_VALUES) return;
      one = { value, bets: this.#betsOf(), tasks: 0, isSpared: false };
      known.set(value, one);
    }
    one.tasks += unit.tasks;
    if (known.size > 1) one.bets.bet(unit);
    one.bets.learn(unit);
  }

  #find<Found extends string>(
    judge: (one: Value, index: number) => Found | undefined,
  ): { readonly scope: Scope; readonly why: Found } | undefined {
    for (const [dimension, values] of this.#values) {
      if (values.size < 2) continue;
      let index = 0;
      for (const one of values.values()) {
        const why = one.isSpared ? undefined : judge(one, index);
        index++;
        if (why === undefined) continue;
        return { scope: { [dimension]: one.value }, why };
      }
    }
    return undefined;
  }

  #betsOf(snapshot?: EffectBetsSnapshot): EffectBets {
    const options = { isSingle: this.#isSingle, helpRatios: [HELP_RATIO], usefulRatio: USEFUL_RATIO };
    return new EffectBets(options, snapshot);
  }
}

function countByValue(tasks: Unit['tasks'], dimension: Dimension) {
  const counts = new Map<string, { tasks: number; failures: number }>();
  for (const { scope, end } of tasks) {
    const value = scope?.[dimension];
    if (value === undefined) continue;
    const count = counts.get(value) ?? { tasks: 0, failures: 0 };
    counts.set(value, { tasks: count.tasks + 1, failures: count.failures + (!end || end.failed ? 1 : 0) });
  }
  return counts;
}
