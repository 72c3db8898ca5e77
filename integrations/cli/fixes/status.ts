import type { Fix, FixStatus } from 'rsi-loop';
import type { NextCommand } from '../store/next-command.js';
import type { Paint } from '../terminal/paint.js';

/** All statuses in the order of the list: first those that need a person's decision, last those that are over. */
export const STATUSES = [
  'proposed',
  'reopened',
  'trial',
  'approved',
  'applied-unverified',
  'confirmed',
  'rolled-back',
  'rejected',
  'superseded',
  'expired',
] as const satisfies readonly FixStatus[];

const STYLES: Readonly<Record<FixStatus, Parameters<Paint>[0]>> = {
  proposed: 'yellow',
  approved: 'cyan',
  trial: 'cyan',
  confirmed: 'green',
  rejected: 'dim',
  'rolled-back': 'magenta',
  'applied-unverified': 'yellow',
  reopened: 'red',
  superseded: 'dim',
  expired: 'dim',
};

/** Formats a status to end the sentence `No fix is ...`. */
export function statusWords(status: FixStatus): string {
  return status === 'trial' ? 'on trial' : status;
}

export function paintStatus(status: FixStatus, text: string, paint: Paint): string {
  return paint(STYLES[status], text);
}

/** Describes what a person can do about the fix now; undefined if it waits for nothing. */
export function waitsFor({ id, status, change, needs, verdict }: Fix, next: NextCommand): string | undefined {
  // A rule can be reviewed before any integration uses it.
  if (status === 'proposed' && needs !== undefined && change.kind === 'policy') return `needs: ${needs}`;
  if (status === 'proposed') return `waits for a decision: ${next(`approve ${id}`)}`;
  if (status === 'trial' && verdict?.kind === 'inconclusive')
    return `could not be proven in time: "${next(`approve ${id}`)}" keeps it, "${next(`reject ${id}`)}" takes it back`;
  if (status === 'reopened') return `its failures came back: "${next(`rollback ${id}`)}" takes it back`;
  return undefined;
}
