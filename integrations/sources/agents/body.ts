/** Parsed JSON object of a hook. Readers rely on nothing in a body, and no value in it makes them throw. */

export type Row = Readonly<Record<string, unknown>>;

export function rowOf(value: unknown): Row | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Row) : undefined; // just checked
}

/** Returns the first of these fields that is a non-empty text. */
export function firstText(row: Row | undefined, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = row?.[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

/** Returns the first of these fields that is a number from 0 to 10^13. */
export function amountOf(row: Row | undefined, ...names: readonly string[]): number | undefined {
  for (const name of names) {
    const value = row?.[name];
    if (typeof value === 'number' && value >= 0 && value < 1e13) return value;
  }
  return undefined;
}

/** Maximum length of ids and names, which are kept as keys. */
const MAX_NAME = 200;

export function nameOf(row: Row | undefined, ...names: readonly string[]): string | undefined {
  return firstText(row, ...names)?.slice(0, MAX_NAME);
}

/** Returns the fields without those that are undefined. */
export function given<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  // Only undefined values were removed, as the type says.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>;
  };
}

/** Parses a value that may be JSON in a text; agents send either form. */
export function parsed(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
