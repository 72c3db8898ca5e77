import type { CycleReport } from '../contract/cycle-report.js';
import { whatFollows } from './conclude.js';
import type { CycleContext } from './cycle-context.js';

/** Appends the results of trials to the ledger and returns the verdicts. */
export async function concludeTrials(now: CycleContext): Promise<CycleReport['verdicts']> {
  const { ledger, verifier, events } = now;
  const entries = await ledger.appendLegal((state) => whatFollows(verifier.report(), state, now));
  for (const { fixId, why, count } of verifier.takeIgnored()) {
    events.emit({ kind: 'problem', where: 'verify', message: `trial of ${fixId}: ${count} ${IGNORED[why]}` });
  }
  for (const fix of ledger.state.active.values()) {
    const figures = fix.status === 'trial' ? verifier.figures(fix.id) : undefined;
    if (figures) events.emit({ kind: 'trial-progressed', fix, figures });
  }
  return entries.flatMap((entry) =>
    entry.kind === 'fix-moved' && entry.verdict ? [{ fixId: entry.fixId, verdict: entry.verdict }] : [],
  );
}

const IGNORED = {
  repeated: 'starts or ends with an id that was already known were ignored: give each task a new id',
  late: 'tasks were not bet on, because the unit they began in had been: look at the clocks of this machine and others',
  overdue:
    'tasks ended after their deadline and count as failed in the arm they were given: say how long they may take with `deadlineMs` in loop.run or loop.begin',
  'left-out': 'tasks were not bet on, because too many others have not ended',
} as const;
