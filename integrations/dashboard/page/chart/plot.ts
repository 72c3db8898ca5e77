import type { ChartData, TimeRange } from './chart-data.js';

/** Area of a chart inside its axes, in CSS pixels, with the times and values at its edges. */
export interface Plot {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly low: number;
  readonly high: number;
  readonly isLog: boolean;
}

export interface PlotSize {
  readonly width: number;
  readonly height: number;
  readonly hasTimeAxis: boolean;
}

const VALUE_AXIS_PX = 52;
const TIME_AXIS_PX = 34;
const LETTER_PX = 6.6;
/** Longest name drawn at the end of a line. */
export const MAX_LABEL = 22;
/** Smallest value of a logarithmic axis, which has no 0. */
const MIN_LOG = 0.01;

/** Lays out a chart: leaves room for the axes, the numbers of markers, and names at the ends of lines. */
export function plotOf(data: ChartData, { width, height, hasTimeAxis }: PlotSize, range: TimeRange | undefined): Plot {
  const longest = Math.max(0, ...data.series.map(({ label }) => Math.min(label.length, MAX_LABEL) + 7));
  const right = Math.min(longest * LETTER_PX + 8, width * 0.36);
  const top = data.markers?.length ? 18 : 8;
  return {
    left: VALUE_AXIS_PX,
    top,
    width: Math.max(10, width - VALUE_AXIS_PX - right),
    height: Math.max(10, height - top - (hasTimeAxis ? TIME_AXIS_PX : 4)),
    ...(range ?? timesOfData(data)),
    ...valuesOfData(data),
    isLog: data.isLog ?? false,
  };
}

function timesOfData({ times, sinceMs = 0, untilMs = 0 }: ChartData): TimeRange {
  const fromMs = Math.max(times[0] ?? 0, sinceMs);
  return { fromMs, toMs: Math.max(times.at(-1) ?? 0, untilMs, fromMs + 1) };
}

function valuesOfData({ series, low, high, isLog }: ChartData): Pick<Plot, 'low' | 'high'> {
  if (isLog) return { low: Math.max(MIN_LOG, low ?? 0.1), high: high ?? 100 };
  const most = series.reduce((max, { values }) => values.reduce<number>((own, one) => Math.max(own, one ?? 0), max), 0);
  return { low: low ?? 0, high: high ?? (most > 0 ? most * 1.1 : 1) };
}

export function xOf({ left, width, fromMs, toMs }: Plot, timeMs: number): number {
  return left + ((timeMs - fromMs) / (toMs - fromMs)) * width;
}

export function timeAt({ left, width, fromMs, toMs }: Plot, x: number): number {
  const share = Math.min(1, Math.max(0, (x - left) / width));
  return fromMs + share * (toMs - fromMs);
}

export function yOf({ top, height, low, high, isLog }: Plot, value: number): number {
  const scale = isLog ? (one: number) => Math.log(Math.max(one, MIN_LOG)) : (one: number) => one;
  const share = (scale(value) - scale(low)) / (scale(high) - scale(low));
  return top + height * (1 - share);
}
