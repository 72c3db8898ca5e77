import { useMemo } from 'preact/hooks';
import type { ModelRow, ModelsView } from '../../views.js';
import { amount, count, countOf, digits, dollars, duration, percent, rateOf } from '../lib/format.js';
import { modelNames, shortModel } from '../lib/model-name.js';
import { usePage } from '../lib/page-context.js';
import { isolated } from '../lib/sentences.js';
import { usePeriodView } from '../lib/use-period-view.js';
import { Empty } from '../parts/empty.js';
import { Filter } from '../parts/filter.js';
import { Interval } from '../parts/interval.js';
import { Loaded } from '../parts/loaded.js';
import { WINDOW } from '../parts/period-choice.js';
import { RateOf } from '../parts/rate-of.js';
import { Screen } from '../parts/screen.js';
import { Sparkline } from '../parts/sparkline.js';
import { Table } from '../parts/table.js';
import type { Column } from '../parts/table-layout.js';
import { Text } from '../parts/text.js';

/** Task name of the rows that count all tasks of a model. */
const ALL = '*';

export function ModelsScreen() {
  return <Loaded<ModelsView> kept={usePeriodView(['models'], 'models')}>{(view) => <Models view={view} />}</Loaded>;
}

function Models({ view: { rows } }: { readonly view: ModelsView }) {
  const task = usePage().route.query.task ?? ALL;
  const tasks = useMemo(() => [...new Set(rows.map((row) => row.task))].filter((one) => one !== ALL).sort(), [rows]);
  const shown = useMemo(() => rows.filter((row) => row.task === task), [rows, task]);
  const columns = useMemo(() => columnsOf(shown), [shown]);
  return (
    <Screen question="Which model does what best?" title="Models" period={WINDOW} answer={modelsSummary(shown, task)}>
      {rows.length === 0 ? (
        <Empty command="install">No outcome names a model yet. Clients and hooks name it automatically.</Empty>
      ) : (
        <>
          {tasks.length < 2 && task === ALL ? null : (
            <div class="filters">
              <Filter name="task" title="Task" options={tasks.map((one) => [one, one])} />
            </div>
          )}
          <Table
            label="models"
            rows={shown}
            columns={columns}
            rowKey={(row) => `${row.model} ${row.task}`}
            order="rate"
            empty="No model was used for this task."
          />
        </>
      )}
    </Screen>
  );
}

function modelsSummary(rows: readonly ModelRow[], task: string): string {
  const known = rows.filter(({ rate }) => rate.of > 0);
  const [best, ...others] = [...known].sort((a, b) => a.rate.value - b.rate.value);
  if (!best) return 'Not enough data: no model has calls in this window.';
  const what = task === ALL ? 'over all tasks' : `for ${isolated(task)}`;
  if (task === ALL && others.length > 0) {
    return `${countOf(known.length, 'model')} were used. They may have done different tasks: choose a task to compare them.`;
  }
  if (others.length === 0)
    return `Only ${isolated(shortModel(best.model))} was used ${what}: ${rateOf(best.rate)} calls failed.`;
  const place = others.every(({ rate }) => rate.low > best.rate.high)
    ? 'fails least'
    : `fails least so far, but ${known.some(({ rate }) => rate.high < 1) ? 'the intervals overlap' : 'no interval is known yet'},`;
  return `${isolated(shortModel(best.model))} ${place} ${what}: ${rateOf(best.rate)} calls, among ${countOf(known.length, 'model')}.`;
}

function columnsOf(rows: readonly ModelRow[]): readonly Column<ModelRow>[] {
  const nameOf = modelNames(rows.map(({ model }) => model));
  const max = Math.min(1, Math.max(0.02, ...rows.map(({ rate }) => (rate.high < 1 ? rate.high : rate.value))) * 1.1);
  const optional = (
    key: string,
    title: string,
    value: (row: ModelRow) => number | undefined,
    format: (value: number) => string,
  ): Column<ModelRow> => ({
    key,
    title,
    kind: 'number',
    width: 104,
    isOptional: rows.every((row) => value(row) === undefined),
    value,
    cell: (row) => {
      const own = value(row);
      return own === undefined ? <span class="dim">unknown</span> : format(own);
    },
  });
  return [
    {
      key: 'model',
      title: 'Model',
      width: 180,
      value: ({ model }) => model,
      cell: ({ model }) => (
        <span title={model}>
          <Text value={nameOf(model)} limit={80} />
        </span>
      ),
    },
    {
      key: 'rate',
      title: 'Failed calls',
      kind: 'number',
      width: 140,
      value: ({ rate }) => rate.value,
      cell: ({ rate }) => <RateOf rate={rate} />,
    },
    {
      key: 'interval',
      title: `0 to ${percent(max)}`,
      kind: 'drawing',
      width: 130,
      value: ({ rate }) => `${digits(rate.low)} to ${digits(rate.high)}`,
      cell: ({ rate }) => <Interval {...rate} max={max} />,
    },
    optional('p50', 'Median', ({ p50Ms }) => p50Ms, duration),
    optional('p90', '90th pct.', ({ p90Ms }) => p90Ms, duration),
    optional('tokens', 'Mean tokens', ({ tokens }) => tokens, amount),
    optional('cost', 'Mean cost', ({ costUsd }) => costUsd, dollars),
    {
      key: 'failures',
      title: 'Failures',
      kind: 'drawing',
      width: 132,
      value: ({ failures }) => failures.join(' '),
      cell: ({ failures, calls }) => (
        <Sparkline counts={failures} label={`${count(sum(failures))} of ${count(sum(calls))} calls failed`} />
      ),
    },
  ];
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, one) => total + one, 0);
}
