import type { ModelStatistics, TaskStatistics } from '../../contract/task-statistics.js';
import { callByCall } from '../../lib/statistics.js';
import { shareOf } from '../../lib/text.js';
import type { Candidate, CatalogEntry } from '../candidate.js';
import { countsFirstCalls, type FirstCalls, firstCallsOf } from '../first-calls.js';
import { MIN_OUTCOMES, modelSharesOf } from '../model-shares.js';

/** First calls that each compared model needs. With fewer, a clearly worse model would not show it yet. */
const ENOUGH = 60;
/** Minimum weight of a model. Without new outcomes an improvement would go unnoticed. */
const FLOOR = 0.05;
/** Smallest difference from an even split that is worth a trial. */
const MIN_LEAN = 0.2;
/** Smallest difference between the best and the worst model that is worth one, as a part of the worst one's failures. */
const SMALLEST = 0.15;

/** Models to compare, and the tasks that were asked with them: those that want one model, or all. */
interface Comparison {
  readonly wanted?: ModelStatistics;
  readonly models: readonly FirstCalls[];
}

/**
 * Weights each model by its probability of being the best (Thompson 1933), if none is clearly worse but the outcomes
 * lean. Compares first calls of the same callers. Every model keeps at least 5 %.
 */
export const leanToBetterModels: CatalogEntry = {
  name: 'lean-to-better-models',
  match: (pattern, { policy }) => pattern.kind === 'failure' && Object.keys(policy['model.weights']).length === 0,
  propose: (pattern, { task, policy, policyOf }) =>
    comparisons(task).flatMap((comparison): readonly Candidate[] => {
      const { wanted, models } = comparison;
      const inForce = wanted === undefined ? policy : policyOf(wanted.model);
      if (Object.keys(inForce['model.weights']).length > 0) return [];
      const weights = floored(modelSharesOf(models));
      // Weights are a step back from an order that already asks the best one first.
      const first = inForce['model.order'].find((name) => Object.hasOwn(weights, name));
      if (first !== undefined && weights[first] === Math.max(...Object.values(weights))) return [];
      const even = 1 / models.length;
      if (Object.values(weights).every((weight) => Math.abs(weight - even) < MIN_LEAN)) return [];
      if (spreadOf(models) < SMALLEST) return [];
      const rates = models.map(({ model, rate }) => `${model} fails ${shareOf(rate)}`).join(', ');
      return [
        {
          ...(wanted !== undefined && { scope: { model: wanted.model } }),
          set: { 'model.weights': weights },
          safe: true,
          ...(wanted !== undefined &&
            countsFirstCalls(wanted, inForce) && { atMost: { calls: 1 }, failing: failingOf(wanted) }),
          reason: `at ${pattern.task} ${rates} first calls: ask each as often as it is likely to be the best`,
        },
      ];
    }),
};

/** Returns the share of first calls that fail, whichever model is asked. */
function failingOf(wanted: ModelStatistics): number {
  const calls = firstCallsOf(wanted);
  const of = calls.reduce((sum, { rate }) => sum + rate.of, 0);
  return calls.reduce((sum, { rate }) => sum + rate.value * rate.of, 0) / of;
}

/** Returns the fair comparisons between models with enough calls each, in which none is clearly worse. */
function comparisons({ models }: TaskStatistics): readonly Comparison[] {
  const isKnown = models.some(({ asked }) => asked !== undefined);
  const all: readonly Comparison[] = isKnown
    ? models.map((wanted) => ({ wanted, models: firstCallsOf(wanted) }))
    : [{ models }];
  return all.flatMap((one) => {
    const compared = one.models.filter(({ rate }) => rate.of >= MIN_OUTCOMES);
    const isFair = compared.length > 1 && compared.every(({ rate }) => rate.of >= ENOUGH);
    return isFair && !isDecided(compared) ? [{ ...one, models: compared }] : [];
  });
}

/** Returns whether some model is clearly worse than another one. An order is better than weights then. */
function isDecided(models: readonly FirstCalls[]): boolean {
  const ranges = models.map(({ rate }) => callByCall(rate));
  return Math.max(...ranges.map(({ low }) => low)) > Math.min(...ranges.map(({ high }) => high));
}

/** Returns by which part of the worst model's failures the best one fails less. */
function spreadOf(models: readonly FirstCalls[]): number {
  const rates = models.map(({ rate }) => rate.value);
  const worst = Math.max(...rates);
  return worst > 0 ? 1 - Math.min(...rates) / worst : 0;
}

/** Returns the shares with a minimum for each model; they sum to 1. */
function floored(shares: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  const spread = 1 - FLOOR * Object.keys(shares).length;
  return Object.fromEntries(Object.entries(shares).map(([model, share]) => [model, round(FLOOR + spread * share)]));
}

function round(weight: number): number {
  return Math.round(weight * 1_000) / 1_000;
}
