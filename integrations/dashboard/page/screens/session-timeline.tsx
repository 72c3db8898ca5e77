import { useMemo } from 'preact/hooks';
import type { Outcome } from 'rsi-loop';
import type { SessionView } from '../../session-views.js';
import { Link } from '../parts/link.js';
import { Sparkbar } from '../parts/sparkbar.js';
import { Table } from '../parts/table.js';
import type { Column } from '../parts/table-layout.js';
import { OUTCOME_COLUMNS } from './outcome-columns.js';

/** Calls of a session in the order they ended, each with its place in time. */
export function SessionTimeline({ view }: { readonly view: SessionView }) {
  const { calls, patterns, session } = view;
  const columns = useMemo(() => columnsOf(view), [calls, patterns, session]);
  return <Table label="calls" rows={calls} columns={columns} rowKey={({ id }) => id} order="at" />;
}

function columnsOf({ patterns, session, calls }: SessionView): readonly Column<Outcome>[] {
  const firstMs = Math.min(session.firstMs, ...calls.slice(0, 1).map(startOf));
  const lengthMs = Math.max(1, session.lastMs - firstMs);
  const [task, at, ...rest] = OUTCOME_COLUMNS;
  if (!task || !at) return OUTCOME_COLUMNS;
  return [
    task,
    {
      key: 'time-line',
      title: 'When in the session',
      kind: 'drawing',
      width: 190,
      value: ({ atMs }) => atMs - firstMs,
      cell: (outcome) => (
        <Sparkbar
          from={(startOf(outcome) - firstMs) / lengthMs}
          to={(outcome.atMs - firstMs) / lengthMs}
          isFailed={!outcome.success}
        />
      ),
    },
    at,
    ...rest,
    {
      key: 'pattern',
      title: 'Pattern',
      width: 120,
      value: ({ id }) => patterns[id],
      cell: ({ id }) => {
        const pattern = patterns[id];
        return pattern === undefined ? <span class="dim">–</span> : <Link to={['patterns', pattern]}>see pattern</Link>;
      },
    },
  ];
}

function startOf({ atMs, durationMs = 0 }: Outcome): number {
  return atMs - durationMs;
}
