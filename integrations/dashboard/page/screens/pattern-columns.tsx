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
export function patternColumns(patterns: readonly PatternRow[]): readonly Column<PatternRow>[] {
  const ends = patterns.map(({ rate }) => (rate.high < 1 ? rate.high : rate.value));
  const max = Math.min(1, Math.max(0.02, ...ends));
  const [task, message, rate, ...rest] = COLUMNS;
  const interval: Column<PatternRow> = {
    key: 'interval',
    title: `0 to ${percent(max)}`,
    kind: 'drawing',
    width: 120,
    value: ({ rate }) => `${digits(rate.low)} to ${digits(rate.high)}`,
    cell: ({ rate }) => <Interval {...rate} max={max} />,
  };
  return task && message && rate ? [task, message, rate, interval, ...rest] : COLUMNS;
}

const COLUMNS: readonly Column<PatternRow>[] = [
  {
    key: 'task',
    title: 'Task and failure',
    width: 200,
    value: ({ task, issue, template }) => `${task}: ${issue}: ${template}`,
    cell: ({ task, issue }) => (
      <>
        <Text value={task} limit={60} /> <span class="dim">{issueWord(issue)}</span>
      </>
    ),
  },
  { key: 'message', title: 'Message', width: 360, value: ({ template }) => template },
  {
    key: 'rate',
    title: 'Rate',
    kind: 'number',
    width: 144,
    value: ({ rate }) => rate.value,
    cell: ({ rate }) => <RateOf rate={rate} />,
  },
  {
    key: 'count',
    title: 'Times',
    kind: 'number',
    width: 84,
    value: ({ count: own }) => own,
    cell: (row) => count(row.count),
  },
  {
    key: 'trend',
    title: 'Trend',
    width: 96,
    value: ({ trend }) => trend,
    cell: ({ trend }) => <TrendOf trend={trend} />,
  },
  {
    key: 'line',
    title: 'Course',
    kind: 'drawing',
    width: 136,
    value: ({ trendLine }) => trendLine.join(' '),
    cell: ({ trendLine, count: own, trend }) => (
      <Sparkline counts={trendLine} label={`${countOf(own, 'occurrence')}, ${trend}`} />
    ),
  },
  {
    key: 'where',
    title: 'Where',
    width: 190,
    value: ({ where }) => whereText(where),
  },
  { key: 'since', title: 'Since', kind: 'time', width: 92, value: ({ firstSeenMs }) => firstSeenMs },
  { key: 'last', title: 'Last', kind: 'time', width: 92, value: ({ lastSeenMs }) => lastSeenMs },
  { key: 'episodes', title: 'Episodes', kind: 'number', width: 92, value: ({ episodes }) => episodes },
  { key: 'severity', title: 'Severity', width: 88, value: ({ severity }) => severity },
  {
    key: 'impact',
    title: 'Impact',
    kind: 'number',
    width: 84,
    value: ({ impact }) => impact.score,
    cell: ({ impact }) => digits(impact.score),
  },
  {
    key: 'fix',
    title: 'Fix',
    width: 170,
    value: ({ fix }) => fix?.status,
    cell: ({ fix }) => (fix ? <StatusOf status={fix.status} /> : <span class="dim">none</span>),
  },
];
