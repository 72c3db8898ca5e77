import { hashUnit } from '../../src/lib/hash.js';

/** Returns the items in a random order that depends only on their keys. */
export function shuffled<Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly Item[] {
  return items
    .map((item) => ({ item, place: hashUnit(keyOf(item)) }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
