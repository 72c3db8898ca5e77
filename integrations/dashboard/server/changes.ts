import type { ServerResponse } from 'node:http';
import type { Clock } from 'rsi-loop';
import { EventStream } from '../../http/event-stream.js';
import type { DashboardEvent, ViewName } from '../views.js';

export interface ChangesOptions {
  readonly clock: Clock;
  readonly maxReaders: number;
  /** Called every 5 s while there are readers. */
  readonly follow: () => Promise<void>;
}

/** Minimum time between two `changed` events. */
const CHANGED_EVERY_MS = 1_000;
const FOLLOW_EVERY_MS = 5_000;
/** Maximum number of `happened` events in that time; a first cycle can find thousands of patterns. */
const MAX_HAPPENED = 20;

/** Stream of what happens, for the pages that are open. Changes within a second become one event. */
export class Changes {
  readonly #options: ChangesOptions;
  readonly #stream: EventStream;
  readonly #views = new Set<ViewName>();
  #sentMs = Number.NEGATIVE_INFINITY;
  #happened = 0;
  #happenedMs = Number.NEGATIVE_INFINITY;
  #cancelChanged: (() => void) | undefined;
  #cancelFollow: (() => void) | undefined;

  constructor(options: ChangesOptions) {
    this.#options = options;
    this.#stream = new EventStream(options.clock, options.maxReaders);
  }

  /** @throws Problem 429 if there are too many readers. */
  mayRead(): void {
    this.#stream.mayRead();
  }

  /** Sends events to a reader until it disconnects, or `isAllowed` returns false. */
  read(response: ServerResponse, lastId: string | undefined, isAllowed: () => boolean): void {
    this.#stream.read(response, lastId, () => {
      if (isAllowed()) return true;
      response.end();
      return false;
    });
    this.#cancelFollow ??= this.#followLater();
  }

  add(event: DashboardEvent): void {
    const nowMs = this.#options.clock.monotonic();
    if (event.kind === 'happened') {
      if (nowMs - this.#happenedMs >= CHANGED_EVERY_MS) {
        this.#happenedMs = nowMs;
        this.#happened = 0;
      }
      if (this.#happened++ < MAX_HAPPENED) this.#send(event);
      return;
    }
    for (const view of event.views) this.#views.add(view);
    if (this.#views.size === 0 || this.#cancelChanged) return;
    const waitMs = Math.max(0, this.#sentMs + CHANGED_EVERY_MS - nowMs);
    this.#cancelChanged = this.#options.clock.after(waitMs, () => this.#sendChanged(), { background: true });
  }

  close(): void {
    this.#cancelChanged?.();
    this.#cancelFollow?.();
    this.#stream.close();
  }

  #sendChanged(): void {
    this.#cancelChanged = undefined;
    this.#sentMs = this.#options.clock.monotonic();
    this.#send({ kind: 'changed', views: [...this.#views] });
    this.#views.clear();
  }

  #followLater(): () => void {
    return this.#options.clock.after(FOLLOW_EVERY_MS, () => void this.#follow(), { background: true });
  }

  async #follow(): Promise<void> {
    // A store that cannot be read is reported by the next view.
    await this.#options.follow().catch(() => undefined);
    this.#cancelFollow = this.#stream.readers > 0 ? this.#followLater() : undefined;
  }

  #send(event: DashboardEvent): void {
    this.#stream.send({ data: JSON.stringify(event) });
  }
}
