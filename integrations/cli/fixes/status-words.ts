import type { Fix, FixDescription, FixStatus } from 'rsi-loop';
import { type Wait, waitOf } from '../../reports/wait.js';
import type { Look, NextCommand, Paint } from '../terminal/look.js';
import { columns, cut, plain } from '../terminal/terminal-text.js';

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
  'void',
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
  void: 'dim',
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

/** Describes what the fix waits for, with the command that answers it; undefined if it waits for nothing. */
export function waitWords(fix: DescribedFix, next: NextCommand): string | undefined {
  const wait = waitOf(fix, fix.description.needsPerson);
  if (wait === undefined) return undefined;
  const command = COMMANDS[wait.kind];
  return command === undefined ? wait.sentence : `${wait.sentence.replace(/\.$/, '')}: ${next(`${command} ${fix.id}`)}`;
}

/** Verb that a person types for each kind of wait; a change of the program needs none. */
const COMMANDS: Readonly<Record<Wait['kind'], string | undefined>> = {
  decide: 'approve',
  undecided: 'approve',
  returned: 'approve',
  remark: 'apply',
  program: undefined,
};
