import type { ServerResponse } from 'node:http';
import { type Clock, EVENT_KINDS, type LoopEvent, type RSILoop } from 'rsi-loop';
import { Problem } from './problem.js';

/** Number of events kept for readers that reconnect. */
const MAX_KEPT = 256;
/** Heartbeat interval. Proxies and browsers close connections that are silent for long. */
const BEAT_MS = 15_000;
/** Unread bytes above which a reader is too slow. It is disconnected and may reconnect. */
const MAX_UNREAD_BYTES = 1_048_576;

interface Told {
  readonly number: number;
  readonly kind: LoopEvent['kind'];
  readonly text: string;
}

interface Reader {
  readonly response: ServerResponse;
  readonly kinds: ReadonlySet<string> | undefined;
}

/** Sends the events of a loop to HTTP readers, as server-sent events. */
export class EventFeed {
  readonly #clock: Clock;
  readonly #maxReaders: number;
  readonly #ends: readonly (() => void)[];
  readonly #readers = new Set<Reader>();
  /** Distinguishes event numbers of this server from those of the previous one. */
  readonly #epoch: string;
  #kept: Told[] = [];
  #number = 0;
  #cancelBeat: (() => void) | undefined;

  constructor(loop: RSILoop, clock: Clock, maxReaders: number) {
    this.#clock = clock;
    this.#maxReaders = maxReaders;
    this.#epoch = clock.now().toString(36);
    this.#ends = EVENT_KINDS.map((kind) => loop.on(kind, (event) => this.#send(event)));
  }

  get readers(): number {
    return this.#readers.size;
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
    if (this.#readers.size < this.#maxReaders) return wanted;
    throw new Problem(429, `${this.#maxReaders} readers are connected: let one of them go`, { retryAfterS: 10 });
  }

  /**
   * Writes events to the response until the reader disconnects or the feed closes. `lastId` is the last event it
   * received.
   */
  read(response: ServerResponse, kinds: ReadonlySet<string> | undefined, lastId: string | undefined): void {
    const reader = { response, kinds };
    this.#readers.add(reader);
    response.once('close', () => this.#leave(reader));
    // Without this, a reader would not know that it is connected until the first event.
    response.write('retry: 2000\n\n');
    for (const sent of this.#missed(lastId)) this.#write(reader, sent);
    this.#cancelBeat ??= this.#beat();
  }

  close(): void {
    for (const end of this.#ends) end();
    this.#cancelBeat?.();
    for (const { response } of this.#readers) response.end();
  }

  #send(event: LoopEvent): void {
    const sent = { number: ++this.#number, kind: event.kind, text: JSON.stringify(event) };
    this.#kept.push(sent);
    if (this.#kept.length >= 2 * MAX_KEPT) this.#kept = this.#kept.slice(-MAX_KEPT);
    for (const reader of this.#readers) this.#write(reader, sent);
  }

  #missed(lastId: string | undefined): readonly Told[] {
    const [epoch, number] = lastId?.split('-') ?? [];
    if (epoch === undefined || number === undefined) return [];
    // Numbers of another server are meaningless, so every kept event is new.
    const last = epoch === this.#epoch ? Number(number) : 0;
    return this.#kept.slice(-MAX_KEPT).filter((sent) => sent.number > last);
  }

  #write({ response, kinds }: Reader, { number, kind, text }: Told): void {
    if (kinds !== undefined && !kinds.has(kind)) return;
    // JSON has no line breaks, so the data is one line.
    response.write(`id: ${this.#epoch}-${number}\nevent: ${kind}\ndata: ${text}\n\n`);
    if (response.writableLength > MAX_UNREAD_BYTES) response.destroy();
  }

  #leave(reader: Reader): void {
    this.#readers.delete(reader);
    if (this.#readers.size > 0) return;
    this.#cancelBeat?.();
    this.#cancelBeat = undefined;
  }

  #beat(): () => void {
    const next = () => {
      for (const { response } of this.#readers) response.write(':\n\n');
      this.#cancelBeat = this.#clock.after(BEAT_MS, next, { background: true });
    };
    return this.#clock.after(BEAT_MS, next, { background: true });
  }
}
