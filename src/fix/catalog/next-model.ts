import type { Pattern } from '../../contract/pattern.js';
import type { Rate } from '../../contract/rate.js';
import type { Policy } from '../../contract/settings.js';
import type { ModelStatistics } from '../../contract/task-statistics.js';
import { namedIn } from '../../lib/named-in.js';
import { betaPosterior, callByCall } from '../../lib/statistics.js';
import { percent, whole } from '../../lib/text.js';
import type { Candidate, CatalogContext, CatalogEntry } from '../candidate.js';
import { countsFirstCalls, firstCallsOf } from '../first-calls.js';

/** Tasks with a list, and first calls of another model, needed before either is judged. */
const MIN_TASKS = 20;
/** First calls from which two models are compared by their rates alone. */
const MANY_CALLS = 100;
/** First calls of the first model up to which several others may still get a first look (`run/first-choices`). */
const MOST_WAITED = 100;
/** Failure rate up to which the caller's first model is kept. */
const MIN_RATE = 0.05;
/** Standard errors by which the first model must lead, so that another one is better with a probability below 20 %. */
const UNLIKELY = 0.84;
/** Smallest share of the failures at which a pattern represents the model. */
const MIN_PART = 0.25;

/**
 * Moves another model of the caller's list to the front if the first one fails regularly. The other model needs no
 * history: while the first one answers, or tasks may not be repeated, it is rarely called. With a fallback, the trial
 * counts tasks that needed a second call as failed, because the order decides what a task costs.
 */
export const nextModel: CatalogEntry = {
  name: 'next-listed-model',
  match: (pattern, { task }) => isMostOfFailures(pattern, task.failures),
  propose: (pattern, context) => context.task.models.flatMap((wanted) => candidatesFor(wanted, pattern, context)),
};

function isMostOfFailures({ kind, rate }: Pattern, failures: number): boolean {
  return kind === 'failure' && rate.value * rate.of >= MIN_PART * failures;
}

function failsRegularly(rate: Pick<Rate, 'value' | 'of'> | undefined): boolean {
  return rate !== undefined && rate.of >= MIN_TASKS && callByCall(rate).low > MIN_RATE;
}

function candidatesFor(wanted: ModelStatistics, { where }: Pattern, context: CatalogContext): readonly Candidate[] {
  const { model, listedBeside, wantedLately } = wanted;
  const policy = context.policyOf(model);
  const listed = [model, ...listedBeside];
  const first = firstOf(listed, policy) ?? model;
  const calls = new Map(
    (wanted.asked ? firstCallsOf(wanted) : context.task.models).map((one) => [one.model, one.rate]),
  );
  const own = wanted.asked ? calls.get(first) : undefined;
  const isFirstOnly = countsFirstCalls(wanted, policy) && failsRegularly(own);
  if (!isFirstOnly && !failsRegularly(wantedLately)) return [];
  const failing = namedIn(where, 'model');
  // The past may blame a model that is no longer asked first.
  if (failing.length > 0 && !failing.includes(first) && !failsRegularly(own)) return [];
  const others = listed.filter((name) => name !== first);
  const areKnown = others.every((name) => (calls.get(name)?.of ?? 0) >= MIN_TASKS);
  // Among several, the best one is tried first.
  if (own && own.of < MOST_WAITED && others.length > 1 && !areKnown) return [];
  const now = isFirstOnly && own ? own : wantedLately;
  const isNoBetter = (name: string) => {
    const known = calls.get(name);
    if (known === undefined || known.of < MIN_TASKS) return false;
    if (!wanted.asked) return known.value >= now.value;
    // An order in force was chosen instead of the caller's own first model. `better-model` finds out if that changes.
    if (name === model) return true;
    // After a trial, the model that lost has many first calls: it need not lose again.
    if (known.of >= MANY_CALLS && own && own.of >= MANY_CALLS && known.value >= own.value) return true;
    // Fewer first calls, drawn at random, exclude a model that is unlikely to be better than the first one is lately.
    const present = own && own.value > wantedLately.value ? own : wantedLately;
    return callByCall(known).low >= now.value || (own !== undefined && leadOf(present, known) >= UNLIKELY);
  };
  const drawn = Object.keys(policy['model.weights']).length > 0;
  const tasks = isFirstOnly
    ? `of ${whole(now.of)} first calls failed at ${first}`
    : `of the last ${whole(now.of)} tasks failed that ask ${first} first`;
  return others
    .filter((name) => !isNoBetter(name))
    .sort((one, other) => expected(calls.get(one), now) - expected(calls.get(other), now))
    .map((name) => ({
      scope: { model },
      // Weights override an order.
      set: { 'model.order': [name], ...(drawn && { 'model.weights': {} }) },
      safe: true,
      ...(isFirstOnly && { atMost: { calls: 1 }, failing: now.value }),
      reason: `${percent(now.value)} ${tasks}: ask ${name} first, which their callers list as well`,
    }));
}

/** Returns by how many standard errors one model fails less than another one. */
function leadOf(one: Pick<Rate, 'value' | 'of'>, other: Pick<Rate, 'value' | 'of'>): number {
  const [less, more] = [betaPosterior(one), betaPosterior(other)];
  return (more.mean - less.mean) / Math.sqrt(less.variance + more.variance);
}

/** Returns the expected failure rate of a model, shrunk to that of the first one. */
function expected(known: Pick<Rate, 'value' | 'of'> | undefined, now: Pick<Rate, 'value'>): number {
  const { value, of } = known ?? { value: 0, of: 0 };
  return (value * of + now.value * MIN_TASKS) / (of + MIN_TASKS);
}

/** Returns the model of a list that these settings try first, or most often; `undefined` if they name none of it. */
function firstOf(listed: readonly string[], policy: Policy): string | undefined {
  const weights = Object.entries(policy['model.weights']).filter(([name]) => listed.includes(name));
  const [heaviest] = weights.sort((one, other) => other[1] - one[1]);
  return heaviest?.[0] ?? policy['model.order'].find((name) => listed.includes(name));
}
