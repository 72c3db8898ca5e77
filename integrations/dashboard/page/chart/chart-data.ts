import type { Marker } from 'rsi-loop/kit';
import type { TimeAxis } from '../../views.js';

/** Meaning of a colour in a chart. */
export type ChartTone = 'accent' | 'control' | 'failing' | 'confirmed';

export type Values = readonly (number | null)[];

/** Line or bars over time. Its label is drawn at its end. */
export interface ChartSeries {
  readonly label: string;
  readonly values: Values;
  readonly tone: ChartTone;
  readonly band?: { readonly low: Values; readonly high: Values };
  readonly shape?: 'line' | 'bars';
}

/** Horizontal line with a name, such as the evidence that confirms a fix. */
export interface ChartLevel {
  readonly value: number;
  readonly label: string;
  readonly tone: ChartTone;
}

export interface ChartData {
  /** Epoch milliseconds, ascending. */
  readonly times: readonly number[];
  readonly series: readonly ChartSeries[];
  readonly levels?: readonly ChartLevel[];
  readonly markers?: readonly Marker[];
  /** Left end of the time axis, if it is after the first time. */
  readonly sinceMs?: number;
  /** Right end of the time axis, if it is after the last time. */
  readonly untilMs?: number;
  readonly isLog?: boolean;
  /** Ends of the value axis. Default: 0 and what the values need. */
  readonly low?: number;
  readonly high?: number;
}

/** Part of the time that the reader selected. */
export interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
}

export function timesOf({ sinceMs, stepMs, buckets }: TimeAxis): readonly number[] {
  return Array.from({ length: buckets }, (_, index) => sinceMs + index * stepMs);
}
