import type { FixRow, ReviewView } from '../fix-views.js';
import { fixRow } from './fix-row.js';
import type { DataSource } from './source.js';

/** Decided fixes that are shown, newest first. */
const DECIDED = 500;

export function reviewView(source: DataSource): ReviewView {
  const others = rows(source).filter(({ waitsFor }) => waitsFor === undefined);
  return {
    waiting: waitingFixes(source),
    blocked: others.filter(({ status }) => status === 'proposed'),
    decided: others.filter(({ status }) => status !== 'proposed').slice(0, DECIDED),
  };
}

/** Returns the fixes that wait for a person, those that are longest undecided last. */
export function waitingFixes(source: DataSource): readonly FixRow[] {
  return rows(source).filter(({ waitsFor }) => waitsFor !== undefined);
}

function rows({ loop }: DataSource): readonly FixRow[] {
  return loop
    .fixes()
    .map((fix) => fixRow(loop, fix))
    .sort((a, b) => b.changedMs - a.changedMs || (a.id < b.id ? -1 : 1));
}
