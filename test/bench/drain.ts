interface Leaf {
  readonly clusters: { template: string[]; readonly id: number }[];
}
type Node = Map<string, Node | Leaf>;

const WILDCARD = '<*>';

/**
 * Drain as published (He, Zhu, Zheng, Lyu: "Drain: An Online Log Parsing Approach with Fixed Depth Tree", ICWS 2017),
 * with the usual settings and no masks: to measure beside, not part of the product.
 */
export class Drain {
  readonly #root: Map<number, Node> = new Map();
  readonly #prefix: number;
  readonly #similarity: number;
  readonly #maxChildren: number;
  #clusters = 0;

  constructor({ depth = 4, similarity = 0.4, maxChildren = 100 } = {}) {
    this.#prefix = depth - 2;
    this.#similarity = similarity;
    this.#maxChildren = maxChildren;
  }

  add(message: string): number {
    const tokens = message.trim().split(/\s+/);
    const leaf = this.#leafFor(tokens);
    let best: Leaf['clusters'][number] | undefined;
    let bestSimilarity = -1;
    let bestWildcards = -1;
    for (const cluster of leaf.clusters) {
      let same = 0;
      let wildcards = 0;
      for (let index = 0; index < tokens.length; index++) {
        const token = cluster.template[index];
        if (token === WILDCARD) wildcards++;
        else if (token === tokens[index]) same++;
      }
      const similarity = same / tokens.length;
      if (similarity > bestSimilarity || (similarity === bestSimilarity && wildcards > bestWildcards)) {
        best = cluster;
        bestSimilarity = similarity;
        bestWildcards = wildcards;
      }
    }
    if (best === undefined || bestSimilarity < this.#similarity) {
      const id = this.#clusters++;
      leaf.clusters.push({ template: tokens, id });
      return id;
    }
    for (let index = 0; index < tokens.length; index++) {
      if (best.template[index] !== tokens[index]) best.template[index] = WILDCARD;
    }
    return best.id;
  }

  #leafFor(tokens: readonly string[]): Leaf {
    let node = this.#root.get(tokens.length);
    if (node === undefined) {
      node = new Map();
      this.#root.set(tokens.length, node);
    }
    const steps = Math.min(this.#prefix, tokens.length);
    for (let step = 0; step < steps; step++) {
      const token = tokens[step] ?? '';
      let key = /\d/.test(token) ? WILDCARD : token;
      if (!node.has(key) && node.size >= this.#maxChildren) key = WILDCARD;
      let next = node.get(key);
      if (next === undefined) {
        next = step === steps - 1 ? { clusters: [] } : new Map();
        node.set(key, next);
      }
      if (!(next instanceof Map)) return next;
      node = next;
    }
    throw new Error('a message without tokens has no leaf');
  }
}
