/** Order of a ready task. */
export interface Ordered {
  readonly priority: number;
  /** Place in the plan, which no other task has. */
  readonly index: number;
}

/** Ready tasks, in the order in which they begin: the highest priority first, then the order of the plan. */
export class ReadyQueue<Item extends Ordered> {
  readonly #heap: Item[] = [];

  get first(): Item | undefined {
    return this.#heap[0];
  }

  add(item: Item): void {
    const heap = this.#heap;
    let at = heap.push(item) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = heap[above] as Item; // `above` is inside the heap
      if (!comesBefore(item, parent)) break;
      heap[at] = parent;
      at = above;
    }
    heap[at] = item;
  }

  /** Removes and returns the first item. */
  take(): Item | undefined {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      const right = left + 1;
      if (left >= heap.length) break;
      const isRight = right < heap.length && comesBefore(heap[right] as Item, heap[left] as Item);
      const below = isRight ? right : left;
      const child = heap[below] as Item; // `below` is inside the heap
      if (!comesBefore(child, last)) break;
      heap[at] = child;
      at = below;
    }
    heap[at] = last;
    return first;
  }
}

/** Returns whether `one` begins before `other`. */
export function comesBefore(one: Ordered, other: Ordered): boolean {
  return one.priority > other.priority || (one.priority === other.priority && one.index < other.index);
}
