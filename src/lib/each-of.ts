const DONE = { value: undefined, done: true } as const;

/**
 * Iterates over the elements of batches. Each step costs one resolved promise, because an async generator per element
 * would cost as much as parsing it.
 */
export function eachOf<Value>(batches: AsyncIterator<readonly Value[]>): AsyncIterableIterator<Value> {
  let batch: readonly Value[] = [];
  let at = 0;
  /** The step that waits for a batch. Later steps wait for it. */
  let waiting: Promise<unknown> | undefined;

  async function advance(): Promise<IteratorResult<Value, undefined>> {
    while (at >= batch.length) {
      const next = await batches.next();
      if (next.done) return DONE;
      batch = next.value;
      at = 0;
    }
    return { value: batch[at++] as Value, done: false }; // `at` is inside the batch
  }

  return {
    next() {
      // `at` is inside the batch, so there is a value.
      if (waiting === undefined && at < batch.length)
        return Promise.resolve({ value: batch[at++] as Value, done: false });
      const step = waiting === undefined ? advance() : waiting.then(advance, advance);
      const mine = step.finally(() => {
        if (waiting === mine) waiting = undefined;
      });
      waiting = mine;
      return mine;
    },
    async return() {
      await batches.return?.();
      return DONE;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
