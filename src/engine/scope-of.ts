import { readableFields } from '../lib/readable.js';
import { sanitizeName } from '../observe/sanitize.js';

/** Returns the readable names with a source, sanitized, so that they equal the names in records. */
export function scopeOf<Names extends object>(names: Names, source = 'generic'): Names & { readonly source: string } {
  const given = Object.entries({ source, ...readableFields(names) });
  const kept = given.map(([key, name]) => [key, typeof name === 'string' ? sanitizeName(name) : name]);
  return Object.fromEntries(kept) as Names & { readonly source: string }; // the same keys, with text values
}
