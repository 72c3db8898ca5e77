import { hashUnit } from '../../lib/hash.js';
import { percent } from '../../lib/text.js';
import type { ModelStatistics, Rate } from '../../records.js';
import type { CatalogEntry } from '../candidate.js';

/** Outcomes of each model before it is weighed. */
const MIN_OUTCOMES = 20;
/** No model is starved: its next outcomes are how a change for the better would be noticed. */
const FLOOR = 0.05;
const DRAWS = 2_000;
/** Weights nearer than this to an even split are not worth a trial. */
const MIN_LEAN = 0.2;

/**
 * Asks each model as often as it is likely to be the best one (Thompson 1933), where none is clearly worse but the
 * outcomes lean. Bounded: every model keeps at least 5 %.
 */
export const leanToBetterModels: CatalogEntry = {
  name: 'lean-to-better-models',
  match: (pattern, { task, policy }) =>
    pattern.kind === 'failure' &&
    Object.keys(policy['model.weights']).length === 0 &&
    task.models.filter(({ rate }) => rate.of >= MIN_OUTCOMES).length > 1,
  propose(pattern, { task }) {
    const models = task.models.filter(({ rate }) => rate.of >= MIN_OUTCOMES);
    const weights = thompsonWeights(models);
    const even = 1 / models.length;
    if (Object.values(weights).every((weight) => Math.abs(weight - even) < MIN_LEAN)) return [];
    const rates = models.map(({ model, rate }) => `${model} fails ${percent(rate.value)} of ${rate.of}`).join(', ');
    return [
      {
        set: { 'model.weights': weights },
        safe: true,
        reason: `at ${pattern.task} ${rates}: ask each as often as it is likely to be the best`,
      },
    ];
  },
};

/** Shares of the draws from Beta(1 + failures, 1 + successes) in which each model fails least, floored; sums to 1. */
export function thompsonWeights(models: readonly ModelStatistics[]): Readonly<Record<string, number>> {
  const wins = new Map(models.map(({ model }) => [model, 0]));
  for (let draw = 0; draw < DRAWS; draw++) {
    let best = '';
    let least = Number.POSITIVE_INFINITY;
    for (const { model, rate } of models) {
      const failing = drawRate(rate, hashUnit(`${model}|${draw}|a`), hashUnit(`${model}|${draw}|b`));
      if (failing >= least) continue;
      least = failing;
      best = model;
    }
    wins.set(best, (wins.get(best) ?? 0) + 1);
  }
  const spread = 1 - FLOOR * models.length;
  return Object.fromEntries([...wins].map(([model, won]) => [model, round(FLOOR + (spread * won) / DRAWS)]));
}

/** A draw from the normal approximation of the Beta posterior (Box and Muller 1958); good enough from 20 outcomes on. */
function drawRate({ value, of }: Rate, one: number, other: number): number {
  const mean = (value * of + 1) / (of + 2);
  const deviation = Math.sqrt((mean * (1 - mean)) / (of + 3));
  return mean + deviation * Math.sqrt(-2 * Math.log(1 - one)) * Math.cos(2 * Math.PI * other);
}

function round(weight: number): number {
  return Math.round(weight * 1_000) / 1_000;
}
