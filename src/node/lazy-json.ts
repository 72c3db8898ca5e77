import { randomUUID } from 'node:crypto';
import type { Json } from '../contract/json.js';
import { lazyList } from '../lib/json-pieces.js';

/** Marks of a list with a line for each item. Line breaks inside a text are escaped. */
const OPENING = '[\n';
const BETWEEN = ',\n';
const CLOSING = '\n]';

/**
 * Parses JSON. A list that `jsonSlices` wrote with a line for each item is lazy again: an item is parsed when it is read, so
 * that no turn of the event loop parses a large snapshot.
 * @throws what `JSON.parse` throws.
 */
export function parseLazily(json: Buffer): unknown {
  const lists = new Map<string, Json>();
  // No recorded text contains it.
  const mark = randomUUID();
  let rest = '';
  let from = 0;
  for (let at = json.indexOf(OPENING); at !== -1; at = json.indexOf(OPENING, from)) {
    const end = json.indexOf(CLOSING, at);
    const name = `${mark} ${lists.size}`;
    lists.set(name, listOf(json.subarray(at + OPENING.length, end)));
    rest += json.toString('utf8', from, at) + JSON.stringify(name);
    from = end + CLOSING.length;
  }
  const value: unknown = JSON.parse(rest + json.toString('utf8', from));
  return lists.size === 0 ? value : withLists(value, lists);
}

function listOf(items: Buffer): Json {
  const parts: Buffer[] = [];
  for (let from = 0; from < items.byteLength; ) {
    const at = items.indexOf(BETWEEN, from);
    const end = at === -1 ? items.byteLength : at;
    parts.push(items.subarray(from, end));
    from = end + BETWEEN.length;
  }
  return lazyList(parts, (part): Json => JSON.parse(part.toString('utf8')));
}

/** Puts the lists where their names are. */
function withLists(value: unknown, lists: ReadonlyMap<string, Json>): unknown {
  if (typeof value === 'string') return lists.get(value) ?? value;
  if (typeof value !== 'object' || value === null) return value;
  for (const [key, part] of Object.entries(value)) {
    const whole = withLists(part, lists);
    if (whole !== part) Object.assign(value, { [key]: whole });
  }
  return value;
}
