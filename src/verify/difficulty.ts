import { Recent, type RecentSnapshot } from './recent.js';

/** Half-lives of the running rates, in units. The slow one is the base of every table. */
const HALF_LIVES: readonly number[] = [50, 200];
const PRIOR = { failures: 1.6, weight: 8 };
/** Weights of the parent level in the tables: little, medium and much shrinkage. */
const SHRINKAGES: readonly number[] = [1, 4, 16];
/** Factor on the shrinkage of every level but the most special one. */
const GENERAL = 4;
const LOWEST = 0.003;
const HIGHEST = 0.997;
/** Decay of a count each time its name occurs. */
const KEPT = 0.995;
/** Share of the weights that returns to equal ones with each unit, so that the experts can change places. */
const FORGOTTEN = 0.002;
/** Limit on names per level. The name that occurred longest ago is dropped. */
const MAX_NAMES = 500;
/** Limit on levels of names. */
const MAX_LEVELS = 4;

type Count = { readonly failures: number; readonly weight: number };

export interface DifficultySnapshot {
  readonly rates: readonly Count[];
  readonly weights: readonly number[];
  /** Per level: failures and weight of each name. */
  readonly tables: readonly RecentSnapshot<readonly [failures: number, weight: number]>[];
}

/** Prediction for a unit, with the answers of the experts behind it. */
export interface Prediction {
  /** Predicted share of failures, 0.003 to 0.997. */
  readonly rate: number;
  /** The same without the unit's names: the running rate with a half-life of 200 units. */
  readonly base: number;
  readonly experts: readonly number[];
}

/**
 * Predictor of how a unit will end, made before its arm is known. It learns from the units of both arms, in the order
 * of the bets: two running rates, and the failures of each name in the unit's Start (task, model, key of the problem).
 * Five experts use these with different shrinkage, weighted by how well they predicted so far. Its state is bounded.
 *
 * The bets are valid for every prediction. A unit's arm is drawn with a known share after the names are recorded. If
 * the fix does nothing, the arm is independent of the names, the past and the unit's end. A stake on (arm - share) x
 * (end - prediction) then has mean 0 for each end, so a poor prediction slows the test down but does not bias it.
 */
export class Difficulty {
  readonly #rates: Count[];
  #weights: readonly number[];
  readonly #tables: Recent<readonly [failures: number, weight: number]>[];

  constructor(snapshot?: DifficultySnapshot) {
    this.#rates = snapshot ? [...snapshot.rates] : HALF_LIVES.map(() => PRIOR);
    this.#weights = snapshot?.weights ?? equal(HALF_LIVES.length + SHRINKAGES.length);
    this.#tables = (snapshot?.tables ?? []).map((table) => new Recent(MAX_NAMES, table));
  }

  /** Predicts a unit from its names, general to special. */
  predict(names: readonly string[] = NO_NAMES): Prediction {
    const rates = this.#rates.map(({ failures, weight }) => bounded(failures / weight));
    const base = rates[1] ?? 0.2;
    const experts = [...rates, ...SHRINKAGES.map((shrinkage) => this.#fromTables(names, base, shrinkage))];
    let rate = 0;
    for (const [index, expert] of experts.entries()) rate += (this.#weights[index] ?? 0) * expert;
    return { rate: bounded(rate), base, experts };
  }

  /** Learns how the predicted unit ended: its share of failures, 0 to 1. */
  learn({ experts }: Prediction, names: readonly string[] = NO_NAMES, failed: number): void {
    this.#weigh(experts, failed);
    for (const [index, halfLife] of HALF_LIVES.entries())
      this.#rates[index] = aged(this.#rates[index], halfLife, failed);
    for (const [level, name] of names.slice(0, MAX_LEVELS).entries()) {
      this.#tables[level] ??= new Recent(MAX_NAMES);
      const table = this.#tables[level];
      const [failures, weight] = table.get(name) ?? [0, 0];
      table.delete(name);
      table.set(name, [failures * KEPT + failed, weight * KEPT + 1]);
    }
  }

  /** Learns from past tasks of which only the totals are known. Their failures count as evenly spread. */
  learnTotals(tasks: number, failures: number): void {
    if (!(tasks > 0)) return;
    for (const [index, halfLife] of HALF_LIVES.entries()) {
      const kept = 2 ** (-tasks / halfLife);
      const added = (1 - kept) / (1 - 2 ** (-1 / halfLife));
      const { failures: before, weight } = this.#rates[index] ?? PRIOR;
      this.#rates[index] = { failures: before * kept + (failures / tasks) * added, weight: weight * kept + added };
    }
  }

  snapshot(): DifficultySnapshot {
    return {
      rates: [...this.#rates],
      weights: [...this.#weights],
      tables: this.#tables.map((table) => table.snapshot()),
    };
  }

  #fromTables(names: readonly string[], base: number, shrinkage: number): number {
    let rate = base;
    const last = Math.min(names.length, MAX_LEVELS) - 1;
    for (let level = 0; level <= last; level++) {
      const count = this.#tables[level]?.get(names[level] ?? '');
      if (!count) continue;
      const parent = level === last && level > 0 ? shrinkage : shrinkage * GENERAL;
      rate = (count[0] + parent * rate) / (count[1] + parent);
    }
    return bounded(rate);
  }

  /** Multiplies each expert's weight by the likelihood that it gave to the end. */
  #weigh(experts: readonly number[], failed: number): void {
    const weights = experts.map(
      (rate, index) => (this.#weights[index] ?? 0) * rate ** failed * (1 - rate) ** (1 - failed),
    );
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    if (!(total > 0)) return;
    this.#weights = weights.map((weight) => (weight / total) * (1 - FORGOTTEN) + FORGOTTEN / weights.length);
  }
}

const NO_NAMES: readonly string[] = [];

function equal(count: number): readonly number[] {
  return new Array<number>(count).fill(1 / count);
}

function aged({ failures, weight }: Count = PRIOR, halfLife: number, failed: number): Count {
  const kept = 2 ** (-1 / halfLife);
  return { failures: failures * kept + failed, weight: weight * kept + 1 };
}

function bounded(rate: number): number {
  return Math.min(HIGHEST, Math.max(LOWEST, rate));
}
