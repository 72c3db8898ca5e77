import type { TaskStatistics } from '../../contract/task-statistics.js';
import { percent } from '../../lib/text.js';
import type { CatalogEntry } from '../candidate.js';
import { MIN_OUTCOMES } from '../model-shares.js';

/** Calls that each compared model needs. With fewer, a clearly worse model would not show it yet. */
const ENOUGH = 60;
/** Minimum weight of a model. Without new outcomes an improvement would go unnoticed. */
const FLOOR = 0.05;
/** Smallest difference from an even split that is worth a trial. */
const MIN_LEAN = 0.2;

/**
 * Weights each model by its probability of being the best (Thompson 1933), if none is clearly worse but the outcomes
 * lean. Every model keeps at least 5 %.
 */
export const leanToBetterModels: CatalogEntry = {
  name: 'lean-to-better-models',
  match: (pattern, { task, policy }) =>
    pattern.kind === 'failure' &&
    Object.keys(policy['model.weights']).length === 0 &&
    compared(task).length > 1 &&
    compared(task).every(({ rate }) => rate.of >= ENOUGH),
  propose(pattern, { task, modelShares }) {
    const models = compared(task);
    const weights = floored(modelShares);
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

function compared({ models }: TaskStatistics): TaskStatistics['models'] {
  return models.filter(({ rate }) => rate.of >= MIN_OUTCOMES);
}

/** Returns the shares with a minimum for each model; they sum to 1. */
function floored(shares: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  const spread = 1 - FLOOR * Object.keys(shares).length;
  return Object.fromEntries(Object.entries(shares).map(([model, share]) => [model, round(FLOOR + spread * share)]));
}

function round(weight: number): number {
  return Math.round(weight * 1_000) / 1_000;
}
