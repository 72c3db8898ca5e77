import { LoopError, mark } from 'rsi-loop';
import { askedFixes, type LoopHandle, mustBe, partsOf, showValue } from 'rsi-loop/kit';
import type { Receipt } from './receipt.js';

/**
 * Records that a person found the stop of a run wrong. It is an outcome of the run's task, and a marker in the history.
 * If such stops recur, the loop tries a higher number of the watch on a random part of the runs.
 * @throws LoopError `invalid-input` (as a rejection) for a stop that the watch did not make, or without a person.
 */
export async function markWrongStop(
  loop: LoopHandle,
  { id, task, why, message }: Pick<Receipt, 'id' | 'task' | 'why' | 'message'>,
  { by, reason }: { readonly by: string; readonly reason?: string },
): Promise<void> {
  for (const [field, text] of Object.entries({ id, task, why, reason: reason ?? '' }))
    mustBe(typeof text === 'string', field, showValue(text), 'a text');
  const issue = askedFixes.wrongStopOf(why);
  if (issue === undefined) {
    const advice = 'only stops for silence, loops, errors and nothing new can be wrong; a limit is a limit';
    throw new LoopError('invalid-input', `the stop of ${showValue(task)} was for ${showValue(why)}: ${advice}`);
  }
  if (typeof by !== 'string' || by.trim() === '') {
    throw new LoopError('invalid-input', 'a wrong stop needs a person: give { by: "your name" }');
  }
  await mark(loop, 'wrong-stop', `${task} ${id}${reason === undefined ? '' : `: ${reason}`}`, { by });
  partsOf(loop).observer.recordSimple(task, {
    success: false,
    issues: [issue],
    error: `a stop was wrong: ${message}`,
    context: { wrongStop: id, by },
  });
}
