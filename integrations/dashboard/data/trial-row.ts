import type { Fix } from 'rsi-loop';
import type { TrialRow } from '../fix-views.js';
import { fixRow } from './fix-row.js';
import type { DataSource } from './source.js';

/** Returns the trials that run now, newest first. */
export function runningTrials(source: DataSource): readonly TrialRow[] {
  return source.loop
    .fixes()
    .filter(({ status, verdict }) => status === 'trial' && verdict === undefined)
    .sort((a, b) => (b.trial?.openedMs ?? 0) - (a.trial?.openedMs ?? 0))
    .flatMap((fix) => trialRow(source, fix) ?? []);
}

/** Returns the trials with a verdict, newest first. */
export function verdicts(source: DataSource): readonly TrialRow[] {
  return source.loop
    .fixes()
    .filter(({ verdict }) => verdict !== undefined)
    .sort((a, b) => (b.verdict?.atMs ?? 0) - (a.verdict?.atMs ?? 0))
    .flatMap((fix) => trialRow(source, fix) ?? []);
}

function trialRow({ loop }: DataSource, fix: Fix): TrialRow | undefined {
  const { trial, verdict, status } = fix;
  if (!trial) return undefined;
  const isOpen = status === 'trial' || status === 'confirmed';
  const figures = isOpen ? loop.verifier.figures(fix.id) : undefined;
  return {
    fix: fixRow(loop, fix),
    unit: trial.unit,
    phase: isOpen ? trial.phase : 'ended',
    startedMs: trial.openedMs,
    deadlineMs: trial.deadlineMs,
    ...(figures && { figures }),
    ...(verdict && { verdict }),
  };
}
