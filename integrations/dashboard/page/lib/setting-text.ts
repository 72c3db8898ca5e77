import type { Json, PolicyRow } from 'rsi-loop';
import { count, digits, percent } from './format.js';
import { oneLine } from './recorded-text.js';

/** Returns the value of a setting in words: `none` for an empty one, and for a 0 below what a fix may set. */
export function settingText({ value, bounds }: Pick<PolicyRow, 'value' | 'bounds'>): string {
  if (value === 0 && bounds !== undefined && bounds.min > 0) return 'none';
  return oneLine(wordsOf(value), 80);
}

/** Returns the values that a fix may set. */
export function boundsText({ min, max, unit }: NonNullable<PolicyRow['bounds']>): string {
  return max === 0 ? 'nothing' : `${number(min)} to ${number(max)} ${unit}`;
}

function wordsOf(value: Json): string {
  if (typeof value === 'number') return number(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (value === null || typeof value === 'string') return value ?? 'none';
  const parts = Array.isArray(value) ? value.map(String) : Object.entries(value).map(shareOf);
  return parts.length === 0 ? 'none' : parts.join(', ');
}

/** Returns one entry of `model.weights`. */
function shareOf([name, share]: readonly [string, Json | undefined]): string {
  return `${name} ${typeof share === 'number' ? percent(share) : JSON.stringify(share)}`;
}

function number(value: number): string {
  return Number.isInteger(value) ? count(value) : digits(value);
}
