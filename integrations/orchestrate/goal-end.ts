import type { TaskNode } from './run-state.js';
import type { StepBody } from './run-step.js';

/** Returns the step that ends a goal whose parts have ended: its result is that of its parts, by their own ids. */
export function goalEnd({ id, attempts: attempt, parts }: TaskNode): StepBody {
  const failed = parts.find(({ status }) => status !== 'done' && status !== 'replaced');
  if (failed) return { kind: 'failed', task: id, attempt, error: `${failed.id} did not succeed: ${failed.error}` };
  const done = parts.filter(({ status }) => status === 'done');
  const result = Object.fromEntries(done.map((part) => [part.id.slice(id.length + 1), part.result ?? null]));
  return { kind: 'done', task: id, attempt, result };
}
