import { useMemo } from 'preact/hooks';
import { Table } from '../parts/table.js';
import type { Column } from '../parts/table-layout.js';
import type { ChartData } from './chart-data.js';

interface ChartTableProps {
  readonly title: string;
  readonly data: ChartData;
  readonly format: (value: number) => string;
}

/** Numbers of a chart. A row is the position of a time. */
export function ChartTable({ title, data, format }: ChartTableProps) {
  const rows = useMemo(() => data.times.map((_, index) => index), [data]);
  const columns = useMemo(() => columnsOf(title, data, format), [title, data, format]);
  return (
    <Table
      name={`chart-${title.replace(/\W+/g, '-')}`}
      label={`Numbers of ${title}`}
      rows={rows}
      columns={columns}
      rowKey={(row) => `${row}`}
      order="-time"
    />
  );
}

function columnsOf(
  chart: string,
  { times, series }: ChartData,
  format: (value: number) => string,
): readonly Column<number>[] {
  const number = (key: string, title: string, values: readonly (number | null)[]): Column<number> => ({
    key,
    title,
    kind: 'number',
    width: 110,
    value: (row) => values[row] ?? undefined,
    cell: (row) => cellOf(values[row] ?? null, format),
  });
  return [
    { key: 'time', title: 'Time', kind: 'time', width: 120, value: (row) => times[row] },
    ...series.flatMap(({ label, values, band }, index) => [
      number(`s${index}`, label === '' ? chart : label, values),
      ...(band
        ? [number(`l${index}`, `${label}, low`, band.low), number(`h${index}`, `${label}, high`, band.high)]
        : []),
    ]),
  ];
}

function cellOf(value: number | null, format: (value: number) => string): string {
  return value === null ? '–' : format(value);
}
