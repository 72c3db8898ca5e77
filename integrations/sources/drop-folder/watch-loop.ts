import type { Clock } from 'rsi-loop';

/** The part of `chokidar` that is used. */
export interface Watching {
  watch(path: string, options: { depth: number; ignoreInitial: boolean }): Watcher;
}

interface Watcher {
  on(event: 'all' | 'error', listener: (...args: never[]) => void): unknown;
  close(): Promise<void>;
}

export interface Looking {
  /** Looks once; gives whether another look soon will find more. Never fails. */
  readonly look: () => Promise<boolean>;
  readonly everyMs: number;
  /** How long after a change the look that it asks for comes. */
  readonly soonMs: number;
  readonly clock: Clock;
  /** Tells of changes, so that nobody has to wait for the next look. */
  readonly watching?: Watching;
  /** Hears of the problems of `watching`. */
  readonly tell: (error: unknown) => void;
}

/** Looks now, then every `everyMs` and soon after each change, until what it gives is called. Never keeps the process alive. */
export async function keepLooking(
  folder: string,
  { look, everyMs, soonMs, clock, watching, tell }: Looking,
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
  watcher?.on('error', ((error: unknown) => tell(error)) as () => void); // the listener's argument is whatever it is
  return async () => {
    isStopped = true;
    cancel();
    cancelSoon?.();
    await watcher?.close();
  };
}

export async function loadChokidar(): Promise<Watching | undefined> {
  try {
    return (await import('chokidar')) as unknown as Watching; // the part of it that is used
  } catch {
    return undefined;
  }
}
