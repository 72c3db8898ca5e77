import { isDatabase } from '../store/database.js';

/** Check of one value of a configuration. It also says how the value is read from a variable and shown. */
export type Check = Leaf | Fields | Table;

/** Check of a value that is set as a whole: a text, a number, a list or an object of the user's code. */
export interface Leaf {
  readonly kind: 'leaf';
  /** Valid values, with unit and range, as the end of a sentence. */
  readonly expected: string;
  fits(value: unknown): boolean;
  /** Reads the value from a variable; without it, no variable sets the value. */
  readonly fromText?: (text: string) => unknown;
  /** Value in force if nothing sets it, for display. */
  readonly fallback?: unknown;
  /** True for a path: it is resolved against the folder of the file that names it. */
  readonly isPath?: true;
  /** True for a value that is never printed. */
  readonly isSecret?: true;
}

/** Check of an object with known keys. */
export interface Fields {
  readonly kind: 'fields';
  readonly fields: Readonly<Record<string, Check>>;
  /** Returns what is wrong with the values together, as a sentence. */
  readonly together?: ((value: Readonly<Record<string, unknown>>) => string | undefined) | undefined;
}

/** Check of an object whose keys are names that the user chooses, such as those of services. */
export interface Table {
  readonly kind: 'table';
  readonly of: Check;
  readonly names: RegExp;
  /** Valid names, as the end of a sentence. */
  readonly expected: string;
}

type Extras = Omit<Partial<Leaf>, 'kind' | 'expected' | 'fits'>;

/** Returns a check for a value that `fits` accepts. `expected` ends the sentence `x is 3: give ...`. */
export function custom(expected: string, fits: (value: unknown) => boolean, extras: Extras = {}): Leaf {
  return { kind: 'leaf', expected, fits, ...extras };
}

export function text(expected = 'a text that is not empty', extras: Extras = {}): Leaf {
  return custom(expected, isText, { fromText: (given) => given, ...extras });
}

/** Returns a check for a path. Relative paths start at the folder of the configuration file. */
export function path(expected: string, extras: Extras = {}): Leaf {
  return text(expected, { ...extras, isPath: true });
}

/** Returns whether a value is a path: `isPath`, and not the address of a database. */
export function isPathValue({ isPath }: Leaf, value: unknown): value is string {
  return isPath === true && typeof value === 'string' && !isDatabase(value);
}

/** Returns a check for an http or https address. */
export function url(expected = 'an http or https address', extras: Extras = {}): Leaf {
  const isUrl = (value: unknown) => isText(value) && /^https?:$/.test(protocolOf(value));
  return custom(expected, isUrl, { fromText: (given) => given, ...extras });
}

export function flag(extras: Extras = {}): Leaf {
  const fromText = (given: string) => ({ true: true, '1': true, false: false, '0': false })[given] ?? given;
  return custom('true or false', (value) => typeof value === 'boolean', { fromText, ...extras });
}

export function number(
  expected: string,
  { min, max = Number.POSITIVE_INFINITY, whole = false }: { min: number; max?: number; whole?: boolean },
  extras: Extras = {},
): Leaf {
  const fits = (value: unknown) =>
    typeof value === 'number' && value >= min && value <= max && (Number.isInteger(value) || !whole);
  const fromText = (given: string) => (given.trim() === '' || Number.isNaN(Number(given)) ? given : Number(given));
  return custom(expected, fits, { fromText, ...extras });
}

export function choice(values: readonly string[], extras: Extras = {}): Leaf {
  const fits = (value: unknown) => typeof value === 'string' && values.includes(value);
  return custom(`one of ${values.join(', ')}`, fits, { fromText: (given) => given, ...extras });
}

/** Returns a check for a list of texts. A variable separates them by commas. */
export function texts(expected: string, extras: Extras = {}): Leaf {
  const fits = (value: unknown) => Array.isArray(value) && value.every(isText);
  const fromText = (given: string) => given.split(',').map((each) => each.trim());
  return custom(expected, fits, { fromText, ...extras });
}

/** Returns a check for an object with a check for each key of `Shape`. Every key is optional; see `together`. */
export function object<Shape extends object>(
  fields: { readonly [Key in keyof Required<Shape>]: Check },
  together?: Fields['together'],
): Fields {
  return { kind: 'fields', fields, together };
}

/** Returns a check for an object from names to values. */
export function table(
  of: Check,
  names = /^[a-z0-9][\w-]{0,63}$/i,
  expected = 'a name of letters, digits, - and _',
): Table {
  return { kind: 'table', of, names, expected };
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function protocolOf(address: string): string {
  return URL.canParse(address) ? new URL(address).protocol : '';
}
