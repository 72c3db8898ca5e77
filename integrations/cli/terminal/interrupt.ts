/**
 * A signal that Ctrl-C aborts, so that the work can end with what it has. A second Ctrl-C ends the process at once.
 * `release` gives Ctrl-C back its usual meaning.
 */
export function onInterrupt(): { readonly signal: AbortSignal; release(): void } {
  const controller = new AbortController();
  const abort = () => controller.abort();
  process.once('SIGINT', abort);
  return { signal: controller.signal, release: () => process.off('SIGINT', abort) };
}

/** What comes from `source` until it ends or `signal` aborts; does not wait for a source that is stuck in a read. */
export async function* until<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]();
  let stop = () => {};
  signal.addEventListener('abort', () => stop(), { once: true });
  while (!signal.aborted) {
    // Not a race with one promise for the abort: that would hold on to everything that ever raced with it.
    const next = await new Promise<IteratorResult<T> | undefined>((resolve, reject) => {
      stop = () => resolve(undefined);
      iterator.next().then(resolve, reject);
    });
    if (!next || next.done) return;
    yield next.value;
  }
}
