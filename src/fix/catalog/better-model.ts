import type { ModelStatistics } from '../../contract/task-statistics.js';
import { namedIn } from '../../lib/named-in.js';
import { callByCall } from '../../lib/statistics.js';
import { percent } from '../../lib/text.js';
import type { CatalogEntry } from '../candidate.js';
import { allFirstCalls, countsFirstCalls, type FirstCalls, firstCallsOf } from '../first-calls.js';

/** Calls that each model needs before models are compared. */
const MIN_OUTCOMES = 20;

/** Sends tasks that ask for a model that clearly fails more often to the best one at the same task. */
export const betterModel: CatalogEntry = {
  name: 'better-model',
  match: ({ kind }) => kind === 'failure',
  propose(pattern, { task, policyOf }) {
    const known = allFirstCalls(task.models).filter(({ rate }) => rate.of >= MIN_OUTCOMES);
    // A model that callers only fall back on is in the scope of no task.
    const wanted = known.filter(({ model }) => wantedOf(task.models, model) >= MIN_OUTCOMES);
    const worst = wanted.sort((a, b) => callByCall(b.rate).low - callByCall(a.rate).low)[0];
    const models = worst ? comparable(worst, known, task.models) : [];
    const best = [...models].sort((a, b) => callByCall(a.rate).high - callByCall(b.rate).high)[0];
    if (!worst || !best) return [];
    // Failures with another explanation would follow the task to any model.
    if (pattern.where !== 'global' && !namedIn(pattern.where, 'model').includes(worst.model)) return [];
    // Requires call-by-call intervals that do not overlap, bursts or not. This looks at the past and picks among
    // several models, so the trial has to prove it.
    if (callByCall(worst.rate).low <= callByCall(best.rate).high) return [];
    const policy = policyOf(worst.model);
    const drawn = Object.keys(policy['model.weights']).length > 0;
    const asking = task.models.find(({ model }) => model === worst.model);
    const isFirstOnly = asking !== undefined && countsFirstCalls(asking, policy);
    return [
      {
        scope: { model: worst.model },
        // Weights override an order.
        set: { 'model.order': [best.model], ...(drawn && { 'model.weights': {} }) },
        safe: true,
        ...(isFirstOnly && { atMost: { calls: 1 }, failing: worst.rate.value }),
        reason: `${worst.model} fails ${percent(worst.rate.value)} of ${worst.rate.of} first calls, ${best.model} ${percent(best.rate.value)} of ${best.rate.of} at the same task: ask ${best.model} first where the caller offers it`,
      },
    ];
  },
};

function wantedOf(models: readonly ModelStatistics[], model: string): number {
  return models.find((one) => one.model === model)?.wanted.of ?? 0;
}

/**
 * Returns the models to compare the worst one with. If its callers list others, only first calls of their own tasks
 * compare like with like: other callers may ask for harder work.
 */
function comparable(
  worst: FirstCalls,
  known: readonly FirstCalls[],
  models: readonly ModelStatistics[],
): readonly FirstCalls[] {
  const wanted = models.find(({ model }) => model === worst.model);
  if (wanted?.asked === undefined || wanted.listedBeside.length === 0) return known;
  return firstCallsOf(wanted).filter(({ rate }) => rate.of >= MIN_OUTCOMES);
}
