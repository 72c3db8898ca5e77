/**
 * Object of unknown origin. The functions below read values of providers and frameworks, which may have any type. They
 * return `undefined` or an empty list for a value of another type.
 */
export type Row = Readonly<Record<string, unknown>>;

export function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns an object; an empty one for a value of another type. */
export function rowOf(value: unknown): Row {
  return isRow(value) ? value : NOTHING;
}

const NOTHING: Row = {};

/** Returns the objects among the first 64 entries of a list. */
export function rows(list: unknown): readonly Row[] {
  return Array.isArray(list) ? list.slice(0, 64).filter(isRow) : [];
}

/** Returns a string that is not empty. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Returns an amount such as a number of tokens. */
export function count(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && value < 1e12 ? value : undefined;
}
