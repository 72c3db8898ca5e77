import type { OutcomeField, TokenUse } from '../contract/outcome.js';
import { isObject } from '../lib/is-object.js';
import { MAX_NAME, sanitizeObject, sanitizeText } from './sanitize.js';
import { readTokens, tokenUse } from './tokens.js';
import * as values from './values.js';

/**
 * Reads the value of a field from outside, in any accepted form, redacted and truncated. Returns `undefined` if it
 * cannot be read.
 */
export function readField(field: OutcomeField, value: unknown): unknown {
  switch (field.kind) {
    case 'name':
      return values.readName(value);
    case 'text':
      return typeof value === 'string' ? sanitizeText(value) : shortValue(value);
    case 'time':
    case 'number':
      return values.readNumber(value, field.min ?? 0, field.max ?? Number.MAX_VALUE);
    case 'success':
      return values.readSuccess(value);
    case 'flag':
      return typeof value === 'boolean' ? value : undefined;
    case 'names':
      return values.readNames(value, field.max ?? MAX_LIST);
    case 'severity':
      return values.readSeverity(value);
    case 'tokens':
      return readTokens(value);
    case 'attempts':
      return values.readAttempts(value);
    case 'object':
      return isObject(value) ? sanitizeObject(value) : undefined;
    case 'error':
      return undefined; // read together with its forms
    default:
      return field.kind satisfies never;
  }
}

/** Reads a value of the field's own type, as fast as possible. Returns `undefined` for any other form. */
export function readTyped(field: OutcomeField, value: unknown): unknown {
  switch (field.kind) {
    case 'name':
      return typeof value === 'string' && value !== '' ? sanitizeText(value, MAX_NAME) : undefined;
    case 'text':
      return typeof value === 'string' ? sanitizeText(value) : undefined;
    case 'time':
    case 'number':
      return isBetween(value, field.min ?? 0, field.max ?? Number.MAX_VALUE) ? value : undefined;
    case 'tokens':
      return readTypedTokens(value);
    default:
      return readField(field, value);
  }
}

function readTypedTokens(value: unknown): TokenUse | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { input, output, cachedInput } = value as Partial<TokenUse>; // checked on the next line
  if (!isBetween(input, 0, MAX_COUNT) || !isBetween(output, 0, MAX_COUNT)) return undefined;
  return tokenUse(input, output, isBetween(cachedInput, 0, MAX_COUNT) ? cachedInput : 0);
}

/** Returns a description of what can be read in a field. */
export function expectedIn({ kind, unit, min = 0, max }: OutcomeField): string {
  switch (kind) {
    case 'time':
    case 'number':
      return max === undefined
        ? `${unit ?? 'a number'}, ${min} or more`
        : `${unit ?? 'a number'} from ${min} to ${max}`;
    default:
      return EXPECTED[kind];
  }
}

const EXPECTED: { readonly [Kind in Exclude<OutcomeField['kind'], 'time' | 'number'>]: string } = {
  name: 'a text that is not empty',
  text: 'a text',
  success: 'true or false',
  flag: 'true or false',
  names: 'a name or a list of names',
  severity: 'low, medium, high or critical',
  tokens: 'an object with input and output counts',
  attempts: 'a list of attempts with success and durationMs',
  object: 'an object',
  error: 'an error',
};
/** More than any count of tokens. */
const MAX_COUNT = 1e13;
const MAX_LIST = 32;

function isBetween(value: unknown, min: number, max: number): value is number {
  return typeof value === 'number' && value >= min && value <= max;
}

/** Returns a value on one short line. */
export function shortValue(value: unknown): string {
  if (typeof value === 'string') return sanitizeText(value, 80);
  if (typeof value === 'object' && value !== null) {
    return sanitizeText(
      JSON.stringify(Array.isArray(value) ? sanitizeObject({ list: value }).list : sanitizeObject(value)),
      80,
    );
  }
  return typeof value === 'symbol' || typeof value === 'function'
    ? `a ${typeof value}`
    : sanitizeText(String(value).slice(0, 80), 80);
}
