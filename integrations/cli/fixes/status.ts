import type { Fix, FixDescription, FixStatus } from 'rsi-loop';
import type { Look, NextCommand, Paint } from '../terminal/look.js';
import { counted } from '../terminal/numbers.js';
import { columns, cut, plain } from '../terminal/text.js';

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

/** Fix with its description in words. */
export type DescribedFix = Fix & { readonly description: FixDescription };

/** Formats a status to end the sentence `No fix is ...`. */
export function statusWords(status: FixStatus): string {
  return status === 'trial' ? 'on trial' : status;
}

export function paintStatus(status: FixStatus, text: string, paint: Paint): string {
  return paint(STYLES[status], text);
}

/** Formats the first line about a fix: its id, its status, and what it is for. */
export function titleLine({ id, status, task, issue }: Fix, { width, paint }: Pick<Look, 'width' | 'paint'>): string {
  const title = cut(`${plain(task)} · ${plain(issue)}`, width - columns(plain(id) + status) - 4);
  return `${plain(id)}  ${paintStatus(status, status, paint)}  ${paint('bold', title)}`;
}

/** Sorts records with a status in the order of `STATUSES`; `second` orders those of one status. */
export function byStatus<Item extends { readonly status: FixStatus }>(
  items: readonly Item[],
  second: (one: Item, other: Item) => number = () => 0,
): readonly Item[] {
  const rank = ({ status }: Item) => STATUSES.indexOf(status);
  return [...items].sort((one, other) => rank(one) - rank(other) || second(one, other));
}

/** Describes what a person can do about the fix now; undefined if it waits for nothing. */
export function waitsFor(
  { id, status, needs, verdict, description }: DescribedFix,
  next: NextCommand,
): string | undefined {
  // A person can review a fix before any integration uses it.
  if (status === 'proposed' && needs !== undefined && !description.needsPerson) return `needs: ${needs}`;
  if (status === 'proposed') return `waits for a decision: ${next(`approve ${id}`)}`;
  if (status === 'trial' && verdict?.kind === 'inconclusive')
    return `not proven in time: "${next(`approve ${id}`)}" keeps it, "${next(`reject ${id}`)}" rolls it back`;
  if (status === 'reopened') return `its failures came back: "${next(`rollback ${id}`)}" rolls it back`;
  return undefined;
}

/** Describes what is needed to show that the fix halves the failures: `about 284 tasks, 3 hours`. */
export function forecastWords({ forecast, unit }: Fix): string {
  if (forecast.kind === 'not-testable') return `not testable here: ${plain(forecast.reason)}`;
  const units = `about ${counted(forecast.tasks, unit === 'session' ? 'session' : 'task')}`;
  // Less than a day of data was seen, so a figure in days would be a guess.
  const time = forecast.days === undefined ? '' : `, ${daysWords(forecast.days)}`;
  return `needs ${units}${time} to detect a 50 % reduction`;
}

/** Formats a duration, rounded up to whole days or hours: `3 days`, `5 hours`. */
function daysWords(value: number): string {
  return value >= 2 ? counted(Math.ceil(value), 'day') : counted(Math.max(1, Math.ceil(value * 24)), 'hour');
}
