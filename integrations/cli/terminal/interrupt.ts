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
  const aborted = new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  const iterator = source[Symbol.asyncIterator]();
  while (!signal.aborted) {
    const next = await Promise.race([iterator.next(), aborted]);
    if (!next || next.done) return;
    yield next.value;
  }
}
