import type { PatternRow } from '../../views.js';
import { count, countOf, digits, percent } from '../lib/format.js';
import { issueWord, whereText } from '../lib/sentences.js';
import { Interval } from '../parts/interval.js';
import { RateOf } from '../parts/rate-of.js';
import { Sparkline } from '../parts/sparkline.js';
import { StatusOf, TrendOf } from '../parts/state.js';
import type { Column } from '../parts/table-layout.js';
import { Text } from '../parts/text.js';

/** Columns of the table of patterns. Intervals share one axis, which ends where the largest of them does. */
export function patternColumns(patterns: readonly PatternRow[], sessions: number): readonly Column<PatternRow>[] {
  const ends = patterns.map(({ rate }) => (rate.high < 1 ? rate.high : rate.value));
  const max = Math.min(1, Math.max(0.02, ...ends));
  const isEverywhere = patterns.every(({ where }) => where === 'global');
  return [
    ...COLUMNS.slice(0, 3),
    {
      key: 'sessions',
      title: 'Sessions',
      kind: 'number',
      width: 92,
      value: (row) => row.sessions,
      cell: (row) =>
        row.sessions === 0 ? (
          <span class="dim">–</span>
        ) : (
          <span title={`${count(row.sessions)} of ${countOf(sessions, 'session')}`}>
            {percent(row.sessions / Math.max(1, sessions))}
          </span>
        ),
    },
    ...COLUMNS.slice(3).map((column) => (column.key === 'where' ? { ...column, isOptional: isEverywhere } : column)),
    {
      key: 'interval',
      title: `0 to ${percent(max)}`,
      kind: 'drawing',
      width: 120,
      isOptional: true,
      value: ({ rate }) => `${digits(rate.low)} to ${digits(rate.high)}`,
      cell: ({ rate }) => <Interval {...rate} max={max} />,
    },
  ];
}

const COLUMNS: readonly Column<PatternRow>[] = [
  {
    key: 'task',
    title: 'Task and failure',
    width: 164,
    value: ({ task, issue }) => `${task}: ${issueWord(issue)}`,
    cell: ({ task, issue }) => (
      <>
        <Text value={task} limit={60} /> <span class="dim">{issueWord(issue)}</span>
      </>
    ),
  },
  { key: 'message', title: 'Message', width: 240, isFlexible: true, value: ({ template }) => template },
  {
    key: 'rate',
    title: 'Failed',
    kind: 'number',
    width: 124,
    value: ({ rate }) => rate.value,
    cell: ({ rate }) => <RateOf rate={rate} />,
  },
  {
    key: 'trend',
    title: 'Trend',
    kind: 'drawing',
    width: 126,
    value: ({ trend }) => trend,
    cell: ({ trendLine, count: own, trend }) => (
      <span class="trend">
        <TrendOf trend={trend} isShort />
        <Sparkline counts={trendLine} width={84} label={`${countOf(own, 'occurrence')}, ${trend}`} />
      </span>
    ),
  },
  { key: 'last', title: 'Last', kind: 'time', width: 98, value: ({ lastSeenMs }) => lastSeenMs },
  {
    key: 'where',
    title: 'Where',
    width: 112,
    value: ({ where }) => whereText(where),
    cell: ({ where }) =>
      where === 'global' ? <span class="dim">everywhere</span> : <Text value={whereText(where)} limit={200} />,
  },
  {
    key: 'fix',
    title: 'Fix',
    width: 150,
    isOptional: true,
    value: ({ fix }) => fix?.status,
    cell: ({ fix }) => (fix ? <StatusOf status={fix.status} /> : <span class="dim">none</span>),
  },
  { key: 'assignee', title: 'Assigned to', width: 120, isOptional: true, value: ({ assignee }) => assignee },
  { key: 'count', title: 'Times', kind: 'number', width: 84, isOptional: true, value: (row) => row.count },
  {
    key: 'since',
    title: 'Since',
    kind: 'time',
    width: 92,
    isOptional: true,
    value: ({ firstSeenMs }) => firstSeenMs,
  },
  {
    key: 'episodes',
    title: 'Episodes',
    kind: 'number',
    width: 92,
    isOptional: true,
    value: ({ episodes }) => episodes,
  },
  { key: 'severity', title: 'Severity', width: 88, isOptional: true, value: ({ severity }) => severity },
  {
    key: 'impact',
    title: 'Impact',
    kind: 'number',
    width: 84,
    isOptional: true,
    value: ({ impact }) => impact.score,
    cell: ({ impact }) => digits(impact.score),
  },
];
