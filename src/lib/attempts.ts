import type { Issue } from '../contract/issue.js';
import type { Outcome } from '../contract/outcome.js';

/** Receives one call inside a task: the model it used, and whether that call failed. */
export type UseAttempt = (
  model: string | undefined,
  failed: boolean,
  issue: Issue | undefined,
  isLast: boolean,
) => void;

/**
 * Calls `use` for each model call of a task, in order. Rates of models are computed from these calls.
 * If a second model rescued the task, that is one success, and one failure of the first model. A task without recorded
 * attempts counts as one call of its model. Cancelled calls are skipped, because they say nothing about a model.
 */
export function eachAttempt(outcome: Outcome, use: UseAttempt): void {
  const { attempts, model, success, issues } = outcome;
  const last = (attempts?.length ?? 0) - 1;
  if (attempts === undefined || last < 0) {
    use(model, !success, issues[0], true);
    return;
  }
  attempts.forEach((attempt, index) => {
    if (attempt.issue === 'cancelled') return;
    const isLast = index === last;
    // The host's result for the task applies to the last attempt.
    const failed = isLast ? !success : !attempt.success;
    use(attempt.model ?? model, failed, attempt.issue ?? (isLast ? issues[0] : undefined), isLast);
  });
}

/** Returns whether the first call of the task failed; undefined if it was cancelled. */
export function hasFailedFirst({ attempts = [], success, issues }: Outcome): boolean | undefined {
  const [first] = attempts;
  if ((first?.issue ?? (attempts.length <= 1 ? issues[0] : undefined)) === 'cancelled') return undefined;
  return first !== undefined && attempts.length > 1 ? !first.success : !success;
}

/** Returns the model that the task tried first. An outcome's `model` is the one that answered. */
export function askedModel({ attempts, model }: Outcome): string | undefined {
  return attempts?.[0]?.model ?? model;
}

/**
 * Returns the model that the caller named or listed first, as in a trial's scope. Settings may try another one first.
 */
export function wantedModel(outcome: Outcome): string | undefined {
  return outcome.models?.[0] ?? askedModel(outcome);
}
