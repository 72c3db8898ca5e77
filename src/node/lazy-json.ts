import { randomUUID } from 'node:crypto';
import type { Json } from '../contract/json.js';
import { lazyList } from '../lib/json-pieces.js';

const NEWLINE = 10;
const CLOSING_BRACKET = 93;

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
  let items: Buffer[] | undefined;
  // A line ends behind the `[` of a list, behind the comma of an item, or before the `]`. A line break in a text is escaped.
  for (let end = json.indexOf(NEWLINE); end !== -1; end = json.indexOf(NEWLINE, from)) {
    if (items === undefined) {
      rest += json.toString('utf8', from, end - 1);
      items = [];
      from = end + 1;
    } else if (json[end + 1] === CLOSING_BRACKET) {
      items.push(json.subarray(from, end));
      const name = `${mark} ${lists.size}`;
      lists.set(
        name,
        lazyList(items, (item): Json => JSON.parse(item.toString('utf8'))),
      );
      rest += JSON.stringify(name);
      items = undefined;
      from = end + 2;
    } else {
      items.push(json.subarray(from, end - 1));
      from = end + 1;
    }
  }
  const value: unknown = JSON.parse(rest + json.toString('utf8', from));
  return lists.size === 0 ? value : withLists(value, lists);
}

/** Puts the lists where their names are. */
function withLists(value: unknown, lists: ReadonlyMap<string, Json>): unknown {
  if (typeof value === 'string') return lists.get(value) ?? value;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) value[index] = withLists(value[index], lists);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, part] of Object.entries(value)) {
      const whole = withLists(part, lists);
      if (whole !== part) Object.assign(value, { [key]: whole });
    }
  }
  return value;
}
