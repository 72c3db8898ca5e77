import { useEffect, useRef, useState } from 'preact/hooks';
import { clock, shortDay } from '../lib/format.js';
import { usePage } from '../lib/page-context.js';
import { Canvas } from './canvas.js';
import type { ChartData } from './chart-data.js';
import { ChartTable } from './chart-table.js';
import { useTimeRange } from './use-time-range.js';
import { useWidth } from './use-width.js';

interface ChartProps {
  readonly title: string;
  /** The message of the chart in a sentence, for readers who do not see it. */
  readonly summary: string;
  /** Must be the same object on each draw until the data changes. */
  readonly data: ChartData;
  readonly format: (value: number) => string;
  readonly height?: number;
  readonly hasTimeAxis?: boolean;
}

/** Chart over time. `t` shows its numbers as a table; a drag selects a time for all charts of the screen. */
export function Chart({ title, summary, data, format, height = 180, hasTimeAxis = true }: ChartProps) {
  const frame = useRef<HTMLDivElement>(null);
  const readout = useRef<HTMLSpanElement>(null);
  const width = useWidth(frame);
  const { range, select, clear } = useTimeRange();
  const isAsked = usePage().route.query.charts === 'table';
  const [own, setOwn] = useState<boolean>();
  useEffect(() => setOwn(undefined), [isAsked]);
  const isTable = own ?? isAsked;
  const showTime = (timeMs: number | undefined) => {
    if (readout.current) readout.current.textContent = valuesAt(data, timeMs, format);
  };

  return (
    <figure class="chart">
      <figcaption>
        <span class="chart-title">{title}</span>
        <span class="readout" ref={readout} aria-hidden="true" />
        <span class="chart-tools">
          {range ? (
            <button type="button" onClick={clear}>
              Show all times
            </button>
          ) : null}
          <button type="button" aria-pressed={isTable} onClick={() => setOwn(!isTable)} title="Key: t">
            Table<span class="unseen"> of {title}</span>
          </button>
        </span>
      </figcaption>
      <div ref={frame} class="chart-frame">
        {isTable ? <ChartTable title={title} data={data} format={format} /> : null}
        {isTable || width === 0 ? null : (
          <Canvas
            label={`${title}. ${summary}`}
            data={data}
            size={{ width, height, hasTimeAxis }}
            range={range}
            format={format}
            onSelect={select}
            onTime={showTime}
          />
        )}
      </div>
    </figure>
  );
}

function valuesAt({ times, series }: ChartData, timeMs: number | undefined, format: (value: number) => string): string {
  if (timeMs === undefined) return '';
  const after = times.findIndex((time) => time > timeMs);
  const index = after < 0 ? times.length - 1 : Math.max(0, after - 1);
  const time = times[index];
  if (time === undefined) return '';
  const values = series.map(({ label, values: own }) => {
    const value = own[index] ?? null;
    return `${label} ${value === null ? '–' : format(value)}`.trim();
  });
  return [`${shortDay(time)} ${clock(time)}`, ...values].join(' · ');
}
