import type { Value } from './export.js';

/** Column to sort by, as it is written in the address: `count` or `-count`. */
export interface Order {
  readonly key: string;
  readonly descending: boolean;
}

export function parseOrder(text: string | undefined): Order | undefined {
  if (!text) return undefined;
  return text.startsWith('-') ? { key: text.slice(1), descending: true } : { key: text, descending: false };
}

export function orderText({ key, descending }: Order): string {
  return descending ? `-${key}` : key;
}

/** Returns the rows in order. Unknown values come last in both directions; equal rows keep their order. */
export function sortRows<Row>(rows: readonly Row[], value: (row: Row) => Value, descending: boolean): readonly Row[] {
  const direction = descending ? -1 : 1;
  const keyed = rows.map((row) => ({ row, key: value(row) }));
  return keyed.sort((a, b) => compare(a.key, b.key, direction)).map(({ row }) => row);
}

function compare(a: Value, b: Value, direction: number): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  if (typeof a === 'string' && typeof b === 'string') return direction * COLLATOR.compare(a, b);
  return direction * (Number(a) - Number(b));
}

const COLLATOR = new Intl.Collator('en', { numeric: true });

/** Returns the text of each row that a search looks at: all its values, without case. */
export function searchTexts<Row>(
  rows: readonly Row[],
  columns: readonly { readonly value: (row: Row) => Value }[],
): ReadonlyMap<Row, string> {
  return new Map(
    rows.map((row) => [
      row,
      columns
        .map(({ value }) => value(row) ?? '')
        .join('\n')
        .toLowerCase(),
    ]),
  );
}

/** Returns the rows whose text contains every word of `query`. */
export function searchRows<Row>(rows: readonly Row[], texts: ReadonlyMap<Row, string>, query: string): readonly Row[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  return rows.filter((row) => words.every((word) => texts.get(row)?.includes(word)));
}
