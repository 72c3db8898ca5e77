import { exact } from './format.js';

/** Value of a table's cell, for sorting, searching and copying. */
export type Value = string | number | boolean | undefined;

/** Column as it is copied. */
export interface ExportColumn<Row> {
  readonly title: string;
  readonly value: (row: Row) => Value;
  /** Epoch milliseconds, copied as the exact time. */
  readonly isTime?: boolean;
}

export function toCsv<Row>(rows: readonly Row[], columns: readonly ExportColumn<Row>[]): string {
  const lines = [
    columns.map(({ title }) => csvField(title)),
    ...rows.map((row) => columns.map((column) => csvField(exportValue(row, column)))),
  ];
  return `${lines.map((line) => line.join(',')).join('\r\n')}\r\n`;
}

export function toJson<Row>(rows: readonly Row[], columns: readonly ExportColumn<Row>[]): string {
  const objects = rows.map((row) =>
    Object.fromEntries(columns.map((column) => [column.title, exportValue(row, column) ?? null])),
  );
  return JSON.stringify(objects, null, 2);
}

function exportValue<Row>(row: Row, { value, isTime }: ExportColumn<Row>): Value {
  const found = value(row);
  return isTime && typeof found === 'number' ? exact(found) : found;
}

/** Quotes a field. Recorded text must not become a formula in a spreadsheet, so those are preceded by `'`. */
function csvField(value: Value): string {
  if (value === undefined) return '';
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : `${value}`;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
