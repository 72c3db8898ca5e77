import { EXIT } from '../verb.js';

/**
 * A signal that Ctrl-C aborts, so that the work can end with what it has. A second Ctrl-C ends the process at once.
 * `release` gives Ctrl-C back its usual meaning.
 */
export function onInterrupt(): { readonly signal: AbortSignal; release(): void } {
  const controller = new AbortController();
  const release = listen(['SIGINT'], () => controller.abort());
  return { signal: controller.signal, release };
}

/** Resolves at the first Ctrl-C, or when the system asks; the second time the process ends at once. */
export function interruption(): Promise<void> {
  return new Promise((asked) => {
    listen(['SIGINT', 'SIGTERM'], asked);
  });
}

/** Not `once`: a signal that nobody listens to any more would let the store end the process while it closes. */
function listen(signals: readonly NodeJS.Signals[], onFirst: () => void): () => void {
  let isAsked = false;
  const onSignal = () => {
    if (isAsked) process.exit(EXIT.interrupted);
    isAsked = true;
    onFirst();
  };
  for (const signal of signals) process.on(signal, onSignal);
  return () => {
    for (const signal of signals) process.off(signal, onSignal);
  };
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
