import type { BenchmarkRow, BenchmarksView, ImprovementRow } from '../../bench-views.js';
import { endText, roundsText } from '../lib/bench-text.js';
import { countOf, percent, percentRange } from '../lib/format.js';
import { oneLine } from '../lib/recorded-text.js';
import { address } from '../lib/route.js';
import { useView } from '../lib/use-view.js';
import { Copyable } from '../parts/copyable.js';
import { Empty } from '../parts/empty.js';
import { Interval } from '../parts/interval.js';
import { Loaded } from '../parts/loaded.js';
import { Screen } from '../parts/screen.js';
import { Section } from '../parts/section.js';
import { State } from '../parts/state.js';
import { Table } from '../parts/table.js';
import type { Column } from '../parts/table-layout.js';
import { ResultOf } from './candidate-result.js';

export function BenchmarksScreen() {
  return (
    <Loaded<BenchmarksView> kept={useView('benchmarks', 'benchmarks')}>{(view) => <Benchmarks view={view} />}</Loaded>
  );
}

function Benchmarks({ view }: { readonly view: BenchmarksView }) {
  const { benchmarks, improvements, folder } = view;
  return (
    <Screen question="Which change is better?" title="Benchmarks" answer={benchmarksSummary(view)}>
      {benchmarks.length + improvements.length === 0 ? <Nothing folder={folder} /> : null}
      {improvements.length === 0 ? null : (
        <Section title="Improvements" note="proven on problems that no proposer has seen">
          <Table
            name="improvements"
            label="improvements"
            rows={improvements}
            columns={IMPROVEMENTS}
            rowKey={({ id }) => id}
            open={({ id }) => address(['improvements', id])}
          />
        </Section>
      )}
      {benchmarks.length === 0 ? null : (
        <Section title="Benchmarks">
          <Table
            label="benchmarks"
            rows={benchmarks}
            columns={BENCHMARKS}
            rowKey={({ id }) => id}
            open={({ id }) => address(['benchmarks', id])}
            order="-at"
          />
        </Section>
      )}
    </Screen>
  );
}

function Nothing({ folder }: { readonly folder: string | undefined }) {
  return folder === undefined ? (
    <Empty>This dashboard has no folder of benchmarks. Its owner names one with the option "bench".</Empty>
  ) : (
    <Empty>
      No benchmark has been run. One compares versions of your agent on your own problems:{' '}
      <Copyable command="npx rsi bench baseline" />
    </Empty>
  );
}

function benchmarksSummary({ benchmarks, improvements }: BenchmarksView): string {
  if (benchmarks.length + improvements.length === 0) return 'No benchmark has been run yet.';
  const waiting = improvements.filter((one) => one.waiting !== undefined).length;
  const better = benchmarks.flatMap(({ results }) => results).filter(({ kind }) => kind === 'better').length;
  const decide =
    waiting === 0
      ? ''
      : ` ${countOf(waiting, 'version')} of the agent ${waiting === 1 ? 'waits' : 'wait'} for a person.`;
  return `${countOf(better, 'candidate')} in ${countOf(benchmarks.length, 'benchmark')} proved better.${decide}`;
}

/** Score as it is, or the best result of a comparison. */
function Result({ row: { results, isDone, score } }: { readonly row: BenchmarkRow }) {
  if (!isDone) return <State tone="quiet" word="running or interrupted" />;
  if (score) return <>{`${percent(score.value)} of ${countOf(score.of, 'run')}`}</>;
  const best = results.find(({ kind }) => kind === 'better') ?? results[0];
  if (!best) return <span class="dim">no result</span>;
  return (
    <>
      <ResultOf result={best} />
      {results.length > 1 ? <span class="dim"> and {results.length - 1} more</span> : null}
    </>
  );
}

const ACTIONS: Readonly<Record<BenchmarkRow['action'], string>> = {
  run: 'one run of each problem',
  baseline: 'score as it is',
  compare: 'comparison',
};

const BENCHMARKS: readonly Column<BenchmarkRow>[] = [
  { key: 'suite', title: 'Suite', width: 160, value: ({ suite }) => suite },
  { key: 'at', title: 'Began', kind: 'time', width: 98, value: ({ atMs }) => atMs },
  { key: 'action', title: 'Kind', width: 170, value: ({ action }) => ACTIONS[action] },
  {
    key: 'result',
    title: 'Result',
    width: 320,
    isFlexible: true,
    value: ({ results, isDone }) => (isDone ? results.map(({ sentence }) => sentence).join(' ') : 'not finished'),
    cell: (row) => <Result row={row} />,
  },
  {
    key: 'score',
    title: '95 % interval',
    kind: 'drawing',
    width: 210,
    value: ({ score }) => score?.value,
    cell: ({ score }) =>
      score ? (
        <>
          <Interval {...score} max={1} arm="fix" /> {percentRange(score)}
        </>
      ) : (
        <span class="dim">–</span>
      ),
  },
];

const IMPROVEMENTS: readonly Column<ImprovementRow>[] = [
  { key: 'suite', title: 'Suite', width: 160, value: ({ suite }) => suite },
  { key: 'at', title: 'Last step', kind: 'time', width: 98, value: ({ atMs }) => atMs },
  { key: 'rounds', title: 'Rounds', width: 150, value: roundsText },
  {
    key: 'scores',
    title: 'Score, open half',
    width: 180,
    value: ({ scores }) => scores?.best,
    cell: ({ scores }) =>
      scores ? `${percent(scores.before)} → ${percent(scores.best)}` : <span class="dim">not measured</span>,
  },
  {
    key: 'waiting',
    title: 'Person',
    width: 180,
    value: ({ waiting }) => waiting && 'waits for a person',
    cell: ({ waiting }) =>
      waiting === undefined ? <span class="dim">–</span> : <State tone="waits" word="waits for a person" />,
  },
  { key: 'end', title: 'Ended', width: 210, isFlexible: true, value: (row) => oneLine(endText(row), 80) },
];
