import type { Issue } from '../contract/issue.js';
import type { Outcome } from '../contract/outcome.js';

/** One call inside a task: which model it asked, and whether that call failed. */
export type UseAttempt = (
  model: string | undefined,
  failed: boolean,
  issue: Issue | undefined,
  isLast: boolean,
) => void;

/**
 * Calls `use` for each call that the task made, in order. Rates of models come from these: a task that another model
 * rescued is one success, and one failure of the model that was asked first. A task without recorded attempts is one
 * call of its model. Cancelled calls say nothing about a model and are left out.
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
    // What the host says of the task is said of the answer it got.
    const failed = isLast ? !success : !attempt.success;
    use(attempt.model ?? model, failed, attempt.issue ?? (isLast ? issues[0] : undefined), isLast);
  });
}

/** The model that the task asked first; `model` of an outcome is the one that answered. */
export function askedModel({ attempts, model }: Outcome): string | undefined {
  return attempts?.[0]?.model ?? model;
}

/** Returns the model that the caller wanted, as the scope of a trial names it. The settings may ask another one first. */
export function wantedModel(outcome: Outcome): string | undefined {
  return outcome.models?.[0] ?? askedModel(outcome);
}
