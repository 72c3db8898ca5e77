import { useMemo } from 'preact/hooks';
import type { BenchmarkView, ProblemRow } from '../../bench-views.js';
import { scoreText } from '../lib/bench-text.js';
import { count, countOf, dollars, percent, percentRange } from '../lib/format.js';
import { oneLine } from '../lib/recorded-text.js';
import { address } from '../lib/route.js';
import { useView } from '../lib/use-view.js';
import { Diff } from '../parts/diff.js';
import { Facts } from '../parts/facts.js';
import { Loaded } from '../parts/loaded.js';
import { Screen } from '../parts/screen.js';
import { Section } from '../parts/section.js';
import { State } from '../parts/state.js';
import { Table } from '../parts/table.js';
import type { Column } from '../parts/table-layout.js';
import { Text } from '../parts/text.js';
import { When } from '../parts/when.js';
import { ResultOf } from './candidate-result.js';

export function BenchmarkScreen({ id }: { readonly id: string }) {
  const kept = useView(address(['benchmarks', id]), 'benchmarks');
  return <Loaded<BenchmarkView> kept={kept}>{(view) => <Benchmark view={view} />}</Loaded>;
}

function Benchmark({ view }: { readonly view: BenchmarkView }) {
  const { row, problems, omitted, versions } = view;
  const columns = useMemo(() => columnsOf(versions), [versions]);
  const name = <Text value={row.suite} limit={80} />;
  return (
    <Screen
      title={`Benchmark ${oneLine(row.suite, 60)}`}
      question={
        row.action === 'compare' ? <>Which version solves more of {name}?</> : <>How much of {name} is solved?</>
      }
      answer={<Answer view={view} />}
    >
      <Facts
        isShort
        facts={[
          ['Began', <When key="b" atMs={row.atMs} />],
          ['Cost', row.costUsd === undefined || row.costUsd === 0 ? undefined : dollars(row.costUsd)],
          ...view.versions.map((version, at): readonly [string, string] => {
            const mean = view.means[at];
            return [oneLine(version, 40), mean ? `${scoreText(mean)} runs` : 'not run'];
          }),
        ]}
      />
      {row.results.length === 0 ? null : (
        <Section title="Candidates" note="gain over the agent as it is, in points">
          <ul class="list">
            {row.results.map((result) => (
              <li key={result.candidate}>
                <ResultOf result={result} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title="Problems" note={omitted > 0 ? `${count(omitted)} more are left out` : 'mean score of all runs'}>
        <Table
          label="problems"
          rows={problems}
          columns={columns}
          rowKey={({ id }) => id}
          empty="No run has ended yet."
        />
      </Section>
      {view.changes.map(({ candidate, change }) => (
        <Section
          key={candidate}
          title={
            <>
              What <Text value={candidate} limit={60} /> changes
            </>
          }
        >
          {change.length === 0 ? <p class="dim">Nothing.</p> : <Diff change={change} unified={undefined} />}
        </Section>
      ))}
    </Screen>
  );
}

function Answer({ view: { row, problems } }: { readonly view: BenchmarkView }) {
  const { score, results, isDone } = row;
  if (score) {
    const unsolved = problems.filter(({ scores }) => scores[0]?.score === 0).length;
    return (
      <>
        {percent(score.value)} in {countOf(score.of, 'run')} (95 % interval {percentRange(score)}).{' '}
        {unsolved === 0 ? 'Every problem was solved at least once.' : `${countOf(unsolved, 'problem')} never solved.`}
      </>
    );
  }
  if (!isDone) return <>It is running, or was interrupted: --resume continues it.</>;
  const [best = results[0]] = results.filter(({ kind }) => kind === 'better');
  return best ? <Text value={best.sentence} limit={400} /> : <>It has no result.</>;
}

function columnsOf(versions: readonly string[]): readonly Column<ProblemRow>[] {
  return [
    { key: 'id', title: 'Problem', width: 220, value: ({ id }) => id },
    ...versions.map(
      (version, at): Column<ProblemRow> => ({
        key: `v${at}`,
        title: oneLine(version, 24),
        kind: 'number',
        width: 140,
        value: ({ scores }) => scores[at]?.score,
        cell: (row) => <ScoreOf row={row} at={at} />,
      }),
    ),
    { key: 'error', title: 'Last error', width: 300, value: ({ error }) => error },
  ];
}

/** Score of a version on a problem. Candidates that differ from the agent as it is get a mark. */
function ScoreOf({ row: { scores }, at }: { readonly row: ProblemRow; readonly at: number }) {
  const own = scores[at];
  if (!own) return <span class="dim">–</span>;
  const first = scores[0]?.score;
  if (at === 0 || first === undefined || own.score === first) return <>{scoreText(own)}</>;
  return <State tone={own.score > first ? 'confirmed' : 'failing'} word={scoreText(own)} />;
}
