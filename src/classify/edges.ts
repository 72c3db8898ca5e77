/** Upper bound on the number of symbols. Node and symbol together form the key of an edge. */
const MAX_SYMBOLS = 16_384;
/** Odd number near 2^32 / 1.618 that spreads keys over the slots (Knuth). */
const SPREAD = 0x9e3779b1;
const FIRST_BITS = 12;

/** Edges of a tree whose nodes are numbered from 0. */
export interface Edges {
  /** Returns the node that a symbol leads to, or 0. */
  readonly step: (node: number, symbol: number) => number;
  /** Returns the node that a symbol leads to, creating it if missing. New nodes are numbered consecutively. */
  readonly grow: (node: number, symbol: number) => number;
}

/**
 * Creates a hash table with open addressing, at most a quarter full, because it is read for every word of every text.
 */
export function growingEdges(firstBits = FIRST_BITS): Edges {
  let bits = firstBits;
  let mask = (1 << bits) - 1;
  let keys = new Int32Array(1 << bits);
  let ends = new Int32Array(1 << bits);
  let count = 0;
  /**
   * Per node a 32-bit filter of its symbols (modulo 32). Most steps lead nowhere, and the filter rejects them early.
   */
  const hints = [0];

  const slotOf = (key: number) => {
    let slot = Math.imul(key, SPREAD) >>> (32 - bits);
    while (keys[slot] !== 0 && keys[slot] !== key) slot = (slot + 1) & mask;
    return slot;
  };
  const widen = () => {
    const [oldKeys, oldEnds] = [keys, ends];
    bits++;
    mask = (1 << bits) - 1;
    keys = new Int32Array(1 << bits);
    ends = new Int32Array(1 << bits);
    oldKeys.forEach((key, from) => {
      if (key === 0) return;
      const slot = slotOf(key);
      keys[slot] = key;
      ends[slot] = oldEnds[from] ?? 0;
    });
  };
  const step = (node: number, symbol: number) =>
    (((hints[node] ?? 0) >>> symbol) & 1) === 0 ? 0 : (ends[slotOf(node * MAX_SYMBOLS + symbol)] ?? 0);
  const grow = (node: number, symbol: number) => {
    const known = step(node, symbol);
    if (known > 0) return known;
    if (4 * ++count > keys.length) widen();
    const slot = slotOf(node * MAX_SYMBOLS + symbol);
    keys[slot] = node * MAX_SYMBOLS + symbol;
    ends[slot] = count;
    hints.push(0);
    hints[node] = (hints[node] ?? 0) | (1 << symbol);
    return count;
  };
  return { step, grow };
}
