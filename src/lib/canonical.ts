import type { Json } from '../contract/json.js';
import { readAs } from './must-be.js';

/** Returns a text that is equal for equal values, independent of the order of their fields. */
export function canonical(value: unknown): string {
  if (typeof value === 'string') return `"${value.trim()}`;
  return readAs('value', 'JSON data', () =>
    JSON.stringify(value, (_key, member: Json | undefined) =>
      typeof member === 'object' && member !== null && !Array.isArray(member)
        ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
        : member,
    ),
  );
}
