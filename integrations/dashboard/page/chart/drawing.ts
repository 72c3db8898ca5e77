import type { ChartColors } from './chart-colors.js';
import type { ChartData } from './chart-data.js';
import type { Plot } from './plot.js';

/** A drawing surface with everything that drawing a chart depends on. */
export interface Drawing {
  readonly context: CanvasRenderingContext2D;
  readonly data: ChartData;
  readonly plot: Plot;
  readonly colors: ChartColors;
  readonly hasTimeAxis: boolean;
  readonly format: (value: number) => string;
}

export function strokeLine(
  context: CanvasRenderingContext2D,
  ...[fromX, fromY, toX, toY]: readonly [number, number, number, number]
): void {
  context.beginPath();
  context.moveTo(fromX, fromY);
  context.lineTo(toX, toY);
  context.stroke();
}
