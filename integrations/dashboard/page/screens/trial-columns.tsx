import type { TrialRow } from '../../fix-views.js';
import { digits, NOT_ENOUGH, rateOf } from '../lib/format.js';
import { issueWord } from '../lib/sentences.js';
import { Evidence } from '../parts/evidence.js';
import { StatusOf } from '../parts/state.js';
import type { Column } from '../parts/table-layout.js';

function figuresOf({ figures, verdict }: TrialRow) {
  return verdict && 'figures' in verdict ? verdict.figures : figures;
}

function armColumn(arm: 'fix' | 'control', title: string): Column<TrialRow> {
  const rate = (row: TrialRow) => {
    const own = figuresOf(row)?.[arm];
    return own && own.tasks > 0 ? { value: 1 - own.failures / own.tasks, of: own.tasks } : undefined;
  };
  return {
    key: arm,
    title,
    kind: 'number',
    width: 132,
    value: (row) => rate(row)?.value,
    cell: (row) => {
      const own = rate(row);
      return own ? rateOf(own) : <span class="dim">{NOT_ENOUGH}</span>;
    },
  };
}

/** Columns of the table of trials. */
export const TRIAL_COLUMNS: readonly Column<TrialRow>[] = [
  { key: 'title', title: 'Fix', width: 216, value: ({ fix }) => fix.title },
  {
    key: 'status',
    title: 'Status',
    width: 150,
    value: ({ fix }) => fix.status,
    cell: ({ fix }) => <StatusOf status={fix.status} />,
  },
  armColumn('fix', 'Succeed with it'),
  armColumn('control', 'Succeed without'),
  {
    key: 'effect',
    title: 'Failures, times control (interval)',
    isOptional: true,
    kind: 'number',
    width: 190,
    value: (row) => figuresOf(row)?.effect.value,
    cell: (row) => {
      const effect = figuresOf(row)?.effect;
      if (!effect) return <span class="dim">{NOT_ENOUGH}</span>;
      return `${digits(effect.value)} (${digits(effect.low)} to ${digits(effect.high)})`;
    },
  },
  {
    key: 'evidence',
    title: 'Evidence',
    kind: 'drawing',
    width: 140,
    value: (row) => figuresOf(row)?.eHelp,
    cell: (row) => {
      const figures = figuresOf(row);
      return figures ? <Evidence eHelp={figures.eHelp} needed={figures.needed} /> : <span class="dim">–</span>;
    },
  },
  { key: 'task', title: 'Task', width: 120, value: ({ fix }) => fix.task },
  { key: 'issue', title: 'Class', width: 120, isOptional: true, value: ({ fix }) => issueWord(fix.issue) },
  { key: 'started', title: 'Began', kind: 'time', width: 100, isOptional: true, value: ({ startedMs }) => startedMs },
  {
    key: 'decided',
    title: 'Ended',
    kind: 'time',
    width: 100,
    value: ({ verdict, ended }) => verdict?.atMs ?? ended?.atMs,
  },
];
