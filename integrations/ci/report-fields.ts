/** Readers of values in parsed JSON: each returns `undefined` for a value of another kind. */

export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(value: unknown): Fields | undefined {
  // Just checked; every field is checked when it is read.
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

export function listOf(value: unknown): readonly Fields[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((each) => {
    const fields = fieldsOf(each);
    return fields ? [fields] : [];
  });
}

export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each: unknown) => typeof each === 'string') : [];
}

export function textField(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** Returns file position, if there is one, as fields of a test case. */
export function placeOf(file: string | undefined, line: number | undefined): { file?: string; line?: number } {
  return { ...(file !== undefined && { file }), ...(file !== undefined && line !== undefined && line > 0 && { line }) };
}

/** Returns a duration as a field of a test case. */
export function took(durationMs: number | undefined): { durationMs?: number } {
  return durationMs === undefined ? {} : { durationMs };
}
