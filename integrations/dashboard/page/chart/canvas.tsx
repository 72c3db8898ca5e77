import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { usePage } from '../lib/page-context.js';
import { chartColors } from './chart-colors.js';
import type { ChartData, TimeRange } from './chart-data.js';
import { drawChart } from './draw-chart.js';
import { type PlotSize, plotOf, timeAt, xOf } from './plot.js';
import { useBrush } from './use-brush.js';

interface CanvasProps {
  readonly label: string;
  readonly data: ChartData;
  readonly size: PlotSize;
  readonly range: TimeRange | undefined;
  readonly format: (value: number) => string;
  readonly onSelect: (range: TimeRange) => void;
  /** Called with the time under the pointer, on this or another chart. */
  readonly onTime: (timeMs: number | undefined) => void;
}

/** The drawn part of a chart, with the line under the pointer and the selection by dragging. */
export function Canvas({ label, data, size, range, format, onSelect, onTime }: CanvasProps) {
  const { theme, sharedTime } = usePage();
  const canvas = useRef<HTMLCanvasElement>(null);
  const line = useRef<HTMLDivElement>(null);
  const selection = useRef<HTMLDivElement>(null);
  const { width, height, hasTimeAxis } = size;
  const plot = useMemo(
    () => plotOf(data, { width, height, hasTimeAxis }, range),
    [data, width, height, hasTimeAxis, range?.fromMs, range?.toMs],
  );

  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!canvas.current || !context) return;
    canvas.current.width = width * devicePixelRatio;
    canvas.current.height = height * devicePixelRatio;
    context.scale(devicePixelRatio, devicePixelRatio);
    drawChart({ context, data, plot, colors: chartColors(), hasTimeAxis, format });
  }, [plot, theme]);

  useEffect(
    () =>
      sharedTime.subscribe((timeMs) => {
        onTime(timeMs);
        const style = line.current?.style;
        if (!style) return;
        const isIn = timeMs !== undefined && timeMs >= plot.fromMs && timeMs <= plot.toMs;
        style.display = isIn ? 'block' : 'none';
        if (isIn) style.transform = `translateX(${xOf(plot, timeMs)}px)`;
      }),
    [plot],
  );

  const brush = useBrush(selection, (fromPx, toPx) =>
    onSelect({ fromMs: Math.round(timeAt(plot, fromPx)), toMs: Math.round(timeAt(plot, toPx)) }),
  );
  return (
    <div
      class="canvas"
      style={{ height: `${height}px` }}
      onPointerMove={(event) => sharedTime.point(timeAt(plot, brush.move(event)))}
      onPointerLeave={() => sharedTime.point(undefined)}
      onPointerDown={brush.start}
      onPointerUp={brush.end}
      onPointerCancel={brush.cancel}
    >
      <canvas ref={canvas} role="img" aria-label={label} style={{ width: `${width}px`, height: `${height}px` }} />
      <div ref={line} class="time-line" />
      <div ref={selection} class="selection" />
    </div>
  );
}
