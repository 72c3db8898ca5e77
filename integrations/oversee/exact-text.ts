const MAX_CHARACTERS = 1_000_000;
const MAX_DEPTH = 50;

/**
 * Returns a text that is the same for equal data and differs for any other; keys in order. Undefined for values that are
 * no plain data, such as functions, getters or instances of classes: two readings of them may differ.
 */
export function exactText(value: unknown): string | undefined {
  try {
    const text = write(value, 0);
    return text.length <= MAX_CHARACTERS ? text : undefined;
  } catch {
    return undefined;
  }
}

function write(value: unknown, depth: number): string {
  if (depth > MAX_DEPTH) throw new RangeError('too deep');
  if (value === undefined || typeof value === 'boolean' || value === null) return String(value);
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'object') throw new TypeError('no data');
  if (Array.isArray(value))
    return `[${fieldsOf(value)
      .map(([, item]) => write(item, depth + 1))
      .join(',')}]`;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) throw new TypeError('an instance of a class');
  const fields = fieldsOf(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, member]) => `${JSON.stringify(key)}:${write(member, depth + 1)}`).join(',')}}`;
}

/** Returns the own fields. @throws TypeError for a getter, a symbol or a field that does not show. */
function fieldsOf(object: object): [string, unknown][] {
  const keys = Reflect.ownKeys(object).filter((key) => !(Array.isArray(object) && key === 'length'));
  if (Array.isArray(object) && keys.length !== object.length) throw new TypeError('a list with gaps');
  return keys.map((key) => {
    const field = Object.getOwnPropertyDescriptor(object, key);
    if (typeof key !== 'string' || !field || !('value' in field) || !field.enumerable)
      throw new TypeError('no plain field');
    return [key, field.value];
  });
}
