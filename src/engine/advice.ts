import type { Scope } from '../contract/scope.js';
import { scopeCovers, scopeCoversSession } from '../contract/scope.js';
import type { ArmAssignment } from '../contract/start.js';
import { isInForce } from '../ledger/legal-steps.js';
import { assignArms } from '../verify/assign.js';
import type { ActiveFixes, RuleFix } from './active-fixes.js';

/**
 * The rules a task is given under its arms: those in force that its agent does not read in a file anyway, and those on
 * trial whose fix arm its session is in. In a session they are those of all of its tasks, as in a file of the agent's;
 * without one those of this task. A rule that stands in a file is held back by saying so.
 */
export function adviceOf(
  { rules }: ActiveFixes,
  scope: Scope,
  arms: readonly ArmAssignment[],
  session: string | undefined,
): readonly string[] {
  if (rules.length === 0) return NO_ADVICE;
  const covers = session === undefined ? scopeCovers : scopeCoversSession;
  return rules.flatMap((fix) => (covers(fix.change.scope, scope) ? ruleUnder(fix, arms) : []));
}

const NO_ADVICE: readonly string[] = [];

/** Whose advice is asked for. */
export interface AdviceFor {
  /** Left out: the rules of every task, as for a session that begins. */
  readonly task?: string;
  /** With it the arm of the session is drawn, as `begin` would draw it. */
  readonly session?: string;
  readonly model?: string;
  readonly tool?: string;
  readonly source?: string;
  readonly agent?: string;
}

/** The same without beginning a task: reading draws the same arm, as nothing but the session decides it. */
export function readAdvice(
  activeFixes: ActiveFixes,
  { session, ...scope }: AdviceFor,
  atMs: number,
): readonly string[] {
  if (session === undefined && scope.task !== undefined) return adviceOf(activeFixes, scope, [], undefined);
  const bySession = activeFixes.trials.filter(({ unit }) => unit === 'session');
  const arms = session === undefined ? [] : assignArms(bySession, { session, scope, atMs });
  return adviceOf(activeFixes, scope, arms, session ?? '');
}

function ruleUnder({ id, status, change, written }: RuleFix, arms: readonly ArmAssignment[]): readonly string[] {
  const arm = arms.find(({ fixId }) => fixId === id)?.arm;
  if (status === 'trial') return arm === 'fix' ? [change.text] : NO_ADVICE;
  if (!isInForce(status)) return NO_ADVICE;
  if (arm === 'control') return written ? [`In this session, leave out rule ${id} of ${written.path}.`] : NO_ADVICE;
  return written ? NO_ADVICE : [change.text];
}
