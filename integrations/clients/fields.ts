/** Readers of what providers and frameworks hand over, which may be anything: `undefined` or nothing where it is something else. */
export type Row = Readonly<Record<string, unknown>>;

export function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The rows of a list, of which the first 64 entries are looked at. */
export function rows(list: unknown): readonly Row[] {
  return Array.isArray(list) ? list.slice(0, 64).filter(isRow) : [];
}

/** A text that is not empty. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** An amount such as a number of tokens. */
export function count(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && value < 1e12 ? value : undefined;
}
