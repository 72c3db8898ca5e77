/** Most fields taken of an object of the host: a text spread into an object has one field for each character. */
const MAX_FIELDS = 1_000;

/** Copies the own fields that can be read. A getter or a proxy of the host may throw, which costs only its field. */
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
