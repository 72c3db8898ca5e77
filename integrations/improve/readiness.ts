import type { ImprovementStep } from './improvement-step.js';

/** Condition for improvement that runs unattended, with its figures. */
export interface ReadinessCondition {
  readonly name: 'rounds-without-crash' | 'accepted' | 'no-regression';
  readonly isMet: boolean;
  /** Rounds since the last crash, accepted drafts, or regressions of the last day. */
  readonly value: number;
  /** Least value; for regressions the highest one. */
  readonly needed: number;
}

/** Whether improvement may run unattended. */
export interface Readiness {
  readonly isReady: boolean;
  readonly conditions: readonly ReadinessCondition[];
}

const ROUNDS = 10;
const ACCEPTED = 3;
const DAY_MS = 24 * 3_600_000;

/**
 * Returns whether improvement may run unattended: its last ten rounds ran without a crash, three drafts were accepted,
 * and the last day had no regression. `improvements` has the steps of each improvement of one suite.
 *
 * A crash is a process that ended without the step `ended`; `isRunning` says that one has not ended yet. A draft is accepted if it was kept and no person rejected it.
 * A regression is a draft that never solves a problem which was always solved before, kept or not, or a rejection by a person.
 */
export function readiness(
  improvements: readonly (readonly ImprovementStep[])[],
  nowMs: number,
  { isRunning = false }: { readonly isRunning?: boolean } = {},
): Readiness {
  const steps = improvements.flat().sort((a, b) => a.atMs - b.atMs);
  const rounds = !isRunning && improvements.some(isUnfinished) ? 0 : roundsSinceCrash(steps);
  const accepted = improvements.reduce((sum, one) => sum + acceptedOf(one), 0);
  const regressions = steps.filter((step) => step.atMs > nowMs - DAY_MS && isRegression(step)).length;
  const conditions: readonly ReadinessCondition[] = [
    { name: 'rounds-without-crash', isMet: rounds >= ROUNDS, value: rounds, needed: ROUNDS },
    { name: 'accepted', isMet: accepted >= ACCEPTED, value: accepted, needed: ACCEPTED },
    { name: 'no-regression', isMet: regressions === 0, value: regressions, needed: 0 },
  ];
  return { isReady: conditions.every(({ isMet }) => isMet), conditions };
}

/** Returns whether the last process of an improvement has not ended, or has crashed. */
function isUnfinished(steps: readonly ImprovementStep[]): boolean {
  const last = steps.findLast((step) => !isDecision(step));
  return last !== undefined && last.kind !== 'ended';
}

function roundsSinceCrash(steps: readonly ImprovementStep[]): number {
  const since = steps.findLastIndex(({ kind }) => kind === 'resumed') + 1;
  return steps.slice(since).filter((step) => step.kind === 'decided' && !step.shortens).length;
}

function acceptedOf(steps: readonly ImprovementStep[]): number {
  const accepted = new Set<string>();
  for (const step of steps) {
    if ((step.kind === 'decided' && step.isKept && !step.shortens) || step.kind === 'approved')
      accepted.add(step.version);
    if (step.kind === 'rejected') accepted.delete(step.version);
  }
  return accepted.size;
}

function isRegression(step: ImprovementStep): boolean {
  if (step.kind === 'rejected') return true;
  return step.kind === 'decided' && step.comparison !== undefined && 'loses' in step.comparison;
}

function isDecision({ kind }: ImprovementStep): boolean {
  return kind === 'approved' || kind === 'rejected';
}
