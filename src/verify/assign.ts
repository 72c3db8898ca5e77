import type { OutcomeId } from '../contract/ids.js';
import type { Scope } from '../contract/scope.js';
import { excludedBy, scopeCovers, scopeCoversSession } from '../contract/scope.js';
import type { ArmAssignment } from '../contract/start.js';
import type { Trial } from '../contract/trial.js';
import { hashUnit } from '../lib/hash.js';

/** Facts about a task at the time its arms are assigned. */
export interface BeginningTask {
  /** May be omitted if all trials in question randomise whole sessions. */
  readonly id?: OutcomeId;
  /** A task without a session gets no arm in trials that randomise whole sessions. */
  readonly session?: string;
  readonly scope: Scope;
  /** The `atMs` that its Start will carry. */
  readonly atMs: number;
}

/** Leading share of each block that is excluded from the bet because of carry-over from the previous block. */
const WASH_OUT = 0.3;
/** Share at the end of each block that is excluded if tasks stay open for long. Blocks are ten times as long as they do. */
const TAIL = 0.1;
/** Consecutive blocks of a ramp that use the same share. */
const BLOCKS_PER_LEVEL = 3;
/** Highest probability of the fix arm for an excluded kind of task. */
const EXPLORED = 0.02;
/** Probability of the fix arm in the other half of a ramp's levels, and before the ramp. */
export const EVEN_SHARE = 0.5;

/**
 * Assigns a task to an arm of each trial. Processes that know the same trials get the same arms, because only a seeded
 * hash of the fix and the unit decides. Independent assignments stay valid side by side. At most one confirmed fix is
 * held back from a task. If two are drawn for a holdout, neither task outcome is informative, so the share becomes 0 or
 * 1.
 */
export function assignArms(trials: readonly Trial[], task: BeginningTask): readonly ArmAssignment[] {
  const arms: ArmAssignment[] = [];
  let heldOut: HeldOut[] | undefined;
  for (const trial of trials) {
    const isInScope = isDrawn(trial, task.scope);
    const share = isInScope ? shareOf(trial, task) : exploredShare(trial, task.scope);
    // A share of 1 means that the fix is in force without a holdout: nothing to randomise.
    if (share >= 1 || share <= 0) continue;
    const unit = unitOf(trial, task);
    if (unit === undefined) continue;
    const arm = hashUnit(`${trial.fixId}\n${unit}`, trial.seed) < share ? 'fix' : 'control';
    if (trial.phase === 'holdout' && arm === 'control' && isInScope) {
      heldOut ??= [];
      heldOut.push({ index: arms.length, bySession: trial.unit === 'session' });
    }
    arms.push({ fixId: trial.fixId, unit, arm, share });
  }
  return heldOut ? withOneHeldOut(arms, heldOut, trials, task) : arms;
}

/** Returns whether the task is of a kind that a confirmed fix has not yet been shown to help. */
export function isDoubted({ doubted }: Trial, task: Scope): boolean {
  return doubted?.some((scope) => scopeCovers(scope, task)) === true;
}

/** Returns whether the trial randomises this task. A session counts whichever task begins first, in scope or not. */
function isDrawn({ unit, scope }: Trial, task: Scope): boolean {
  return unit === 'session' ? scopeCoversSession(scope, task) : scopeCovers(scope, task);
}

/**
 * Returns the share of a confirmed fix among tasks of a kind that it excludes; 0 for other tasks. So the fix stays
 * measurable there, as control does in the rest of the scope. Without a holdout, nothing is explored.
 */
function exploredShare({ unit, phase, share, scope }: Trial, task: Scope): number {
  const isExplored = phase === 'holdout' && unit === 'task' && excludedBy(scope, task) !== undefined;
  return isExplored ? Math.min(EXPLORED, 1 - share) : 0;
}

/** Confirmed fix assigned to control: its index in the list of arms, and whether its whole session goes without it. */
interface HeldOut {
  readonly index: number;
  readonly bySession: boolean;
}

/** Returns the trial unit that a task belongs to: the task itself, its session, or its time block. */
function unitOf(trial: Trial, task: Pick<BeginningTask, 'id' | 'session' | 'atMs'>): string | undefined {
  switch (trial.unit) {
    case 'task':
      return task.id;
    case 'session':
      return task.session;
    case 'block':
      return String(blockOf(trial, task.atMs));
    default:
      return trial.unit satisfies never;
  }
}

/** Returns the number of the block that contains `atMs`. Block 0 begins when the trial opens. */
export function blockOf(trial: Trial, atMs: number): number {
  return Math.floor((atMs - trial.openedMs) / (trial.blockMs ?? 1));
}

/** Returns the ramp level of a block; undefined for levels that began before the ramp. */
export function levelOf(trial: Trial, block: number): number | undefined {
  const level = Math.floor(block / BLOCKS_PER_LEVEL);
  const beginsMs = trial.openedMs + level * BLOCKS_PER_LEVEL * (trial.blockMs ?? 1);
  return beginsMs >= trial.phaseSinceMs ? level : undefined;
}

/** Returns the ramp level of a single task; undefined for levels that began before the ramp. */
export function levelAt({ openedMs, phaseSinceMs, levelMs = 1 }: Trial, atMs: number): number | undefined {
  const level = Math.floor((atMs - openedMs) / levelMs);
  return openedMs + level * levelMs >= phaseSinceMs ? level : undefined;
}

/** Returns the share drawn for a ramp level: the trial's share or 0.5; for single tasks what is left of 1. */
export function levelShare(trial: Trial, level: number): number {
  const other = trial.unit === 'task' ? 1 - trial.share : EVEN_SHARE;
  return hashUnit(`${trial.fixId}\nlevel\n${level}`, trial.seed) < EVEN_SHARE ? trial.share : other;
}

/** Returns whether `atMs` lies in the wash-out at the beginning of its block, which is excluded from the bet. */
export function isWashOut(trial: Trial, block: number, atMs: number): boolean {
  const blockMs = trial.blockMs ?? 1;
  return atMs - trial.openedMs - block * blockMs < WASH_OUT * blockMs;
}

/** Returns whether `atMs` lies in the last part of its block, in which a task may outlast the block. */
export function isTail(trial: Trial, block: number, atMs: number): boolean {
  const blockMs = trial.blockMs ?? 1;
  return atMs - trial.openedMs - block * blockMs >= (1 - TAIL) * blockMs;
}

/**
 * Returns the share for a task. In a ramp the share is itself randomised per level. This separates the effect of a high
 * share from background drift.
 */
function shareOf(trial: Trial, { atMs, scope }: BeginningTask): number {
  if (trial.phase !== 'ramp') return isDoubted(trial, scope) ? Math.min(EVEN_SHARE, trial.share) : trial.share;
  const level = trial.unit === 'task' ? levelAt(trial, atMs) : levelOf(trial, blockOf(trial, atMs));
  return level === undefined ? EVEN_SHARE : levelShare(trial, level);
}

/**
 * Limits holdouts to one fix per task. Without a confirmed fix, a task's outcome mixes that fix's effect with the
 * others' effects. The other fixes therefore count as not randomised. A fix randomised by session takes precedence and
 * is chosen per session, because all tasks of a session must share one arm. Choosing per task or block never changes
 * the assignment of a session.
 */
function withOneHeldOut(
  arms: readonly ArmAssignment[],
  heldOut: readonly HeldOut[],
  trials: readonly Trial[],
  task: BeginningTask,
): ArmAssignment[] {
  const bySession = heldOut.filter((one) => one.bySession);
  const among = bySession.length > 0 ? bySession : heldOut;
  const drawnBy = bySession.length > 0 ? task.session : task.id;
  const kept = among[Math.floor(hashUnit(`held back\n${drawnBy}`) * among.length)]?.index;
  const changed = new Set(
    trials
      .filter(({ phase, unit }) => phase === 'holdout' && (bySession.length > 0 || unit !== 'session'))
      .filter((trial) => isDrawn(trial, task.scope))
      .map(({ fixId }) => fixId),
  );
  return arms.map((one, index) => {
    if (!changed.has(one.fixId)) return one;
    if (index !== kept) return { ...one, arm: 'fix', share: 1 };
    return among.length === 1 ? one : { ...one, share: 0 };
  });
}
