import type { OutcomeId } from '../contract/ids.js';
import type { Scope } from '../contract/scope.js';
import { scopeCovers, scopeCoversSession } from '../contract/scope.js';
import type { ArmAssignment } from '../contract/start.js';
import type { Trial } from '../contract/trial.js';
import { hashUnit } from '../lib/hash.js';

/** What is known of a task when its arms are drawn. */
export interface BeginningTask {
  /** Left out where only trials that draw whole sessions are asked about. */
  readonly id?: OutcomeId;
  /** A task without one gets no arm of a trial that draws whole sessions. */
  readonly session?: string;
  readonly scope: Scope;
  /** The `atMs` its Start will carry. */
  readonly atMs: number;
}

/** Part of each block, from its beginning, that nobody bets on: what the block before it left behind. */
const WASH_OUT = 0.3;
/** Blocks that share one drawn share while it ramps. */
const BLOCKS_PER_LEVEL = 3;
/** Probability of the fix arm in the other half of a ramp's levels, and before the ramp. */
export const EVEN_SHARE = 0.5;

/**
 * Draws the arms of a task: the same in every process that knows the same trials, because nothing but a seeded hash of
 * the fix and the unit decides. Independently drawn arms stay valid side by side. Among confirmed fixes at most one is
 * held back from a task; where two were drawn at once, neither says anything about the task and its share is 0 or 1.
 */
export function assignArms(trials: readonly Trial[], task: BeginningTask): readonly ArmAssignment[] {
  const arms: ArmAssignment[] = [];
  let heldBack: HeldBack[] | undefined;
  for (const trial of trials) {
    if (!isDrawn(trial, task.scope)) continue;
    const unit = unitOf(trial, task);
    if (unit === undefined) continue;
    const share = shareOf(trial, task.atMs);
    // A share of 1 is a fix that is in force without a hold-back: there is nothing to draw.
    if (share >= 1) continue;
    const arm = hashUnit(`${trial.fixId}\n${unit}`, trial.seed) < share ? 'fix' : 'control';
    if (trial.phase === 'hold-back' && arm === 'control') {
      heldBack ??= [];
      heldBack.push({ index: arms.length, bySession: trial.unit === 'session' });
    }
    arms.push({ fixId: trial.fixId, unit, arm, share });
  }
  return heldBack ? withOneHeldBack(arms, heldBack, trials, task) : arms;
}

/** A session is drawn whichever of its tasks is begun first, and whether or not the trial is about that one. */
function isDrawn({ unit, scope }: Trial, task: Scope): boolean {
  return unit === 'session' ? scopeCoversSession(scope, task) : scopeCovers(scope, task);
}

/** A confirmed fix whose arm is control: its place in the list of arms, and whether its whole session goes without it. */
interface HeldBack {
  readonly index: number;
  readonly bySession: boolean;
}

/** Which unit of the trial a task belongs to: itself, its session, or a slice of time. */
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

/** Number of the block that a moment lies in; 0 is the one that began when the trial opened. */
export function blockOf(trial: Trial, atMs: number): number {
  return Math.floor((atMs - trial.openedMs) / (trial.blockMs ?? 1));
}

/** Number of the level a block of a ramp belongs to; undefined for what began before the ramp. */
export function levelOf(trial: Trial, block: number): number | undefined {
  const level = Math.floor(block / BLOCKS_PER_LEVEL);
  const beginsMs = trial.openedMs + level * BLOCKS_PER_LEVEL * (trial.blockMs ?? 1);
  return beginsMs >= trial.phaseSinceMs ? level : undefined;
}

/** The share drawn for a level of a ramp: the trial's or an even one. */
export function levelShare(trial: Trial, level: number): number {
  return hashUnit(`${trial.fixId}\nlevel\n${level}`, trial.seed) < EVEN_SHARE ? trial.share : EVEN_SHARE;
}

/** Whether the moment lies in the first part of its block, which nobody bets on. */
export function isWashOut(trial: Trial, block: number, atMs: number): boolean {
  const blockMs = trial.blockMs ?? 1;
  return atMs - trial.openedMs - block * blockMs < WASH_OUT * blockMs;
}

/** In a ramp the share itself is drawn, level by level, so that what a high share does can be told from the weather. */
function shareOf(trial: Trial, atMs: number): number {
  if (trial.phase !== 'ramp') return trial.share;
  const level = levelOf(trial, blockOf(trial, atMs));
  return level === undefined ? EVEN_SHARE : levelShare(trial, level);
}

/**
 * Held back from a task is one fix at most. What the others' draws say about a task in which a confirmed fix is missing
 * would be mixed with what that fix does, so for them nothing counts as drawn. A fix drawn by session goes first and is
 * chosen by session, because all tasks of a session must be in one arm; one drawn by task or block never changes its draw.
 */
function withOneHeldBack(
  arms: readonly ArmAssignment[],
  heldBack: readonly HeldBack[],
  trials: readonly Trial[],
  task: BeginningTask,
): ArmAssignment[] {
  const bySession = heldBack.filter((one) => one.bySession);
  const among = bySession.length > 0 ? bySession : heldBack;
  const drawnBy = bySession.length > 0 ? task.session : task.id;
  const kept = among[Math.floor(hashUnit(`held back\n${drawnBy}`) * among.length)]?.index;
  const changed = new Set(
    trials
      .filter(({ phase, unit }) => phase === 'hold-back' && (bySession.length > 0 || unit !== 'session'))
      .map(({ fixId }) => fixId),
  );
  return arms.map((one, index) => {
    if (!changed.has(one.fixId)) return one;
    if (index !== kept) return { ...one, arm: 'fix', share: 1 };
    return among.length === 1 ? one : { ...one, share: 0 };
  });
}
