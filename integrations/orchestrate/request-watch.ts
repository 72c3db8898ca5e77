import type { Clock } from 'rsi-loop';
import type { CancelRequest, RunStore } from './run-step.js';

/** Interval at which requests of other processes are read. */
const LOOK_MS = 1_000;

/** Reads requests to a run, which other processes store. */
export class RequestWatch {
  readonly #run: string;
  readonly #store: Pick<RunStore, 'requests'>;
  readonly #clock: Pick<Clock, 'after'>;
  readonly #take: (request: CancelRequest) => Promise<void>;
  #isOver = false;
  #cancel: () => void = () => undefined;

  constructor(
    run: string,
    { store, clock }: { readonly store: Pick<RunStore, 'requests'>; readonly clock: Pick<Clock, 'after'> },
    take: (request: CancelRequest) => Promise<void>,
  ) {
    this.#run = run;
    this.#store = store;
    this.#clock = clock;
    this.#take = take;
  }

  /** Looks again and again, until `close`. */
  start(): void {
    const later = () => {
      if (!this.#isOver) this.start();
    };
    // A store that fails stops the run with its next step.
    const look = () => void this.look().then(later, later);
    this.#cancel = this.#clock.after(LOOK_MS, look, { background: true });
  }

  async look(): Promise<void> {
    for (const request of await this.#store.requests(this.#run)) await this.#take(request);
  }

  close(): void {
    this.#isOver = true;
    this.#cancel();
  }
}
