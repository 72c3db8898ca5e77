import { translucent } from './chart-colors.js';
import type { ChartSeries, Values } from './chart-data.js';
import { drawLabels, drawLevels, drawMarkers } from './draw-labels.js';
import { type Drawing, strokeLine } from './drawing.js';
import { type Plot, xOf, yOf } from './plot.js';
import { timeTicks, valueTicks } from './ticks.js';

export function drawChart(drawing: Drawing): void {
  const { context, plot, data } = drawing;
  context.font = drawing.colors.font;
  context.lineJoin = 'round';
  drawAxes(drawing);
  context.save();
  context.beginPath();
  context.rect(plot.left, plot.top - 1, plot.width, plot.height + 2);
  context.clip();
  for (const series of data.series) drawBand(drawing, series);
  for (const series of data.series) {
    if (series.shape === 'bars') drawBars(drawing, series);
    else drawLine(drawing, series);
  }
  context.restore();
  drawLevels(drawing);
  drawMarkers(drawing);
  drawLabels(drawing);
}

function drawAxes({ context, plot, colors, format, hasTimeAxis }: Drawing): void {
  const right = plot.left + plot.width;
  const bottom = plot.top + plot.height;
  context.lineWidth = 1;
  context.strokeStyle = colors.hairline;
  context.fillStyle = colors.dim;
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  for (const { value, label } of valueTicks(plot, format)) {
    const y = Math.round(yOf(plot, value)) + 0.5;
    strokeLine(context, plot.left, y, right, y);
    context.fillText(label.join(' '), plot.left - 6, y);
  }
  strokeLine(context, plot.left, bottom + 0.5, right, bottom + 0.5);
  if (!hasTimeAxis) return;
  context.textAlign = 'center';
  context.textBaseline = 'top';
  for (const { value, label } of timeTicks(plot)) {
    const x = xOf(plot, value);
    strokeLine(context, x, bottom, x, bottom + 4);
    for (const [line, text] of label.entries()) context.fillText(text, x, bottom + 6 + line * 14);
  }
}

function drawLine({ context, plot, data, colors }: Drawing, { values, tone }: ChartSeries): void {
  context.strokeStyle = colors.tones[tone];
  context.lineWidth = 2;
  context.beginPath();
  trace(context, plot, data.times, values);
  context.stroke();
}

/** Adds a line through the values to the path, with a gap at each missing one. */
function trace(context: CanvasRenderingContext2D, plot: Plot, times: readonly number[], values: Values): void {
  let isDown = false;
  for (const [index, timeMs] of times.entries()) {
    const value = values[index] ?? null;
    if (value === null) {
      isDown = false;
      continue;
    }
    const x = xOf(plot, timeMs);
    const y = yOf(plot, value);
    if (isDown) context.lineTo(x, y);
    else context.moveTo(x, y);
    isDown = true;
  }
}

function drawBars({ context, plot, data: { times }, colors }: Drawing, { values, tone }: ChartSeries): void {
  const [first = 0, second = first + 1] = times;
  const width = Math.max(1, (xOf(plot, second) - xOf(plot, first)) * 0.86);
  const bottom = plot.top + plot.height;
  context.fillStyle = colors.tones[tone];
  for (const [index, timeMs] of times.entries()) {
    const value = values[index] ?? 0;
    if (value <= 0) continue;
    const y = Math.min(bottom - 1, yOf(plot, value));
    context.fillRect(xOf(plot, timeMs), y, width, bottom - y);
  }
}

function drawBand({ context, plot, data: { times }, colors }: Drawing, { band, tone }: ChartSeries): void {
  if (!band) return;
  context.fillStyle = translucent(colors.tones[tone], 0.16);
  context.beginPath();
  trace(context, plot, times, band.high);
  for (let index = times.length - 1; index >= 0; index -= 1) {
    context.lineTo(xOf(plot, times[index] ?? 0), yOf(plot, band.low[index] ?? 0));
  }
  context.fill();
}
