import { AUTO } from '../contract/fix.js';
import type { LedgerEntry } from '../contract/ledger-entry.js';
import type { ClockJump, Trial } from '../contract/trial.js';
import type { SeenJump } from '../lib/clock-watch.js';
import type { Components } from './components.js';

type ClockContext = Pick<Components, 'clock' | 'clockWatch' | 'ledger' | 'report'>;

/**
 * Reports a jump of the wall clock. If this process leads, moves the deadlines of all trials with it, so that a clock
 * that was set, or a machine that was suspended, ends no trial. Call it before the records of a cycle are read.
 */
export async function followClock({ clock, clockWatch, ledger, report }: ClockContext, leads: boolean): Promise<void> {
  const jump = clockWatch.look();
  if (!jump) return;
  const moved = describe(jump);
  report({ where: 'clock', message: `the clock of this machine ${moved}: trials keep their time; ${ADVICE}` });
  if (!leads) return;
  const reason = `the clock ${moved}, and the deadline moves with it`;
  await ledger.appendLegal(({ active }) =>
    [...active.values()].flatMap(({ id: fixId, status, trial }): LedgerEntry[] => {
      if (!trial || (status !== 'trial' && status !== 'confirmed') || hasFollowed(trial, jump)) return [];
      return [
        { kind: 'fix-moved', atMs: clock.now(), by: AUTO, fixId, to: status, reason, trial: afterJump(trial, jump) },
      ];
    }),
  );
}

const ADVICE = 'if it was neither set nor suspended, look at its time service';
const UNITS = [
  ['days', 86_400_000],
  ['hours', 3_600_000],
  ['minutes', 60_000],
] as const;

function describe({ fromMs, toMs }: ClockJump): string {
  const ms = Math.abs(toMs - fromMs);
  const [unit, unitMs] = UNITS.find(([, length]) => ms >= 2 * length) ?? UNITS[2];
  return `jumped ${toMs > fromMs ? 'ahead' : 'back'} by ${Math.round((10 * ms) / unitMs) / 10} ${unit}`;
}

function afterJump(trial: Trial, { fromMs, toMs }: SeenJump): Trial {
  return { ...trial, deadlineMs: trial.deadlineMs + toMs - fromMs, jump: { fromMs, toMs } };
}

/** Returns whether another process that led meanwhile has already moved the deadline by this jump. */
function hasFollowed({ jump }: Trial, { fromMs, toMs, lookedMs }: SeenJump): boolean {
  if (!jump || jump.fromMs < lookedMs) return false;
  return Math.abs(jump.toMs - jump.fromMs - (toMs - fromMs)) < UNITS[2][1];
}
