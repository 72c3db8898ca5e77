import { useMemo } from 'preact/hooks';
import type { PatternView } from '../../views.js';
import { Chart } from '../chart/chart.js';
import { type ChartData, timesOf } from '../chart/chart-data.js';
import { MarkerList } from '../chart/marker-list.js';
import { bucketName, count } from '../lib/format.js';
import { Section } from '../parts/section.js';

/** Occurrences and tasks over time, with the changes that may explain them. */
export function PatternChart({ view }: { readonly view: PatternView }) {
  const { axis, markers, occurrences, tasks } = view;
  const bucket = bucketName(axis.stepMs);
  const { failed, all } = useMemo(() => {
    const base = { times: timesOf(axis), markers, untilMs: axis.sinceMs + axis.buckets * axis.stepMs };
    const failedData: ChartData = {
      ...base,
      series: [{ label: '', values: occurrences, tone: 'failing', shape: 'bars' }],
    };
    const allData: ChartData = { ...base, series: [{ label: '', values: tasks, tone: 'control', shape: 'bars' }] };
    return { failed: failedData, all: allData };
  }, [axis, markers, occurrences, tasks]);
  return (
    <Section title="When does it happen?" note={`per ${bucket}; drag over a chart to see a shorter time`}>
      <div class="charts">
        <Chart
          title={TITLES[view.pattern.kind] ?? 'Failures'}
          summary={`${count(sum(occurrences))} in all.`}
          data={failed}
          format={count}
          height={140}
        />
        <Chart
          title="Tasks of this name"
          summary={`${count(sum(tasks))} in all.`}
          data={all}
          format={count}
          height={140}
        />
      </div>
      <MarkerList markers={markers} />
    </Section>
  );
}

/** Names of what is counted, where it is no failure. */
const TITLES: Readonly<Record<string, string>> = { slow: 'Slow tasks', costly: 'Costly tasks' };

function sum(counts: readonly number[]): number {
  return counts.reduce((total, one) => total + one, 0);
}
