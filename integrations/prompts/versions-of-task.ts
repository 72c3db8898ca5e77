import type { ArmAssignment, Fix, FixStatus, LedgerEntry, Scope, Trial } from 'rsi-loop';
import { concerning } from 'rsi-loop/kit';
import type { TextEffect, TextUse } from './text-use.js';

/** Fix whose change is another version of a named text. */
export interface TextFix {
  readonly fix: Fix;
  readonly text: TextEffect;
  /** Its trial and its time in force, oldest step first. Sessions keep the step that they began in. */
  readonly steps: readonly FixStep[];
}

/** Status of a fix from one moment on, with its trial record at that time. */
export interface FixStep {
  readonly sinceMs: number;
  readonly status: FixStatus;
  readonly trial?: Trial | undefined;
}

const NO_USES: readonly TextUse[] = [];

/** Task or session to get texts for. */
export interface TextsFor {
  readonly scope: Scope;
  readonly arms: readonly ArmAssignment[];
  readonly session?: string | undefined;
  /** When its session began; absent for a task without a session. */
  readonly beganMs?: number | undefined;
}

/**
 * Returns the versions of texts that a task gets instead of the host's. A session keeps the versions it began with: a
 * trial that opened later does not concern it, and one that ended later continues. Only a rollback takes effect within
 * a session.
 */
export function textsOf(texts: readonly TextFix[], about: TextsFor): readonly TextUse[] {
  if (texts.length === 0) return NO_USES;
  const uses: TextUse[] = [];
  for (const one of texts) {
    const isInScope = concerning.scopeCovers(one.fix.change.scope, about.scope);
    const isGiven = isInScope ? givenTo(one, about) : isExplored(one, about) || undefined;
    if (isGiven !== undefined) uses.push({ effect: one.text, isGiven });
  }
  return uses;
}

/** Returns whether the task was drawn to explore a kind of task that the version excludes. */
function isExplored({ fix: { id, change } }: TextFix, { scope, arms }: TextsFor): boolean {
  if (concerning.excludedBy(change.scope, scope) === undefined) return false;
  return arms.some(({ fixId, arm }) => fixId === id && arm === 'fix');
}

/** Returns whether the version is given, or held back although in force; undefined if it does not concern the task. */
function givenTo({ fix, steps }: TextFix, about: TextsFor): boolean | undefined {
  const step = stepAt(steps, about.beganMs);
  if (!step) return undefined;
  const arm = step === steps.at(-1) ? about.arms.find(({ fixId }) => fixId === fix.id)?.arm : armAt(step, about);
  if (step.status === 'trial') return arm === 'fix' ? true : undefined;
  return concerning.isInForce(step.status) ? arm !== 'control' : undefined;
}

/**
 * Returns the step before a session began, and the newest one without a session. In the same millisecond, the session
 * counts as the earlier one.
 */
function stepAt(steps: readonly FixStep[], beganMs = Number.POSITIVE_INFINITY): FixStep | undefined {
  return steps.findLast(({ sinceMs }) => sinceMs < beganMs);
}

/** Returns the arm that a session drew when it began. Sessions take no part in trials by task. */
function armAt({ trial }: FixStep, { session, beganMs = 0, scope }: TextsFor): ArmAssignment['arm'] | undefined {
  if (trial?.unit !== 'session' || session === undefined) return undefined;
  return concerning.assignArms([trial], { session, scope, atMs: beganMs })[0]?.arm;
}

/**
 * Returns the arms without those of texts that the session does not take part in: it began before the last step of the
 * trial, or the trial is by task. So a session keeps one version.
 */
export function withoutEarlier(
  arms: readonly ArmAssignment[],
  texts: readonly TextFix[],
  beganMs: number,
): readonly ArmAssignment[] {
  if (texts.length === 0) return arms;
  return arms.filter(({ fixId }) => {
    const text = texts.find(({ fix }) => fix.id === fixId);
    return !text || (text.fix.trial?.unit === 'session' && stepAt(text.steps, beganMs) === text.steps.at(-1));
  });
}

/** Returns the steps of a fix that began to be tried. */
export function stepsOf(history: readonly LedgerEntry[]): readonly FixStep[] {
  const steps: FixStep[] = [];
  for (const entry of history) {
    if (entry.kind === 'fix-proposed') steps.length = 0;
    if (entry.kind !== 'fix-moved' || !(concerning.isRandomised(entry.to) || concerning.isInForce(entry.to))) continue;
    steps.push({ sinceMs: entry.atMs, status: entry.to, trial: entry.trial ?? steps.at(-1)?.trial });
  }
  return steps;
}
