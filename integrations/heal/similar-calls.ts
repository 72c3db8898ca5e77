import { isObject } from 'rsi-loop/kit';

/** Values of arguments that are changed, one at a time. */
const MAX_CHANGED = 16;
const MAX_CALLS = 32;

/** Returns calls that differ from one in a single value: another number, a longer text, one item less. */
export function similarCalls(args: readonly unknown[]): readonly (readonly unknown[])[] {
  return places(args)
    .flatMap((path) => variants(valueAt(args, path)).map((value) => replaced(args, path, value)))
    .slice(0, MAX_CALLS);
}

/** Returns calls in which data is missing: each field of an object alone, and all of them. */
export function callsWithout(args: readonly unknown[]): readonly (readonly unknown[])[] {
  const fields = args.flatMap((argument, index) =>
    isPlain(argument)
      ? Object.keys(argument)
          .slice(0, MAX_CHANGED)
          .map((key) => [index, key] as const)
      : [],
  );
  const alone = fields.map(([index, key]) => {
    const { [key]: _, ...rest } = args[index] as Record<string, unknown>; // a plain object, as tested
    return args.with(index, rest);
  });
  const hollow = args.map((argument) => (isPlain(argument) ? {} : argument));
  return fields.length === 0 ? [] : [...alone, hollow].slice(0, MAX_CALLS);
}

type Path = readonly (string | number)[];

/** Returns the paths of plain values, and of lists with items. */
function places(value: unknown, path: Path = [], found: Path[] = []): readonly Path[] {
  if (found.length >= MAX_CHANGED || path.length > 5) return found;
  if (variants(value).length > 0 && path.length > 0) found.push(path);
  if (Array.isArray(value))
    for (const [index, item] of value.slice(0, 3).entries()) places(item, [...path, index], found);
  else if (isPlain(value)) for (const [key, item] of Object.entries(value)) places(item, [...path, key], found);
  return found;
}

function variants(value: unknown): readonly unknown[] {
  if (typeof value === 'number' && Number.isFinite(value)) return [value + 1, value * 3 + 2];
  if (typeof value === 'bigint') return [value + 1n];
  if (typeof value === 'string' && value !== '')
    return [value + value.at(-1), value.replace(/\d/, (digit) => `${(Number(digit) + 3) % 10}`)].filter(
      (each) => each !== value,
    );
  if (Array.isArray(value) && value.length > 1) return [value.slice(0, -1)];
  return [];
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((at, key) => (at as Record<string | number, unknown>)[key], value); // `places` found the path
}

function replaced(value: readonly unknown[], path: Path, by: unknown): readonly unknown[] {
  const copy = structuredClone(value) as unknown[]; // the arguments were copied before, so they can be
  const holder = valueAt(copy, path.slice(0, -1)) as Record<string | number, unknown>;
  const key = path.at(-1) ?? 0;
  holder[key] = by;
  return copy;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (!isObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
