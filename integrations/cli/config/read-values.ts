import { LoopError } from 'rsi-loop';
import { nearestName } from 'rsi-loop/kit';
import { type Check, type Fields, isObject, type Leaf, type Table } from './check-config.js';

/** Value of one key and the place that sets it. */
export interface Setting {
  readonly value: unknown;
  readonly from: Origin;
  readonly check: Leaf;
}

/** Place that sets a value. `name` is for people: `rsi.config.ts`, `RSI_STORE` or `--store`. */
export interface Origin {
  readonly kind: 'flag' | 'variable' | 'file' | 'package.json' | 'default';
  readonly name: string;
  /** Folder against which its relative paths are resolved. */
  readonly folder: string;
}

/** Settings by key, such as `loop.alpha`. */
export type Settings = ReadonlyMap<string, Setting>;

/** Key of a value as a list: a name may hold a dot. */
type Key = readonly string[];

/**
 * Reads the content of a configuration file.
 * @throws LoopError `invalid-input` with file, key, value and what is possible, at the first wrong value.
 */
export function readValues(root: Fields, content: unknown, from: Origin): Settings {
  const settings = new Map<string, Setting>();
  readInto(settings, root, content, { key: [], from });
  return settings;
}

interface Place {
  readonly key: Key;
  readonly from: Origin;
}

function readInto(settings: Map<string, Setting>, check: Check, value: unknown, place: Place): void {
  if (value === undefined) return;
  if (check.kind === 'leaf') {
    mustFit(check, value, place);
    settings.set(keyText(place.key), { value, from: place.from, check });
    return;
  }
  if (!isObject(value)) throw wrong(place, value, 'an object');
  // Dropping an empty entry, such as a service without a command, would hide a mistake.
  if (place.key.length > 1 && Object.keys(value).length === 0) throw wrong(place, value, 'at least one key in it');
  for (const [name, inner] of Object.entries(value)) {
    const below = { key: [...place.key, name], from: place.from };
    readInto(settings, check.kind === 'fields' ? fieldOf(check, name, place) : rowOf(check, name, place), inner, below);
  }
}

function fieldOf({ fields }: Fields, name: string, place: Place): Check {
  const check = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (check) return check;
  const meant = nearestName(name, Object.keys(fields));
  const advice = meant === undefined ? `use one of ${Object.keys(fields).join(', ')}` : `did you mean ${meant}?`;
  throw failure(place.from, `unknown key ${keyText([...place.key, name])}: ${advice}`);
}

function rowOf({ of, names, expected }: Table, name: string, place: Place): Check {
  if (names.test(name)) return of;
  throw failure(place.from, `${keyText(place.key)} has the name ${JSON.stringify(name)}: give ${expected}`);
}

function mustFit(check: Leaf, value: unknown, { key, from }: Place): void {
  if (!check.fits(value)) throw wrong({ key, from }, check.isSecret ? undefined : value, check.expected);
}

/** Throws if the values of one object do not fit together. */
export function mustFitTogether(check: Check, value: unknown, place: Place): void {
  if (check.kind === 'leaf' || !isObject(value)) return;
  for (const [name, inner] of Object.entries(value)) {
    const below = check.kind === 'fields' ? check.fields[name] : check.of;
    if (below) mustFitTogether(below, inner, { ...place, key: [...place.key, name] });
  }
  const problem = check.kind === 'fields' ? check.together?.(value) : undefined;
  if (problem !== undefined) throw failure(place.from, `${keyText(place.key)}: ${problem}`);
}

/** Returns the values as one object, e.g. `{ loop: { alpha: 0.01 } }`. */
export function nested(settings: Settings): Readonly<Record<string, unknown>> {
  // Without a prototype, a name such as `constructor` is a name like any other.
  const root: Record<string, unknown> = Object.create(null);
  for (const [key, { value }] of settings) {
    const names = key.split('.');
    const last = names.pop() ?? '';
    let at = root;
    for (const name of names) {
      at[name] ??= Object.create(null);
      at = at[name] as Record<string, unknown>; // only this function fills it
    }
    at[last] = value;
  }
  return root;
}

function keyText(key: Key): string {
  return key.join('.');
}

function wrong({ key, from }: Place, value: unknown, expected: string): LoopError {
  const name = from.kind === 'variable' ? '' : `${key.length === 0 ? 'the configuration' : keyText(key)} `;
  const shown = value === undefined ? 'is not usable' : `is ${shownValue(value)}`;
  return failure(from, `${name}${shown}: give ${expected}`);
}

function failure({ kind, name }: Origin, problem: string): LoopError {
  return new LoopError('invalid-input', kind === 'variable' ? `${name} ${problem}` : `${name}: ${problem}`);
}

/** Formats a value of any kind for a sentence, cut to a readable length. */
export function shownValue(value: unknown, maxLength = 80): string {
  const json = (typeof value === 'function' ? undefined : toJson(value)) ?? `a ${typeof value}`;
  return json.length > maxLength ? `${json.slice(0, maxLength - 1)}…` : json;
}

function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, (_key, each: unknown) => (each instanceof RegExp ? String(each) : each));
  } catch {
    return undefined; // it refers to itself
  }
}
