import { describeFix, type Fix, type RSILoop } from 'rsi-loop';
import { legalDecisions } from 'rsi-loop/parts';
import type { FixRow } from '../fix-views.js';

/** Returns a fix as one row of a table. */
export function fixRow(loop: RSILoop, fix: Fix): FixRow {
  const { id, patternId, task, issue, change, target, status, reason, forecast, unit, safe, needs, changedMs } = fix;
  const description = describeFix(loop, fix);
  const waitsFor = whyItWaits(fix, description.needsPerson);
  return {
    id,
    patternId,
    task,
    issue,
    kind: change.kind,
    title: description.title,
    target,
    status,
    reason,
    forecast,
    unit,
    safe,
    ...(needs !== undefined && { needs }),
    changedMs,
    may: legalDecisions(fix),
    ...(waitsFor !== undefined && { waitsFor }),
  };
}

/** Returns what a person decides about a fix; undefined if it does not wait for a person. */
export function whyItWaits({ status, needs, verdict }: Fix, needsPerson: boolean): string | undefined {
  // A person can review a fix before any integration uses it. A safe one waits for the host.
  if (status === 'proposed' && needs !== undefined && !needsPerson) return undefined;
  if (status === 'proposed') return 'Approve it to start a trial, or reject it.';
  if (status === 'trial' && verdict?.kind === 'inconclusive') {
    return 'Its trial ended without a result. Approve it to keep it, or roll it back.';
  }
  return status === 'reopened' ? 'Its failures came back. Roll it back, or leave it in force.' : undefined;
}
