import type { ServerResponse } from 'node:http';
import type { Clock } from 'rsi-loop';
import { Problem } from './http-problem.js';

/** Number of events kept for readers that reconnect. */
const MAX_KEPT = 256;
/** Heartbeat interval. Proxies and browsers close connections that are silent for long. */
const BEAT_MS = 15_000;
/** Unread bytes above which a reader is too slow. It is disconnected and may reconnect. */
const MAX_UNREAD_BYTES = 1_048_576;

/** Event without its id. `data` is one line. */
export interface StreamEvent {
  /** Event name; without one, browsers pass the event to `onmessage`. */
  readonly name?: string;
  readonly data: string;
}

interface Sent extends StreamEvent {
  readonly number: number;
}

interface Reader {
  readonly response: ServerResponse;
  readonly wants: (event: StreamEvent) => boolean;
}

/** Server-sent events for many readers. Readers that reconnect get what they missed. */
export class EventStream {
  readonly #clock: Clock;
  readonly #maxReaders: number;
  readonly #readers = new Set<Reader>();
  /** Distinguishes event numbers of this server from those of the previous one. */
  readonly #epoch: string;
  #kept: Sent[] = [];
  #number = 0;
  #cancelBeat: (() => void) | undefined;

  constructor(clock: Clock, maxReaders: number) {
    this.#clock = clock;
    this.#maxReaders = maxReaders;
    this.#epoch = clock.now().toString(36);
  }

  get readers(): number {
    return this.#readers.size;
  }

  /** @throws Problem 429 if there are too many readers. */
  mayRead(): void {
    if (this.#readers.size < this.#maxReaders) return;
    throw new Problem(429, `${this.#maxReaders} readers are connected: let one of them go`, { retryAfterS: 10 });
  }

  /**
   * Writes events to the response until the reader disconnects or the stream closes. `lastId` is the last event it
   * received.
   */
  read(response: ServerResponse, lastId: string | undefined, wants: Reader['wants'] = () => true): void {
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    const reader = { response, wants };
    this.#readers.add(reader);
    response.once('close', () => this.#leave(reader));
    // Without this, a reader would not know that it is connected until the first event.
    response.write('retry: 2000\n\n');
    for (const sent of this.#missed(lastId)) this.#write(reader, sent);
    this.#cancelBeat ??= this.#beat();
  }

  send(event: StreamEvent): void {
    const sent = { ...event, number: ++this.#number };
    this.#kept.push(sent);
    if (this.#kept.length >= 2 * MAX_KEPT) this.#kept = this.#kept.slice(-MAX_KEPT);
    for (const reader of this.#readers) this.#write(reader, sent);
  }

  close(): void {
    this.#cancelBeat?.();
    for (const { response } of this.#readers) response.end();
  }

  #missed(lastId: string | undefined): readonly Sent[] {
    const [epoch, number] = lastId?.split('-') ?? [];
    if (epoch === undefined || number === undefined) return [];
    // Numbers of another server are meaningless, so every kept event is new.
    const last = epoch === this.#epoch ? Number(number) : 0;
    return this.#kept.slice(-MAX_KEPT).filter((sent) => sent.number > last);
  }

  #write({ response, wants }: Reader, sent: Sent): void {
    if (!wants(sent)) return;
    const name = sent.name === undefined ? '' : `event: ${sent.name}\n`;
    response.write(`id: ${this.#epoch}-${sent.number}\n${name}data: ${sent.data}\n\n`);
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
