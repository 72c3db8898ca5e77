import type { Clock } from '../contract/clock.js';
import { LoopError } from '../contract/errors.js';
import type { RebuildProgress } from '../contract/loop-event.js';
import { withinTime } from '../lib/within-time.js';
import { inWords } from './loop-state.js';

/** Maximum time for the store to save a decision, in milliseconds. */
const ANSWER_LIMIT_MS = 60_000;

/** Resolves as a decision does. @throws LoopError `store-failed` if the store does not answer within a minute. */
export function answerInTime<Result>(
  clock: Clock,
  decision: Promise<Result>,
  rebuilding: () => RebuildProgress | undefined,
): Promise<Result> {
  return withinTime(clock, decision, ANSWER_LIMIT_MS, () => {
    const progress = rebuilding();
    if (progress) throw new LoopError('store-failed', `${inWords(progress)}: try again when all are read`);
    const advice = 'look whether it was decided with loop.fixes(), and try again';
    throw new LoopError('store-failed', `the store gave no answer within ${ANSWER_LIMIT_MS / 1000} s: ${advice}`);
  });
}
