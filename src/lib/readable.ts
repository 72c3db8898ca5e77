/** Maximum number of fields read from a host's object. A text spread into an object has one field per character. */
const MAX_FIELDS = 1_000;

/** Copies the own fields that can be read. If a host's getter or proxy throws, only that field is skipped. */
export function readableFields(object: unknown): Readonly<Record<string, unknown>> {
  const copy: Record<string, unknown> = {};
  if (typeof object !== 'object' || object === null) return copy;
  for (const name of keysOf(object)) {
    try {
      copy[name] = Reflect.get(object, name);
    } catch {
      // The field cannot be read.
    }
  }
  return copy;
}

function keysOf(object: object): readonly string[] {
  try {
    return Object.keys(object).slice(0, MAX_FIELDS);
  } catch {
    return []; // a proxy that throws
  }
}
