import type { Rate } from '../contract/rate.js';
import type { ModelStatistics } from '../contract/task-statistics.js';
import { betaPosterior } from '../lib/statistics.js';
import { allFirstCalls, type FirstCalls } from './first-calls.js';

/** Outcomes that each model needs to get a share. */
export const MIN_OUTCOMES = 20;
/** Points of the grid. From about 60 on, shares are accurate to a thousandth. */
const GRID = 128;

/** Shares by model name; they sum to 1. */
export type ModelShares = Readonly<Record<string, number>>;

/** Caches the shares per list of figures, because most tasks have not changed since the last cycle. */
export class ModelShareTable {
  readonly #known = new WeakMap<readonly ModelStatistics[], ModelShares>();

  of(models: readonly ModelStatistics[]): ModelShares {
    const shares = this.#known.get(models) ?? modelSharesOf(allFirstCalls(models));
    this.#known.set(models, shares);
    return shares;
  }
}

/**
 * Returns the probability of each model to have the lowest failure rate, by Beta(1 + failures, 1 + successes).
 * The sum is 1. These are the shares of infinitely many Thompson draws (1933), computed on a grid instead.
 * Models with fewer than 20 outcomes are left out.
 */
export function modelSharesOf(all: readonly FirstCalls[]): ModelShares {
  const models = all.filter(({ rate }) => rate.of >= MIN_OUTCOMES);
  const grid = gridOver(models);
  const posteriors = models.map(({ rate }) => posteriorOn(grid, rate));
  const wins = posteriors.map((mass, index) =>
    shareLeast(
      mass,
      posteriors.filter((_, other) => other !== index),
    ),
  );
  const total = wins.reduce((sum, won) => sum + won, 0);
  return Object.fromEntries(models.map(({ model }, index) => [model, (wins[index] ?? 0) / total]));
}

/** Returns the probability that one model lies below all others. */
function shareLeast(mass: Float64Array, others: readonly Float64Array[]): number {
  const above = new Float64Array(GRID).fill(1);
  for (const other of others) {
    let left = 1;
    for (let point = 0; point < GRID; point++) {
      const here = other[point] ?? 0;
      // Half of a point's own mass counts as above it, so that equal models tie.
      above[point] = (above[point] ?? 0) * (left - here / 2);
      left -= here;
    }
  }
  let share = 0;
  for (let point = 0; point < GRID; point++) share += (mass[point] ?? 0) * (above[point] ?? 0);
  return share;
}

/** Logarithms of the possible failure rates of the models, and of one minus each rate. */
interface Grid {
  readonly logRate: Float64Array;
  readonly logRest: Float64Array;
}

function gridOver(models: readonly FirstCalls[]): Grid {
  const ends = models.flatMap(({ rate }) => {
    const { mean, variance } = betaPosterior(rate);
    const reach = 6 * Math.sqrt(variance);
    return [mean - reach, mean + reach];
  });
  const low = Math.max(0, Math.min(...ends));
  const step = (Math.min(1, Math.max(...ends)) - low) / GRID;
  const logRate = new Float64Array(GRID);
  const logRest = new Float64Array(GRID);
  for (let point = 0; point < GRID; point++) {
    const rate = low + (point + 0.5) * step;
    logRate[point] = Math.log(rate);
    logRest[point] = Math.log1p(-rate);
  }
  return { logRate, logRest };
}

/** Returns the posterior mass at each point of the grid; sums to 1. */
function posteriorOn({ logRate, logRest }: Grid, { value, of }: Rate): Float64Array {
  const failures = value * of;
  const masses = new Float64Array(GRID);
  let peak = Number.NEGATIVE_INFINITY;
  for (let point = 0; point < GRID; point++) {
    const height = failures * (logRate[point] ?? 0) + (of - failures) * (logRest[point] ?? 0);
    masses[point] = height;
    peak = Math.max(peak, height);
  }
  let total = 0;
  for (let point = 0; point < GRID; point++) {
    const mass = Math.exp((masses[point] ?? 0) - peak);
    masses[point] = mass;
    total += mass;
  }
  for (let point = 0; point < GRID; point++) masses[point] = (masses[point] ?? 0) / total;
  return masses;
}
