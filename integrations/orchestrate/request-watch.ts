import type { Clock } from 'rsi-loop';
import type { RunRequest, RunStore } from './run-step.js';

/** Interval at which requests of other processes are read. */
const LOOK_MS = 1_000;

/** Reads requests to a run, which other processes store. */
export class RequestWatch {
  readonly #run: string;
  readonly #store: Pick<RunStore, 'requests'>;
  readonly #clock: Pick<Clock, 'after'>;
  readonly #take: (request: RunRequest) => Promise<void>;
  /** Whether the run waits for a request, and the process must live for it. */
  readonly #isAwaited: () => boolean;
  #isOver = false;
  #cancel: () => void = () => undefined;

  constructor(
    run: string,
    { store, clock }: { readonly store: Pick<RunStore, 'requests'>; readonly clock: Pick<Clock, 'after'> },
    take: (request: RunRequest) => Promise<void>,
    isAwaited: () => boolean,
  ) {
    this.#run = run;
    this.#store = store;
    this.#clock = clock;
    this.#take = take;
    this.#isAwaited = isAwaited;
  }

  /** Looks again and again, until `close`. */
  start(): void {
    const later = () => {
      if (!this.#isOver) this.start();
    };
    // A store that fails stops the run with its next step.
    const look = () => void this.look().then(later, later);
    this.#cancel = this.#clock.after(LOOK_MS, look, { background: !this.#isAwaited() });
  }

  /** Sets the timer again, after the run began or ceased to wait for a request. */
  renew(): void {
    this.#cancel();
    if (!this.#isOver) this.start();
  }

  async look(): Promise<void> {
    for (const request of await this.#store.requests(this.#run)) await this.#take(request);
  }

  close(): void {
    this.#isOver = true;
    this.#cancel();
  }
}
