import type { RunRow, RunsView } from '../../run-views.js';
import { count, countOf, duration } from '../lib/format.js';
import { address } from '../lib/route.js';
import { TONES } from '../lib/run-text.js';
import { useView } from '../lib/use-view.js';
import { Empty } from '../parts/empty.js';
import { Loaded } from '../parts/loaded.js';
import { Screen } from '../parts/screen.js';
import { State } from '../parts/state.js';
import { Table } from '../parts/table.js';
import type { Column } from '../parts/table-layout.js';

export function RunsScreen() {
  return <Loaded<RunsView> kept={useView('runs', 'runs')}>{(view) => <Runs view={view} />}</Loaded>;
}

function Runs({ view }: { readonly view: RunsView }) {
  const { runs, folder } = view;
  return (
    <Screen question="How far are the runs?" title="Runs" answer={runsSummary(view)}>
      {runs.length === 0 ? (
        <Nothing folder={folder} />
      ) : (
        <Table
          label="runs"
          rows={runs}
          columns={RUNS}
          rowKey={({ id }) => id}
          open={({ id }) => address(['runs', id])}
          order="-changed"
        />
      )}
    </Screen>
  );
}

function Nothing({ folder }: { readonly folder: string | undefined }) {
  return folder === undefined ? (
    <Empty>This dashboard has no folder of runs. Its owner names one with the option "runs".</Empty>
  ) : (
    <Empty command={`orchestrate(loop, { folder: ${JSON.stringify(folder)}, tasks, workers })`}>
      No run is kept here. A program begins one with orchestrate() of rsi-loop/orchestrate.
    </Empty>
  );
}

function runsSummary({ runs }: RunsView): string {
  if (runs.length === 0) return 'No run of tasks has begun yet.';
  const of = (status: RunRow['status']) => runs.filter((run) => run.status === status).length;
  const parts = (['running', 'stopped', 'failed'] as const).map((status) => `${count(of(status))} ${status}`);
  const next = of('stopped') > 0 ? ' Stopped runs wait until they are resumed.' : '';
  return `${countOf(runs.length, 'run')}: ${parts.join(', ')}.${next}`;
}

const RUNS: readonly Column<RunRow>[] = [
  { key: 'id', title: 'Run', width: 170, value: ({ id }) => id },
  {
    key: 'status',
    title: 'State',
    width: 120,
    value: ({ status }) => status,
    cell: ({ status }) => <State tone={TONES[status]} word={status} />,
  },
  {
    key: 'done',
    title: 'Done',
    kind: 'number',
    width: 120,
    value: ({ counts }) => counts.done,
    cell: ({ counts, tasks }) => `${count(counts.done)} of ${count(tasks)}`,
  },
  { key: 'failed', title: 'Failed', kind: 'number', width: 70, value: ({ counts }) => counts.failed },
  { key: 'changed', title: 'Last step', kind: 'time', width: 98, value: ({ changedMs }) => changedMs },
  {
    key: 'length',
    title: 'Length',
    kind: 'number',
    width: 80,
    value: ({ beganMs, changedMs }) => changedMs - beganMs,
    cell: ({ beganMs, changedMs }) => duration(changedMs - beganMs),
  },
  { key: 'name', title: 'Name', width: 110, value: ({ name }) => name },
  { key: 'why', title: 'Reason', width: 220, isFlexible: true, value: ({ why }) => why },
];
