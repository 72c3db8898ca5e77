import type { InForce, RuleFix } from './in-force.js';
import { isInForce } from './ledger/legal-steps.js';
import { scopeCovers } from './policy.js';
import type { ArmAssignment, Scope, Trial } from './records.js';
import { assignArms } from './verify/assign.js';

/**
 * The rules a task is given under its arms: those in force that its agent does not read in a file anyway, and those on
 * trial whose fix arm it was given. A rule that stands in a file is held back by saying so.
 */
export function adviceOf({ rules }: InForce, scope: Scope, arms: readonly ArmAssignment[]): readonly string[] {
  if (rules.length === 0) return NO_ADVICE;
  return rules.flatMap((fix) => (scopeCovers(fix.change.scope, scope) ? ruleUnder(fix, arms) : []));
}

const NO_ADVICE: readonly string[] = [];

/** Whose advice is asked for. */
export interface AdviceFor {
  /** Default: every task, as for a session that begins. */
  readonly task?: string;
  /** With it the arm of the session is drawn, as `begin` would draw it. */
  readonly session?: string;
  readonly model?: string;
  readonly tool?: string;
  readonly source?: string;
  readonly agent?: string;
}

/** The same without beginning a task: reading draws the same arm, as nothing but the session decides it. */
export function readAdvice(inForce: InForce, { session, ...scope }: AdviceFor, atMs: number): readonly string[] {
  const about = (fix: RuleFix) => ({ ...scope, task: scope.task ?? fix.change.scope.task ?? '' });
  return inForce.rules.flatMap((fix) => {
    const task = about(fix);
    if (!scopeCovers(fix.change.scope, task)) return [];
    return ruleUnder(fix, session === undefined ? [] : armsOf(inForce.trials, session, task, atMs));
  });
}

function armsOf(trials: readonly Trial[], session: string, scope: Scope, atMs: number): readonly ArmAssignment[] {
  const bySession = trials.filter(({ unit }) => unit === 'session');
  return assignArms(bySession, { session, scope, atMs });
}

function ruleUnder({ id, status, change, written }: RuleFix, arms: readonly ArmAssignment[]): readonly string[] {
  const arm = arms.find(({ fixId }) => fixId === id)?.arm;
  if (status === 'trial') return arm === 'fix' ? [change.text] : NO_ADVICE;
  if (!isInForce(status)) return NO_ADVICE;
  if (arm === 'control') return written ? [`In this session, leave out rule ${id} of ${written.path}.`] : NO_ADVICE;
  return written ? NO_ADVICE : [change.text];
}
