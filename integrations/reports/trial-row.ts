import type { Fix, RSILoop, TrialFigures, UnitKind, Verdict } from 'rsi-loop';
import type { RuleFollowed } from 'rsi-loop/sources/agents';
import { type FixRow, fixRow } from './fix-row.js';

/** Fix with a trial as one row: running, with a verdict, or ended without one. */
export interface TrialRow {
  readonly fix: FixRow;
  readonly unit: UnitKind;
  readonly phase: 'running' | 'ramp' | 'holdout' | 'ended';
  readonly startedMs: number;
  readonly deadlineMs: number;
  readonly figures?: TrialFigures;
  readonly verdict?: Verdict;
  /** End without a verdict: by a person, a freeze, or because both arms did the same. */
  readonly ended?: { readonly atMs: number; readonly by: string; readonly reason: string };
  /** How often the tasks or sessions that got a rule followed it, if their calls show it. */
  readonly followed?: RuleFollowed;
}

/** Returns the trials that run now, newest first. */
export function runningTrials(loop: RSILoop): readonly TrialRow[] {
  return loop
    .fixes()
    .filter(({ status, verdict }) => status === 'trial' && verdict === undefined)
    .sort((a, b) => (b.trial?.openedMs ?? 0) - (a.trial?.openedMs ?? 0))
    .flatMap((fix) => trialRow(loop, fix) ?? []);
}

/** Returns the trials that are over, newest end first: with a verdict, and those that something else ended. */
export function endedTrials(loop: RSILoop): readonly TrialRow[] {
  return loop
    .fixes()
    .filter((fix) => fix.verdict !== undefined || wasEnded(fix))
    .sort((a, b) => endMs(b) - endMs(a))
    .flatMap((fix) => trialRow(loop, fix) ?? []);
}

/** Returns whether the newest trial of a fix ended without a verdict. */
function wasEnded({ status, verdict, trialEnd }: Fix): boolean {
  return trialEnd !== undefined && verdict === undefined && status !== 'trial';
}

function endMs({ verdict, trialEnd }: Fix): number {
  return verdict?.atMs ?? trialEnd?.atMs ?? 0;
}

function trialRow(loop: RSILoop, fix: Fix): TrialRow | undefined {
  const { verdict, status, trialEnd } = fix;
  const ended = wasEnded(fix) ? trialEnd : undefined;
  const trial = fix.trial ?? ended?.trial;
  if (!trial) return undefined;
  const isOpen = status === 'trial' || status === 'confirmed';
  const figures = isOpen ? loop.verifier.figures(fix.id) : ended?.figures;
  return {
    fix: fixRow(loop, fix),
    unit: trial.unit,
    phase: isOpen ? trial.phase : 'ended',
    startedMs: trial.openedMs,
    deadlineMs: trial.deadlineMs,
    ...(figures && { figures }),
    ...(verdict && { verdict }),
    ...(ended && { ended: { atMs: ended.atMs, by: ended.by, reason: ended.reason } }),
  };
}
