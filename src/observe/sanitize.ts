import { DEPLOYMENT_KEYS, type Deployment } from '../contract/deployment.js';
import type { Json, JsonObject } from '../contract/json.js';
import { redact } from './redact.js';
import { type SecretName, secretName } from './secret-names.js';

/** Maximum lengths of stored texts, in UTF-16 units. */
export const MAX_NAME = 200;
export const MAX_TEXT = 2_000;

/** Characters read beyond the cut, so that a secret across it is still recognised. */
const MARGIN = 1_024;
/** Length above which a slice is copied. A slice of a long text would keep all of it in memory. */
const COPY_ABOVE = 16_384;
const REDACTED = '[redacted]';

/** Redacts a text, truncates it (marked with `…`) and replaces lone surrogates, which UTF-8 cannot encode. */
export function sanitizeText(text: string, max = MAX_TEXT): string {
  if (text.length <= max) return keepWindow(text);
  const window = text.slice(0, max + MARGIN);
  const kept = keepWindow(text.length > COPY_ABOVE ? copy(window) : window);
  if (kept.length <= max && text.length <= max + MARGIN) return kept;
  // Do not leave half of a surrogate pair at the cut.
  return `${kept.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Returns the stored form of a name of a task, session, agent, model or tool. Equal names give equal results. */
export function sanitizeName(name: string): string {
  return sanitizeText(name, MAX_NAME);
}

/** Returns a deployment with its names in their stored form. */
export function sanitizeDeployment(deployment: Deployment): Deployment {
  const names = DEPLOYMENT_KEYS.flatMap((key) => {
    const name = deployment[key];
    return typeof name !== 'string' ? [] : [[key, sanitizeName(name)]];
  });
  return Object.fromEntries(names);
}

function keepWindow(text: string): string {
  return redact(text).toWellFormed();
}

function copy(text: string): string {
  const units: string[] = [];
  for (let index = 0; index < text.length; index += 256) {
    const codes: number[] = [];
    for (let at = index; at < Math.min(index + 256, text.length); at++) codes.push(text.charCodeAt(at));
    units.push(String.fromCharCode(...codes));
  }
  return units.join('');
}

/** Limits of one object from outside. */
const MAX_DEPTH = 6;
const MAX_MEMBERS = 64;
const MAX_VALUES = 400;
const MAX_CHARACTERS = 16_000;

/** Copies an object from outside into plain JSON: redacted, bounded in depth, width and size. Never throws. */
export function sanitizeObject(input: object): JsonObject {
  const copied = new Copier().copy(input, 0);
  return typeof copied === 'object' && copied !== null && !Array.isArray(copied) ? (copied as JsonObject) : {}; // a record is the only other kind of JSON object
}

/** Copies the members that `keys` names, as `sanitizeObject` does. */
export function sanitizeMembers(input: object, keys: readonly string[]): JsonObject {
  return new Copier().members(input, keys, 0);
}

class Copier {
  #values = 0;
  #characters = 0;
  readonly #above: object[] = [];

  copy(value: unknown, depth: number): Json | undefined {
    if (++this.#values > MAX_VALUES || this.#characters > MAX_CHARACTERS) return undefined;
    switch (typeof value) {
      case 'string':
        return this.#text(value);
      case 'number':
        return Number.isFinite(value) ? value : String(value);
      case 'boolean':
        return value;
      case 'bigint':
        return this.#text(value < 10n ** 40n && value > -(10n ** 40n) ? value.toString() : 'a very large integer');
      case 'object':
        return value === null ? null : this.#object(value, depth);
      default:
        return undefined; // undefined, functions and symbols have no form in JSON
    }
  }

  members(input: object, keys: readonly string[], depth: number): JsonObject {
    const kept: Record<string, Json> = {};
    const headerName = 'value' in input ? namedValue(input) : undefined;
    let count = 0;
    const values = keys.map((key) => readMember(input, key));
    const split = splitSecrets(values);
    for (const [index, key] of keys.entries()) {
      if (count === MAX_MEMBERS) break;
      if (key === '__proto__') continue;
      const value = split?.has(index) ? REDACTED : values[index];
      const strength = headerName !== undefined && key === 'value' ? headerName : secretName(key);
      const copied = holdsSecret(value, strength, key) ? REDACTED : this.copy(value, depth + 1);
      if (copied === undefined) continue;
      kept[sanitizeText(key, MAX_NAME)] = copied;
      count++;
    }
    return kept;
  }

  #object(value: object, depth: number): Json | undefined {
    if (depth >= MAX_DEPTH) return '[deeper]';
    if (this.#above.includes(value)) return '[circular]';
    this.#above.push(value);
    try {
      return this.#known(value, depth) ?? this.members(value, Object.keys(value).slice(0, MAX_MEMBERS * 2), depth);
    } catch {
      return '[unreadable]';
    } finally {
      this.#above.pop();
    }
  }

  /** Copies objects whose content does not show in their keys; `undefined` for all others. */
  #known(value: object, depth: number): Json | undefined {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype === Object.prototype || prototype === null) return undefined;
    if (Array.isArray(value)) return this.#list(value, value.length, depth);
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
    if (value instanceof Error) {
      return { name: this.#text(String(value.name)), message: this.#text(String(value.message)) };
    }
    if (value instanceof Map) return this.#list(firstOf(value), value.size, depth);
    if (value instanceof Set) return this.#list(firstOf(value), value.size, depth);
    if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
    if (value instanceof URL || value instanceof URLSearchParams || value instanceof RegExp)
      return this.#text(String(value));
    if (typeof Headers === 'function' && value instanceof Headers) {
      const headers = firstOf(value);
      return this.#list(headers, headers.length, depth);
    }
    return undefined;
  }

  #list(items: readonly unknown[], length: number, depth: number): readonly Json[] {
    if (isText(items)) {
      const text = String.fromCharCode(...items);
      if (redact(text) !== text) return [REDACTED];
    }
    const kept: Json[] = [];
    const shown = Math.min(items.length, MAX_MEMBERS);
    const split = splitSecrets(items.slice(0, shown));
    let hidden = false;
    for (let index = 0; index < shown; index++) {
      const item: unknown = items[index];
      // Raw headers are lists of alternating names and values, or of such pairs.
      const isHidden = (hidden && typeof item === 'string') || split?.has(index);
      const copied = isHidden ? REDACTED : this.copy(item, depth + 1);
      hidden = typeof item === 'string' && !hidden && secretName(item) === 'strong' && !item.includes(' ');
      if (copied !== undefined) kept.push(copied);
    }
    if (length > shown) kept.push(`[${length - shown} more]`);
    return kept;
  }

  #text(value: string): string {
    const kept = sanitizeText(value);
    this.#characters += kept.length;
    return kept;
  }
}

/** Returns whether a list is text as bytes or character codes. */
function isText(items: readonly unknown[]): items is readonly number[] {
  if (items.length < 12 || items.length > 4_096) return false;
  return items.every((item) => typeof item === 'number' && item >= 9 && item < 127 && Number.isInteger(item));
}

const PART_END = /[A-Za-z0-9_+/=.-]{8}$/;
const PART_START = /^[A-Za-z0-9_+/=.-]{4}/;

/** Returns which of the values are parts of one secret that was split over neighbours. */
function splitSecrets(values: readonly unknown[]): ReadonlySet<number> | undefined {
  let split: Set<number> | undefined;
  for (let index = 1; index < values.length; index++) {
    const [before, after] = [values[index - 1], values[index]];
    if (typeof before !== 'string' || typeof after !== 'string') continue;
    if (before.length > MAX_TEXT || after.length > MAX_TEXT || !PART_END.test(before) || !PART_START.test(after))
      continue;
    // The form in which a text would hold them. `redact` closes each break if both sides look like one secret.
    const text = `"${before}","${after}"`;
    const kept = redact(text);
    if (kept === text || kept.includes('","')) continue;
    split ??= new Set();
    split.add(index - 1).add(index);
  }
  return split;
}

function firstOf(values: Iterable<unknown>): unknown[] {
  const first: unknown[] = [];
  for (const value of values) {
    if (first.push(value) === MAX_MEMBERS) break;
  }
  return first;
}

/** Reads one member. Returns `undefined` if a getter or proxy throws. */
export function readMember(input: object, key: string): unknown {
  try {
    return (input as Record<string, unknown>)[key]; // any key of an object can be read
  } catch {
    return undefined;
  }
}

/** Returns whether a value is a personal PIN, with four to eight digits. Pins of a chip have one or two. */
function isPin(name: string, value: unknown): boolean {
  return (
    PIN.test(name) && (typeof value === 'number' || typeof value === 'string') && /^[0-9]{4,8}$/.test(String(value))
  );
}

const PIN = /(?:^|[_-])pin(?:[_-]?code)?$/i;

/** `sort_key: 'id'` is not a secret by its name alone, so its value has to look like one. */
const WEAK_KEY = /key|clave|chave|chiave|sleutel|nyckel|klucz|schl|ticket|sas|jeton/i;

/**
 * Returns the strength of the name in `{ name: 'Authorization', value: '...' }`, as traffic recorders write headers.
 */
function namedValue(input: object): SecretName {
  const name = readMember(input, 'name') ?? readMember(input, 'key');
  return typeof name === 'string' ? secretName(name) : undefined;
}

/**
 * Returns whether a value with a secret-like name is a secret. Counts and flags (`tokens: 12`, `password: true`) are
 * not.
 */
function holdsSecret(value: unknown, strength: SecretName, name: string): boolean {
  if (isPin(name, value)) return true;
  if (strength === undefined) return false;
  const strong = strength === 'strong' || (/auth/i.test(name) && Array.isArray(value));
  if (typeof value === 'string')
    return strong || !WEAK_KEY.test(name) ? value !== '' : redact(`${name}="${value}"`) !== `${name}="${value}"`;
  if (typeof value === 'number' || typeof value === 'bigint') return strong;
  return strong && typeof value === 'object' && value !== null;
}
