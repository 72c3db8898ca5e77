import { useMemo } from 'preact/hooks';
import type { FixView, TrialPoint } from '../../fix-views.js';
import { Chart } from '../chart/chart.js';
import type { ChartData, ChartSeries } from '../chart/chart-data.js';
import { digits, percent } from '../lib/format.js';
import { wilson } from '../lib/wilson.js';
import { Section } from '../parts/section.js';

interface TrialChartsProps {
  readonly view: FixView;
  /** Whether the points count only the tasks that the fix could act on. */
  readonly isOfSome: boolean;
}

/** Shares of both arms and the evidence over the time of the trial. */
export function TrialCharts({ view, isOfSome }: TrialChartsProps) {
  const { points, lines, explanation } = view;
  const deadlineMs = explanation.fix.verdict ? undefined : explanation.fix.trial?.deadlineMs;
  const charts = useMemo(() => {
    const untilMs = endOfAxis(points, deadlineMs);
    return { rates: ratesOf(points, untilMs), evidence: evidenceOf(points, lines, untilMs) };
  }, [points, lines, deadlineMs]);
  if (!explanation.fix.trial) return null;
  if (points.length < 2) return <p class="dim">Charts appear once the trial has run for two cycles.</p>;
  return (
    <Section title="How did the trial run?" note="shaded: 95 % interval of each share at one time">
      <div class="charts">
        <Chart
          title={isOfSome ? 'Succeeded, of the tasks it could act on' : 'Succeeded'}
          summary="With and without the fix."
          data={charts.rates}
          format={percent}
          height={220}
        />
        <Chart
          title="Evidence, logarithmic"
          summary="Each line decides when it reaches the level of its colour."
          data={charts.evidence}
          format={digits}
          height={220}
        />
      </div>
    </Section>
  );
}

/** Leaves place for where the test can still go: to the deadline, or as long again as it has run if that is earlier. */
function endOfAxis(points: readonly TrialPoint[], deadlineMs: number | undefined): number | undefined {
  const [first] = points;
  const last = points.at(-1);
  if (deadlineMs === undefined || !first || !last) return undefined;
  return Math.min(deadlineMs, last.atMs + (last.atMs - first.atMs));
}

function ratesOf(points: readonly TrialPoint[], untilMs: number | undefined): ChartData {
  const series = [armSeries('with it', points, 'fix'), armSeries('without', points, 'control')];
  // An interval of the first tasks spans everything: the axis follows what is known in the second half.
  const known = series.flatMap(({ band }) => band?.low.slice(Math.floor(points.length / 2)) ?? []);
  const lowest = Math.min(0.98, ...known.filter((one): one is number => one !== null));
  const low = Math.max(0, 1 - 1.15 * (1 - lowest));
  return { times: points.map(({ atMs }) => atMs), series, low, high: 1, ...(untilMs !== undefined && { untilMs }) };
}

function armSeries(label: string, points: readonly TrialPoint[], arm: 'fix' | 'control'): ChartSeries {
  const bands = points.map((point) => wilson(point[arm].failures, point[arm].tasks));
  return {
    label,
    tone: arm === 'fix' ? 'accent' : 'control',
    values: points.map((point) => (point[arm].tasks > 0 ? 1 - point[arm].failures / point[arm].tasks : null)),
    band: { low: bands.map(({ high }) => 1 - high), high: bands.map(({ low }) => 1 - low) },
  };
}

function evidenceOf(
  points: readonly TrialPoint[],
  { confirmed, harm, noEffect }: FixView['lines'],
  untilMs: number | undefined,
): ChartData {
  const values = points.flatMap(({ eHelp, eHarm, eNone }) => [eHelp, eHarm, eNone]);
  return {
    times: points.map(({ atMs }) => atMs),
    isLog: true,
    low: Math.max(0.01, Math.min(0.3, ...values)),
    high: 2 * Math.max(confirmed, harm, noEffect, ...values),
    ...(untilMs !== undefined && { untilMs }),
    series: [
      { label: 'helps', tone: 'confirmed', values: points.map(({ eHelp }) => eHelp) },
      { label: 'harms', tone: 'failing', values: points.map(({ eHarm }) => eHarm) },
      { label: 'no effect', tone: 'control', values: points.map(({ eNone }) => eNone) },
    ],
    levels: [
      { value: confirmed, label: `confirmed at ${digits(confirmed)}`, tone: 'confirmed' },
      { value: harm, label: `harm at ${digits(harm)}`, tone: 'failing' },
      { value: noEffect, label: `no effect at ${digits(noEffect)}`, tone: 'control' },
    ],
  };
}
