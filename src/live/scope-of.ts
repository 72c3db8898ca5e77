import { readableFields } from '../lib/readable.js';
import { sanitizeName } from '../observe/sanitize.js';
import type { RSILoopOptions } from './options.js';

/**
 * Returns the readable names with source and deployment, sanitized, so that they equal the names in records. `features`
 * become names of their own, as in a scope.
 */
export function scopeOf<Names extends object>(
  names: Names,
  { source = 'generic', deployment }: Pick<RSILoopOptions, 'source' | 'deployment'>,
): Names & { readonly source: string } {
  const { features, ...fields }: Readonly<Record<string, unknown>> = readableFields(names);
  const named = Object.entries(readableFields(features)).map(([name, value]) => [`feature.${name}`, value] as const);
  const given = [...Object.entries({ source, ...deployment, ...fields }), ...named];
  const kept = given.map(([key, name]) => [key, typeof name === 'string' ? sanitizeName(name) : name]);
  return Object.fromEntries(kept) as Names & { readonly source: string }; // the same keys, with text values
}
