import type { Pattern } from '../../contract/pattern.js';
import type { Policy } from '../../contract/settings.js';
import type { ModelStatistics } from '../../contract/task-statistics.js';
import { namedIn } from '../../lib/named-in.js';
import { callByCall } from '../../lib/statistics.js';
import { percent } from '../../lib/text.js';
import type { Candidate, CatalogContext, CatalogEntry } from '../candidate.js';

/** Tasks with a list, and calls of another model, needed before either is judged. */
const MIN_TASKS = 20;
/** Failure rate up to which the caller's first model is kept. */
const MIN_RATE = 0.05;
/** Smallest share of the failures at which a pattern represents the model. */
const MIN_PART = 0.25;

/**
 * Moves another model of the caller's list to the front if the first one fails regularly. The other model needs no
 * history: while the first one answers, or tasks may not be repeated, it is never called.
 */
export const nextModel: CatalogEntry = {
  name: 'next-listed-model',
  match: (pattern, { task }) => isMostOfFailures(pattern, task.failures) && task.models.some(failsLately),
  propose: (pattern, context) =>
    context.task.models.filter(failsLately).flatMap((wanted) => candidatesFor(wanted, pattern, context)),
};

function isMostOfFailures({ kind, rate }: Pattern, failures: number): boolean {
  return kind === 'failure' && rate.value * rate.of >= MIN_PART * failures;
}

function failsLately({ wantedLately }: ModelStatistics): boolean {
  return wantedLately.of >= MIN_TASKS && callByCall(wantedLately).low > MIN_RATE;
}

function candidatesFor(wanted: ModelStatistics, { where }: Pattern, context: CatalogContext): readonly Candidate[] {
  const { model, listedBeside, wantedLately } = wanted;
  const policy = context.policyOf(model);
  const listed = [model, ...listedBeside];
  const first = firstOf(listed, policy) ?? model;
  const failing = namedIn(where, 'model');
  if (failing.length > 0 && !failing.includes(first)) return [];
  const isNoBetter = (name: string) => {
    const known = context.task.models.find((one) => one.model === name);
    return known !== undefined && known.rate.of >= MIN_TASKS && known.rate.value >= wantedLately.value;
  };
  const drawn = Object.keys(policy['model.weights']).length > 0;
  return listed
    .filter((name) => name !== first && !isNoBetter(name))
    .map((name) => ({
      scope: { model },
      // Weights override an order.
      set: { 'model.order': [name], ...(drawn && { 'model.weights': {} }) },
      safe: true,
      reason: `${percent(wantedLately.value)} of the last ${wantedLately.of} tasks failed that ask ${first} first: ask ${name} first, which their callers list as well`,
    }));
}

/** Returns the model of a list that these settings try first, or most often; `undefined` if they name none of it. */
function firstOf(listed: readonly string[], policy: Policy): string | undefined {
  const weights = Object.entries(policy['model.weights']).filter(([name]) => listed.includes(name));
  const [heaviest] = weights.sort((one, other) => other[1] - one[1]);
  return heaviest?.[0] ?? policy['model.order'].find((name) => listed.includes(name));
}
