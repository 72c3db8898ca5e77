import { percent } from '../../lib/text.js';
import type { ModelStatistics } from '../../records.js';
import type { CatalogEntry } from '../candidate.js';

/** Outcomes of each model before the two are compared at all. */
const MIN_OUTCOMES = 20;

/** Sends tasks that ask for a model which clearly fails more often to the one that does best at the same task. */
export const betterModel: CatalogEntry = {
  name: 'better-model',
  match: (pattern, { task }) =>
    pattern.kind === 'failure' && comparable(task.models).length > 1 && isAboutModel(pattern.where),
  propose(pattern, { task }) {
    const models = comparable(task.models);
    const worse = models.find(({ model }) => pattern.where !== 'global' && pattern.where.model === model);
    const best = [...models].sort((a, b) => a.rate.high - b.rate.high)[0];
    // Intervals that do not touch: chosen on a look at the past, so the trial still has to prove it.
    if (!worse || !best || worse.rate.low <= best.rate.high) return [];
    return [
      {
        scope: { model: worse.model },
        set: { 'model.order': [best.model] },
        safe: true,
        reason: `${worse.model} fails ${percent(worse.rate.value)} of ${worse.rate.of} tasks, ${best.model} ${percent(best.rate.value)} of ${best.rate.of} at the same task: ask ${best.model} first where the caller offers it`,
      },
    ];
  },
};

function comparable(models: readonly ModelStatistics[]): readonly ModelStatistics[] {
  return models.filter(({ rate }) => rate.of >= MIN_OUTCOMES);
}

function isAboutModel(where: 'global' | Readonly<Record<string, string>>): boolean {
  return where !== 'global' && where.model !== undefined;
}
