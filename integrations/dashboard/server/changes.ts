import type { ServerResponse } from 'node:http';
import type { Clock } from 'rsi-loop';
import { EventStream } from '../../http/event-stream.js';
import { withoutUnseen } from '../../http/unseen.js';
import { type DashboardEvent, VIEW_NAMES, type ViewName } from '../views.js';

/** Minimum time between two `changed` events. */
const CHANGED_EVERY_MS = 1_000;
/** Maximum number of `happened` events in that time; a first cycle can find thousands of patterns. */
const MAX_HAPPENED = 20;

/** Maximum number of pages that follow events. */
const MAX_READERS = 100;
/** Time without a reader after which the stream unsubscribes from the source. Shorter gaps lose no event. */
const LEAVE_MS = 60_000;

type Listen = (handler: (event: DashboardEvent) => void) => () => void;

/** Stream of what happens, for the pages that are open. Changes within a second become one event. */
export class Changes {
  readonly #clock: Clock;
  readonly #listen: Listen;
  readonly #stream: EventStream;
  readonly #views = new Set<ViewName>();
  #sentMs = Number.NEGATIVE_INFINITY;
  #happened = 0;
  #happenedMs = Number.NEGATIVE_INFINITY;
  #cancelChanged: (() => void) | undefined;
  #cancelLook: (() => void) | undefined;
  #unlisten: (() => void) | undefined;
  #hasLeft = false;

  /** `listen` is called only while there are readers, because a source with a listener reads its store. */
  constructor(clock: Clock, listen: Listen) {
    this.#clock = clock;
    this.#listen = listen;
    this.#stream = new EventStream(clock, MAX_READERS);
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
    if (this.#unlisten === undefined) this.#begin();
  }

  close(): void {
    this.#cancelChanged?.();
    this.#cancelLook?.();
    this.#unlisten?.();
    this.#stream.close();
  }

  #add(event: DashboardEvent): void {
    const nowMs = this.#clock.monotonic();
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
    this.#cancelChanged = this.#clock.after(waitMs, () => this.#sendChanged(), { background: true });
  }

  #sendChanged(): void {
    this.#cancelChanged = undefined;
    this.#sentMs = this.#clock.monotonic();
    this.#send({ kind: 'changed', views: [...this.#views] });
    this.#views.clear();
  }

  #begin(): void {
    this.#unlisten = this.#listen((event) => this.#add(event));
    // Readers that come back have missed what was not listened to.
    if (this.#hasLeft) this.#add({ kind: 'changed', views: VIEW_NAMES });
    this.#lookLater();
  }

  #lookLater(): void {
    const look = () => {
      if (this.#stream.readers > 0) this.#lookLater();
      else this.#leave();
    };
    this.#cancelLook = this.#clock.after(LEAVE_MS, look, { background: true });
  }

  #leave(): void {
    this.#unlisten?.();
    this.#unlisten = undefined;
    this.#hasLeft = true;
  }

  #send(event: DashboardEvent): void {
    this.#stream.send({ data: withoutUnseen(JSON.stringify(event)) });
  }
}
