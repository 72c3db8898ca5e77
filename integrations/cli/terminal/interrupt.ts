import { EXIT, type ExitCode } from '../exit.js';

/**
 * Returns a signal that Ctrl-C aborts, so that work can end with partial results. A second Ctrl-C ends the process
 * immediately. `release` restores the usual meaning of Ctrl-C. `signals` names other signals with the same effect.
 */
export function onInterrupt(signals: readonly NodeJS.Signals[] = ['SIGINT']): {
  readonly signal: AbortSignal;
  release(): void;
} {
  const controller = new AbortController();
  const release = listen(signals, () => controller.abort());
  return { signal: controller.signal, release };
}

const PARENT_EVERY_MS = 500;

/**
 * Resolves with the exit code at the first Ctrl-C or system request to stop. A second one ends the process immediately.
 */
export function interruption(): Promise<ExitCode> {
  return new Promise((asked) => {
    listen(['SIGINT', 'SIGTERM'], (signal) => asked(signal === 'SIGINT' ? EXIT.interrupted : EXIT.done));
    if (process.env.npm_command !== undefined) onParentGone(() => asked(EXIT.done));
  });
}

/** `npx` ends its shell at a signal, and the shell ends without a word to the command that it started. */
function onParentGone(tell: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    tell();
  }, PARENT_EVERY_MS);
  timer.unref();
}

/** Ends the process at Ctrl-C with the same exit code everywhere, except while a verb listens and ends its work first. */
export function endOnInterrupt(): void {
  process.on('SIGINT', endIfAlone);
}

function endIfAlone(): void {
  if (process.listenerCount('SIGINT') === 1) process.exit(EXIT.interrupted);
}

/**
 * Runs work that leaves nothing behind, and lets Ctrl-C end the process without a listener: work that computes for a
 * second would call the listener only afterwards. Shells say 130 as well.
 */
export async function endingAtOnce<Result>(work: () => Promise<Result>): Promise<Result> {
  const isListening = process.listeners('SIGINT').includes(endIfAlone);
  process.off('SIGINT', endIfAlone);
  try {
    return await work();
  } finally {
    if (isListening) endOnInterrupt();
  }
}

/** Not `once`: without a listener, the next signal would end the process while the store closes. */
function listen(signals: readonly NodeJS.Signals[], onFirst: (signal: NodeJS.Signals) => void): () => void {
  let isAsked = false;
  const onSignal = (signal: NodeJS.Signals) => {
    if (isAsked) process.exit(EXIT.interrupted);
    isAsked = true;
    onFirst(signal);
  };
  for (const signal of signals) process.on(signal, onSignal);
  return () => {
    for (const signal of signals) process.off(signal, onSignal);
  };
}

/** Yields values of `source` until it ends or `signal` aborts. Does not wait for a source that hangs in a read. */
export async function* until<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]();
  let stop = () => {};
  signal.addEventListener('abort', () => stop(), { once: true });
  while (!signal.aborted) {
    // No race with one promise for the abort: that promise would keep a reference to everything it raced with.
    const next = await new Promise<IteratorResult<T> | undefined>((resolve, reject) => {
      stop = () => resolve(undefined);
      iterator.next().then(resolve, reject);
    });
    if (!next || next.done) return;
    yield next.value;
  }
}
