import type { Clock } from 'rsi-loop';

/** Part of `chokidar` that is used here. */
export interface Watching {
  watch(path: string, options: { depth: number; ignoreInitial: boolean }): Watcher;
}

interface Watcher {
  on(event: 'all' | 'error', listener: (...args: never[]) => void): unknown;
  close(): Promise<void>;
}

export interface Looking {
  /** Scans once and returns true if another scan soon will find more. Never rejects. */
  readonly look: () => Promise<boolean>;
  readonly everyMs: number;
  /** Delay between a change and the scan it triggers. */
  readonly soonMs: number;
  readonly clock: Clock;
  /** Reports changes, so that they are handled before the next scheduled scan. */
  readonly watching?: Watching;
  /** Called with the problems of `watching`. */
  readonly report: (error: unknown) => void;
}

/**
 * Scans now, then every `everyMs` and soon after each change. Returns a function that stops it. Never keeps the process
 * alive.
 */
export async function keepLooking(
  folder: string,
  { look, everyMs, soonMs, clock, watching, report }: Looking,
): Promise<() => Promise<void>> {
  let cancel = () => {};
  let cancelSoon: (() => void) | undefined;
  let isStopped = false;
  const soon = () => {
    if (isStopped) return;
    cancelSoon ??= clock.after(
      soonMs,
      () => {
        cancelSoon = undefined;
        void look().then((isWaiting) => isWaiting && soon());
      },
      { background: true },
    );
  };
  const next = () => {
    if (isStopped) return;
    cancel = clock.after(everyMs, () => void look().then(next), { background: true });
  };
  if (await look()) soon();
  next();
  const watcher = watching?.watch(folder, { depth: 0, ignoreInitial: false });
  watcher?.on('all', soon);
  watcher?.on('error', ((error: unknown) => report(error)) as () => void); // the listener's argument can be any value
  return async () => {
    isStopped = true;
    cancel();
    cancelSoon?.();
    await watcher?.close();
  };
}

export async function loadChokidar(): Promise<Watching | undefined> {
  try {
    return (await import('chokidar')) as unknown as Watching; // only the used part of it
  } catch {
    return undefined;
  }
}
