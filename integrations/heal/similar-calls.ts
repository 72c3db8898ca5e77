import { isObject } from 'rsi-loop/kit';

/** Values of arguments that are changed, one at a time. */
const MAX_CHANGED = 16;
const MAX_CALLS = 32;
const MAX_DEPTH = 5;

/** Returns calls that differ from one in a single value: another number, a longer text, one item less. */
export function similarCalls(args: readonly unknown[]): readonly (readonly unknown[])[] {
  return places(args)
    .flatMap((path) => variants(valueAt(args, path)).map((value) => replaced(args, path, value)))
    .slice(0, MAX_CALLS);
}

/** Returns a call without any data in its objects, if it has such data. */
export function callWithout(args: readonly unknown[]): readonly unknown[] | undefined {
  if (!args.some((argument) => isPlain(argument) && Object.keys(argument).length > 0)) return undefined;
  return args.map((argument) => (isPlain(argument) ? {} : argument));
}

/** Call in which one field of an object is missing. */
export interface CallWithout {
  readonly args: readonly unknown[];
  /** Names on the way to the field; positions in lists are `#`. */
  readonly field: string;
}

/** Returns calls that lack one field each, at every depth, and all of them. */
export function missingFrom(args: readonly unknown[]): readonly CallWithout[] {
  const alone = fieldsOf(args).map((path) => ({
    args: replaced(args, path, undefined),
    field: path.map((key) => (typeof key === 'number' ? '#' : key)).join('.'),
  }));
  const hollow = callWithout(args);
  return [...alone, ...(hollow ? [{ args: hollow, field: '' }] : [])].slice(0, MAX_CALLS);
}

/** Returns the paths of the fields of plain objects. */
function fieldsOf(value: unknown, path: Path = [], found: Path[] = []): readonly Path[] {
  if (path.length > MAX_DEPTH) return found;
  if (Array.isArray(value))
    for (const [index, item] of value.slice(0, 3).entries()) fieldsOf(item, [...path, index], found);
  if (!isPlain(value)) return found;
  for (const [key, item] of Object.entries(value).slice(0, MAX_CHANGED)) {
    if (found.length >= MAX_CALLS - 1) return found;
    if (item !== undefined) found.push([...path, key]);
    fieldsOf(item, [...path, key], found);
  }
  return found;
}

type Path = readonly (string | number)[];

/** Returns the paths of plain values, and of lists with items. */
function places(value: unknown, path: Path = [], found: Path[] = []): readonly Path[] {
  if (found.length >= MAX_CHANGED || path.length > MAX_DEPTH) return found;
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

/** Returns a copy with another value at a path, or without it. */
function replaced(value: readonly unknown[], path: Path, by: unknown): readonly unknown[] {
  const copy = structuredClone(value) as unknown[]; // the arguments were copied before, so they can be
  const holder = valueAt(copy, path.slice(0, -1)) as Record<string | number, unknown>;
  const key = path.at(-1) ?? 0;
  if (by === undefined) delete holder[key];
  else holder[key] = by;
  return copy;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (!isObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
