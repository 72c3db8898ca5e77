import type { ServerResponse } from 'node:http';
import { type Clock, EVENT_KINDS, type RSILoop } from 'rsi-loop';
import { EventStream } from '../../http/event-stream.js';
import { Problem } from '../../http/http-problem.js';

/** Sends the events of a loop to HTTP readers, as server-sent events. */
export class EventFeed {
  readonly #stream: EventStream;
  readonly #ends: readonly (() => void)[];

  constructor(loop: RSILoop, clock: Clock, maxReaders: number) {
    this.#stream = new EventStream(clock, maxReaders);
    this.#ends = EVENT_KINDS.map((kind) =>
      loop.on(kind, (event) => this.#stream.send({ name: kind, data: JSON.stringify(event) })),
    );
  }

  get readers(): number {
    return this.#stream.readers;
  }

  /**
   * Returns the kinds to send; undefined for all.
   * @throws Problem 400 for an unknown kind, 429 if there are too many readers.
   */
  mayRead(kinds: string | undefined): ReadonlySet<string> | undefined {
    const wanted = kinds === undefined ? undefined : new Set(kinds.split(',').map((kind) => kind.trim()));
    const strange = [...(wanted ?? [])].find((kind) => !EVENT_KINDS.some((known) => known === kind));
    if (strange !== undefined) {
      const detail = `unknown event ${JSON.stringify(strange)}: give some of ${EVENT_KINDS.join(', ')}`;
      throw new Problem(400, detail, { field: 'kinds' });
    }
    this.#stream.mayRead();
    return wanted;
  }

  /**
   * Writes events to the response until the reader disconnects or the feed closes. `lastId` is the last event it
   * received.
   */
  read(response: ServerResponse, kinds: ReadonlySet<string> | undefined, lastId: string | undefined): void {
    this.#stream.read(response, lastId, ({ name = '' }) => kinds === undefined || kinds.has(name));
  }

  close(): void {
    for (const end of this.#ends) end();
    this.#stream.close();
  }
}
