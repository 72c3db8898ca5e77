import type { Fix, LoopEvent, RSILoop } from 'rsi-loop';
import type { DashboardEvent } from '../views.js';
import { nameOfFix } from './fix-name.js';

export type Happened = Extract<DashboardEvent, { kind: 'happened' }>;

/** Calls `handler` for what happens to patterns and fixes, in words. Returns an unsubscribe function. */
export function onHappened(loop: RSILoop, nowMs: () => number, handler: (happened: Happened) => void): () => void {
  const tell = (sentence: string, fix?: Fix) =>
    handler({ kind: 'happened', atMs: nowMs(), sentence, ...(fix && { fixId: fix.id }) });
  const nameOf = (fix: Fix) => nameOfFix(loop, fix);
  const ends = [
    loop.on('pattern-found', ({ pattern }) => tell(`New pattern: ${pattern.task} fails with ${pattern.issue}.`)),
    loop.on('burst', ({ task, issue, count }) => tell(`Burst: ${count} failures of ${task} with ${issue}.`)),
    loop.on('fix-proposed', ({ fix }) => tell(`Proposed ${nameOf(fix)}.`, fix)),
    loop.on('fix-approved', ({ fix }) => tell(`Approved ${nameOf(fix)}.`, fix)),
    loop.on('fix-rejected', ({ fix }) => tell(`Rejected ${nameOf(fix)}.`, fix)),
    loop.on('trial-started', ({ fix }) => tell(`Started the trial of ${nameOf(fix)}.`, fix)),
    loop.on('verdict', ({ fix, verdict }) => tell(`${verdictOf(verdict)}: ${nameOf(fix)}.`, fix)),
    loop.on('fix-rolled-back', ({ fix }) => tell(`Rolled back ${nameOf(fix)}.`, fix)),
    loop.on('fix-reopened', ({ fix }) => tell(`Failures came back after ${nameOf(fix)}.`, fix)),
    loop.on('fix-voided', ({ fix, reason }) => tell(`The trial of ${nameOf(fix)} is void: ${reason}.`, fix)),
  ];
  return () => {
    for (const end of ends) end();
  };
}

function verdictOf({ kind }: Extract<LoopEvent, { kind: 'verdict' }>['verdict']): string {
  switch (kind) {
    case 'confirmed':
      return 'Confirmed';
    case 'failed':
      return 'Failed its trial';
    case 'inconclusive':
      return 'No result in time';
    default:
      return kind satisfies never;
  }
}
