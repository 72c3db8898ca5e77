import { namedIn } from '../../lib/named-in.js';
import { callByCall } from '../../lib/statistics.js';
import { percent } from '../../lib/text.js';
import type { CatalogEntry } from '../candidate.js';

/** Calls that each model needs before models are compared. */
const MIN_OUTCOMES = 20;

/** Sends tasks that ask for a model that clearly fails more often to the best one at the same task. */
export const betterModel: CatalogEntry = {
  name: 'better-model',
  match: ({ kind }) => kind === 'failure',
  propose(pattern, { task, policyOf }) {
    const models = task.models.filter(({ rate }) => rate.of >= MIN_OUTCOMES);
    // A model that callers only fall back on is in the scope of no task.
    const wanted = models.filter((one) => one.wanted.of >= MIN_OUTCOMES);
    const worst = wanted.sort((a, b) => callByCall(b.rate).low - callByCall(a.rate).low)[0];
    const best = [...models].sort((a, b) => callByCall(a.rate).high - callByCall(b.rate).high)[0];
    if (!worst || !best) return [];
    // Failures with another explanation would follow the task to any model.
    if (pattern.where !== 'global' && !namedIn(pattern.where, 'model').includes(worst.model)) return [];
    // Requires call-by-call intervals that do not overlap, bursts or not. This looks at the past and picks among
    // several models, so the trial has to prove it.
    if (callByCall(worst.rate).low <= callByCall(best.rate).high) return [];
    const drawn = Object.keys(policyOf(worst.model)['model.weights']).length > 0;
    return [
      {
        scope: { model: worst.model },
        // Weights override an order.
        set: { 'model.order': [best.model], ...(drawn && { 'model.weights': {} }) },
        safe: true,
        reason: `${worst.model} fails ${percent(worst.rate.value)} of ${worst.rate.of} calls, ${best.model} ${percent(best.rate.value)} of ${best.rate.of} at the same task: ask ${best.model} first where the caller offers it`,
      },
    ];
  },
};
