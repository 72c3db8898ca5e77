import { oneLine } from '../lib/recorded-text.js';
import type { ChartColors } from './chart-colors.js';
import { type Drawing, strokeLine } from './drawing.js';
import { MAX_LABEL, xOf, yOf } from './plot.js';

interface Label {
  readonly text: string;
  readonly color: string;
  readonly x: number;
  /** Middle of the text. */
  readonly y: number;
}

const LINE_PX = 15;
/** Distance between markers below which only the first is numbered. */
const MARKER_GAP_PX = 22;

/** Writes the name and last value of each line at its end, so that no legend is needed. */
export function drawLabels(drawing: Drawing): void {
  const { context, plot } = drawing;
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  const labels = spread(endsOf(drawing), plot.top + 6, plot.top + plot.height);
  for (const label of labels) write(context, label, drawing.colors);
}

function endsOf({ data, plot, colors, format }: Drawing): readonly Label[] {
  return data.series.flatMap(({ label, values, tone, shape }) => {
    const last = lastIndex(data.times, values, plot.toMs);
    const value = values[last];
    const timeMs = data.times[last];
    if (shape === 'bars' || value === undefined || value === null || timeMs === undefined) return [];
    const name = oneLine(label, MAX_LABEL);
    const text = name === '' ? format(value) : `${name} ${format(value)}`;
    return [{ text, color: colors.texts[tone], x: xOf(plot, timeMs) + 6, y: yOf(plot, value) }];
  });
}

function lastIndex(times: readonly number[], values: readonly (number | null)[], untilMs: number): number {
  return times.findLastIndex((timeMs, index) => timeMs <= untilMs && (values[index] ?? null) !== null);
}

/** Writes text that stays readable on top of lines. */
function write(context: CanvasRenderingContext2D, { text, color, x, y }: Label, { ground }: ChartColors): void {
  context.lineWidth = 3;
  context.strokeStyle = ground;
  context.strokeText(text, x, y);
  context.fillStyle = color;
  context.fillText(text, x, y);
}

/** Moves labels apart so that none covers another, between `top` and `bottom`. */
export function spread(labels: readonly Label[], top: number, bottom: number): readonly Label[] {
  let free = top;
  const pushed = [...labels]
    .sort((a, b) => a.y - b.y)
    .map((label) => {
      const y = Math.max(label.y, free);
      free = y + LINE_PX;
      return { ...label, y };
    });
  let limit = bottom;
  return pushed.reverse().map((label) => {
    const y = Math.min(label.y, limit);
    limit = y - LINE_PX;
    return { ...label, y };
  });
}

/** Draws dashed lines at named values, such as the evidence that confirms a fix. */
export function drawLevels({ context, data: { levels = [] }, plot, colors }: Drawing): void {
  context.lineWidth = 1;
  context.setLineDash([4, 4]);
  for (const { value, tone } of levels) {
    const y = Math.round(yOf(plot, value)) + 0.5;
    context.strokeStyle = colors.tones[tone];
    strokeLine(context, plot.left, y, plot.left + plot.width, y);
  }
  context.setLineDash([]);
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  const x = plot.left + plot.width - 4;
  const names = levels.map(({ value, label, tone }) => ({
    text: label,
    color: colors.texts[tone],
    x,
    y: yOf(plot, value) - 8,
  }));
  for (const name of spread(names, plot.top + 6, plot.top + plot.height)) write(context, name, colors);
}

/** Draws changes, such as a deploy, as numbered lines. The list below the charts has the same numbers. */
export function drawMarkers({ context, data: { markers = [] }, plot, colors }: Drawing): void {
  context.textAlign = 'center';
  context.textBaseline = 'bottom';
  context.lineWidth = 1;
  let numbered = Number.NEGATIVE_INFINITY;
  for (const [index, { atMs }] of markers.entries()) {
    if (atMs < plot.fromMs || atMs > plot.toMs) continue;
    const x = Math.round(xOf(plot, atMs)) + 0.5;
    context.strokeStyle = colors.dim;
    context.setLineDash([2, 3]);
    strokeLine(context, x, plot.top, x, plot.top + plot.height);
    context.setLineDash([]);
    if (x - numbered < MARKER_GAP_PX) continue;
    numbered = x;
    context.fillStyle = colors.text;
    context.fillText(`${index + 1}`, x, plot.top - 2);
  }
}
