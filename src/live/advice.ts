import type { Deployment } from '../contract/deployment.js';
import type { JsonObject } from '../contract/json.js';
import type { Scope } from '../contract/scope.js';
import { excludedBy, scopeCovers, scopeCoversSession } from '../contract/scope.js';
import type { ArmAssignment } from '../contract/start.js';
import { isInForce } from '../ledger/legal-steps.js';
import type { Features } from '../run/begin-options.js';
import { assignArms } from '../verify/assign.js';
import type { ActiveFixes, AdviceFix } from './active-fixes.js';

/**
 * Returns the rules for a task, given its arms. These are rules in force that the agent's files do not contain, and
 * trial rules if the session drew their fix arm.
 * In a session, rules of all its tasks count, as they would in an agent file. Without a session, only rules of this
 * task count. In the control arm, an instruction to ignore it replaces a rule that is in a file.
 */
export function adviceOf(
  { advice }: ActiveFixes,
  scope: Scope,
  arms: readonly ArmAssignment[],
  session: string | undefined,
): readonly string[] {
  if (advice.length === 0) return NO_ADVICE;
  const covers = session === undefined ? scopeCovers : scopeCoversSession;
  return advice.flatMap((one) => (covers(one.fix.change.scope, scope) ? adviceUnder(one, arms) : []));
}

const NO_ADVICE: readonly string[] = [];

/** Task or session to get advice for. */
export interface AdviceFor extends Deployment {
  /** If absent: the rules of all tasks, as for a new session. */
  readonly task?: string;
  /** If given, the session's arm is drawn as `begin` would draw it. */
  readonly session?: string;
  readonly model?: string;
  readonly tool?: string;
  readonly source?: string;
  readonly agent?: string;
  readonly features?: Features;
}

/** Returns the same advice without starting a task. The arm is the same, because it depends only on the session. */
export function readAdvice(
  activeFixes: ActiveFixes,
  { session, features: _, ...scope }: AdviceFor,
  atMs: number,
): readonly string[] {
  if (session === undefined && scope.task !== undefined) return adviceOf(activeFixes, scope, [], undefined);
  const bySession = activeFixes.trials.filter(({ unit }) => unit === 'session');
  const arms = session === undefined ? [] : assignArms(bySession, { session, scope, atMs });
  return adviceOf(activeFixes, scope, arms, session ?? '');
}

function adviceUnder({ fix, text }: AdviceFix, arms: readonly ArmAssignment[]): readonly string[] {
  const { id, status, written } = fix;
  const arm = arms.find(({ fixId }) => fixId === id)?.arm;
  if (status === 'trial') return arm === 'fix' ? [text] : NO_ADVICE;
  if (!isInForce(status)) return NO_ADVICE;
  if (arm === 'control') return written ? [`In this session, leave out rule ${id} of ${written.path}.`] : NO_ADVICE;
  return written ? NO_ADVICE : [text];
}

/** Returns the data of changes that a task gets: in force and not held out, or on trial in its fix arm. */
export function givenTo(
  { given }: ActiveFixes,
  scope: Scope,
  arms: readonly ArmAssignment[],
  session: string | undefined,
): readonly JsonObject[] {
  if (given.length === 0) return NOTHING_GIVEN;
  return given.flatMap(({ fix: { id, status, change, unit }, given: data }) => {
    const covers = unit === 'session' && session !== undefined ? scopeCoversSession : scopeCovers;
    const arm = arms.find(({ fixId }) => fixId === id)?.arm;
    const isGiven = status === 'trial' ? arm === 'fix' : isInForce(status) && arm !== 'control';
    const isExplored = arm === 'fix' && excludedBy(change.scope, scope) !== undefined;
    return isExplored || (isGiven && covers(change.scope, scope)) ? [data] : [];
  });
}

const NOTHING_GIVEN: readonly JsonObject[] = [];
