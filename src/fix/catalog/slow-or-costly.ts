import type { ModelStatistics } from '../../contract/task-statistics.js';
import { namedIn } from '../../lib/named-in.js';
import { callByCall } from '../../lib/statistics.js';
import { shareOf } from '../../lib/text.js';
import type { CatalogEntry } from '../candidate.js';

/** Outcomes that a model needs before tasks are sent to it. */
const MIN_OUTCOMES = 20;

/**
 * Sends tasks that became slow or costly with one model, or whose model a caller called too good for them, to another
 * one. Needs approval, because the other model's results may be worse in ways that are not measured.
 */
export const otherModelForSlowOrCostly: CatalogEntry = {
  name: 'other-model-for-slow-or-costly',
  match: ({ kind }) => kind === 'slow' || kind === 'costly',
  propose(pattern, { task }) {
    const [model] = namedIn(pattern.where, 'model');
    const other = bestBeside(task.models, model);
    const limit = pattern.kind === 'slow' ? task.usual?.p90Ms : task.usual?.p90Usd;
    if (model === undefined || other === undefined || limit === undefined) return [];
    return [
      {
        scope: { model },
        set: { 'model.order': [other.model] },
        atMost: pattern.kind === 'slow' ? { durationMs: limit } : { costUsd: limit },
        reason: `${shareOf(pattern.rate)} successes exceed what nine of ten took before, with ${model}: ask ${other.model} first, and count a task that exceeds it as failed`,
      },
    ];
  },
};

function bestBeside(models: readonly ModelStatistics[], model: string | undefined): ModelStatistics | undefined {
  return models
    .filter((one) => one.model !== model && one.rate.of >= MIN_OUTCOMES)
    .sort((a, b) => callByCall(a.rate).high - callByCall(b.rate).high)[0];
}
