import type { Where } from '../contract/pattern.js';

/** Returns the values of a dimension that the places name, each once; none if failures happen everywhere. */
export function namedIn(where: Where, dimension: string): readonly string[] {
  if (where === 'global') return [];
  return [...new Set(where.flatMap(({ [dimension]: value }) => (value === undefined ? [] : [value])))];
}
