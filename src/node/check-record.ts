import { OUTCOME_FIELDS, type OutcomeField } from '../contract/outcome.js';
import { isObject } from '../lib/is-object.js';

/**
 * Field checks for records whose checksum holds. Another program or a person can write such a line with wrong content.
 */

type Fields = Readonly<Record<string, unknown>>;
type Check = (value: unknown) => boolean;

/** Deepest nesting of a context or an unknown field, so that recursive code does not overflow the stack. */
const MAX_DEPTH = 64;
/** More than any duration, price or weight. */
const MAX_NUMBER = 1e15;
/** Epoch milliseconds; the observer accepts nothing beyond. */
const MAX_TIME_MS = 1e13;

export function isOutcome(value: unknown): boolean {
  return isObject(value) && REQUIRED.every((name) => value[name] !== undefined) && fits(value, FIELDS);
}

export function isStart(value: unknown): boolean {
  return isObject(value) && hasAll(value, START) && isUnset(value.session, isText) && isShallow(value, MAX_DEPTH);
}

/** Returns whether `value` is a record's position: an integer from 0. */
export function isPosition(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0; // a safe integer is a number
}

export const isText: Check = (value) => typeof value === 'string';
export const isNumber: Check = (value) => Number.isFinite(value);
export const isTime: Check = (value) => isNumber(value) && Math.abs(value as number) <= MAX_TIME_MS; // a finite number

/** Returns whether every field is a text. `except` is a list of scopes without one. */
export const isScope: Check = (value) => {
  if (!isObject(value)) return false;
  const { except, ...names } = value;
  return isNames(names) && isUnset(except, listOf(isNames));
};

const isNames: Check = (value) => isObject(value) && Object.values(value).every((name) => isUnset(name, isText));

export function listOf(check: Check): Check {
  return (value) => Array.isArray(value) && value.every(check);
}

/** Returns whether each of these fields is present and passes its check. */
export function hasAll(value: Fields, checks: readonly (readonly [string, Check])[]): boolean {
  for (const [name, check] of checks) if (!check(value[name])) return false;
  return true;
}

function isUnset(value: unknown, check: Check): boolean {
  return value === undefined || check(value);
}

/** Returns whether every known field that is present passes its check, and no other is deeply nested. */
function fits(value: Fields, checks: ReadonlyMap<string, Check>): boolean {
  for (const name in value) {
    const check = checks.get(name);
    if (check === undefined ? !isShallow(value[name], MAX_DEPTH) : !isUnset(value[name], check)) return false;
  }
  return true;
}

const isTruth: Check = (value) => typeof value === 'boolean';
const isShare: Check = (value) => isNumber(value) && (value as number) >= 0 && (value as number) <= 1; // a finite number
const isAmount: Check = (value) => isNumber(value) && (value as number) >= 0; // a finite number
const isFieldNumber: Check = (value) => isAmount(value) && (value as number) <= MAX_NUMBER; // a finite number
const isTexts = listOf(isText);

const REQUIRED = ['id', 'task', 'success', 'atMs', 'source', 'issues'] as const;

const START: readonly (readonly [string, Check])[] = [
  ['id', isText],
  ['task', isText],
  ['atMs', isTime],
  ['deadlineMs', isNumber],
  ['scope', isScope],
  ['writer', isText],
  ['counter', isNumber],
  ['arms', listOf((arm) => isObject(arm) && hasAll(arm, ARM))],
  ['features', (value) => value === undefined || isTexts(value)],
];

const ARM: readonly (readonly [string, Check])[] = [
  ['fixId', isText],
  ['unit', isText],
  ['arm', (value) => value === 'fix' || value === 'control'],
  ['share', isShare],
];

const ERROR: ReadonlyMap<string, Check> = new Map([
  ['name', isText],
  ['code', isText],
  ['status', isNumber],
  ['retryAfterMs', isNumber],
]);

const ATTEMPT: ReadonlyMap<string, Check> = new Map([
  ['delayMs', isNumber],
  ['durationMs', isNumber],
  ['success', isTruth],
  ['model', isText],
  ['issue', isText],
  ['inFlight', isNumber],
]);

/** Check of a stored field by its kind. Ranges belong to the parser: weights, for one, grow when outcomes are dropped. */
const KINDS: { readonly [Kind in OutcomeField['kind']]: Check } = {
  name: isText,
  text: isText,
  time: isTime,
  number: isFieldNumber,
  success: isTruth,
  flag: isTruth,
  names: isTexts,
  severity: isText,
  tokens: (value) => isObject(value) && isAmount(value.input) && isAmount(value.output) && isShallow(value, MAX_DEPTH),
  error: (value) => isObject(value) && isText(value.message) && fits(value, ERROR),
  attempts: listOf((attempt) => isObject(attempt) && isTruth(attempt.success) && fits(attempt, ATTEMPT)),
  object: (value) => isObject(value) && isShallow(value, MAX_DEPTH),
};

const FIELDS = /* @__PURE__ */ fieldChecks();

function fieldChecks(): ReadonlyMap<string, Check> {
  return new Map(Object.entries<OutcomeField>(OUTCOME_FIELDS).map(([name, { kind }]) => [name, KINDS[kind]]));
}

function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth > 0 && Object.values(value).every((inner) => isShallow(inner, depth - 1));
}
