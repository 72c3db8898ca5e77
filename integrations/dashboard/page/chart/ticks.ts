import { clock, DAY_MS, shortDay } from '../lib/format.js';
import type { Plot } from './plot.js';

export interface Tick {
  readonly value: number;
  /** Lines of the label. */
  readonly label: readonly string[];
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const TIME_STEPS = [
  ...[1, 5, 15, 30].map((minutes) => minutes * MINUTE_MS),
  ...[1, 3, 6, 12].map((hours) => hours * HOUR_MS),
  ...[1, 2, 3, 7, 14, 28, 91, 364].map((days) => days * DAY_MS),
];
const TIME_GAP_PX = 68;
const VALUE_GAP_PX = 34;

/** Returns round times in the zone of the reader, with the day where it changes. */
export function timeTicks({ fromMs, toMs, width }: Plot): readonly Tick[] {
  const most = Math.max(2, width / TIME_GAP_PX);
  const stepMs = TIME_STEPS.find((step) => (toMs - fromMs) / step <= most) ?? 364 * DAY_MS;
  const ticks: Tick[] = [];
  let day = '';
  for (let at = midnightBefore(fromMs); at.getTime() <= toMs; at = next(at, stepMs)) {
    if (at.getTime() < fromMs) continue;
    const own = shortDay(at.getTime());
    const label = stepMs >= DAY_MS ? [own] : own === day ? [clock(at.getTime())] : [clock(at.getTime()), own];
    day = own;
    ticks.push({ value: at.getTime(), label });
  }
  return ticks;
}

function midnightBefore(timeMs: number): Date {
  const at = new Date(timeMs);
  at.setHours(0, 0, 0, 0);
  return at;
}

/** Days are counted on the calendar, because those on which clocks change are shorter or longer. */
function next(at: Date, stepMs: number): Date {
  const following = new Date(at);
  if (stepMs < DAY_MS) following.setTime(at.getTime() + stepMs);
  else following.setDate(at.getDate() + Math.round(stepMs / DAY_MS));
  return following;
}

/** Returns round values from the lower to the upper end: powers of ten on a logarithmic axis. */
export function valueTicks(plot: Plot, format: (value: number) => string): readonly Tick[] {
  const values = plot.isLog ? powers(plot) : multiples(plot);
  return values.map((value) => ({ value, label: [format(value)] }));
}

function powers({ low, high }: Plot): readonly number[] {
  const first = Math.ceil(Math.log10(low));
  const last = Math.floor(Math.log10(high));
  const step = Math.max(1, Math.ceil((last - first) / 5));
  return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, index) => 10 ** (first + index * step));
}

function multiples({ low, high, height }: Plot): readonly number[] {
  const most = Math.max(1, height / VALUE_GAP_PX);
  const rough = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10);
  const first = Math.ceil(low / step - 1e-9);
  const length = Math.floor(high / step + 1e-9) - first + 1;
  return Array.from({ length }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}
