import { useMemo } from 'preact/hooks';
import type { OverviewView } from '../../views.js';
import { Chart } from '../chart/chart.js';
import { type ChartData, timesOf } from '../chart/chart-data.js';
import { MarkerList } from '../chart/marker-list.js';
import { bucketName, count, score } from '../lib/format.js';
import { issueWord } from '../lib/sentences.js';
import { Section } from '../parts/section.js';

/** Health, tasks and failures by class over the same time, with the changes that may explain them. */
export function OverviewCharts({ view }: { readonly view: OverviewView }) {
  const { timeline, markers } = view;
  const charts = useMemo(() => chartsOf(view), [timeline, markers]);
  const bucket = bucketName(timeline.axis.stepMs);
  const total = (counts: readonly number[]) => count(counts.reduce((sum, one) => sum + one, 0));
  return (
    <Section title="How did it change?" note={`per ${bucket}; drag over a chart to see a shorter time`}>
      <div class="charts">
        <Chart title="Health" summary="Health score, 0 to 1, over time." data={charts.health} format={score} />
        <Chart
          title={`Tasks per ${bucket}`}
          summary={`${total(timeline.tasks)} tasks in all.`}
          data={charts.tasks}
          format={count}
        />
      </div>
      <MarkerList markers={markers} />
      {charts.failures.length === 0 ? null : (
        <div class="strips">
          <h3>Failures by class, most frequent first, on one scale</h3>
          {charts.failures.map((data, index) => {
            const { issue = 'other', counts = [] } = timeline.failures[index] ?? {};
            return (
              <Chart
                key={issue}
                title={`${issueWord(issue)} · ${total(counts)}`}
                summary={`${total(counts)} failures of the class ${issueWord(issue)}.`}
                data={data}
                format={count}
                height={index === charts.failures.length - 1 ? 92 : 58}
                hasTimeAxis={index === charts.failures.length - 1}
              />
            );
          })}
        </div>
      )}
    </Section>
  );
}

interface OverviewChartData {
  readonly health: ChartData;
  readonly tasks: ChartData;
  readonly failures: readonly ChartData[];
}

/** Least number of buckets that are shown, so that one busy hour does not fill the chart. */
const MIN_BUCKETS = 24;

/** Position where the records begin: an agent that was attached today has no empty week before. */
function firstBucket(tasks: readonly number[]): number {
  const first = tasks.findIndex((count) => count > 0);
  return Math.max(0, Math.min(first - 1, tasks.length - MIN_BUCKETS));
}

function chartsOf({ timeline, markers }: OverviewView): OverviewChartData {
  const times = timesOf(timeline.axis);
  const sinceMs = times[firstBucket(timeline.tasks)];
  const untilMs = timeline.axis.sinceMs + timeline.axis.buckets * timeline.axis.stepMs;
  const base = { times, markers, untilMs, ...(sinceMs !== undefined && { sinceMs }) };
  const most = Math.max(1, ...timeline.failures.flatMap(({ counts }) => counts));
  const scores = timeline.score.filter((one): one is number => one !== null);
  const lowest = Math.min(1, ...scores);
  return {
    health: {
      ...base,
      low: Math.max(0, Math.floor(lowest * 10 - 0.5) / 10),
      high: 1,
      series: [{ label: '', values: timeline.score, tone: 'accent' }],
    },
    tasks: { ...base, series: [{ label: '', values: timeline.tasks, tone: 'control', shape: 'bars' }] },
    failures: timeline.failures.map(({ counts }) => ({
      ...base,
      high: most,
      series: [{ label: '', values: counts, tone: 'failing', shape: 'bars' }],
    })),
  };
}
