import { LoopError } from 'rsi-loop';
import type { Variant } from 'rsi-loop/bench';
import type { CodeDecision, CodeEvidence } from './code-change.js';

/** Returns why the evidence does not show that a version is better; undefined if it does. */
export function evidenceFault(
  { name = 'candidate' }: Variant,
  { comparisons, repair }: CodeEvidence,
): string | undefined {
  if (repair && comparisons.length === 0) {
    const isWhole = [repair.before, repair.after].every((text) => text.trim() !== '') && repair.checks.length > 0;
    return isWhole ? undefined : `${name} is not proven: a repair needs a failure before it, and checks that passed`;
  }
  if (comparisons.length === 0) return `${name} is not proven: compare it on the held-out half first`;
  const other = comparisons.find(({ kind }) => kind !== 'better');
  return other && `${name} is not proven: the result of a comparison is ${other.kind}`;
}

/** @throws LoopError `invalid-input` without a person and a reason. */
export function mustBePerson({ by, reason }: CodeDecision): void {
  if (by?.trim() && reason?.trim()) return;
  throw new LoopError('invalid-input', 'a decision needs a person and a reason: give by and reason');
}

/** Returns the error for a step that the state of a change does not allow. */
export function illegal(why: string): LoopError {
  return new LoopError('illegal-step', why);
}
