import { fixRows } from '../../reports/fix-row.js';
import { isForPerson } from '../../reports/wait.js';
import type { ReviewView } from '../fix-views.js';
import type { DataSource } from './source.js';

/** Decided fixes that are shown, newest first. */
const DECIDED = 500;

export function reviewView({ loop }: DataSource): ReviewView {
  const rows = fixRows(loop);
  const others = rows.filter(({ wait }) => !isForPerson(wait));
  return {
    waiting: rows.filter(({ wait }) => isForPerson(wait)),
    blocked: others.filter(({ wait }) => wait?.kind === 'program'),
    remarks: others.filter(({ wait }) => wait?.kind === 'remark'),
    decided: others.filter(({ wait }) => wait === undefined).slice(0, DECIDED),
  };
}
