import { LoopError } from 'rsi-loop';
import { showValue } from 'rsi-loop/kit';
import { redisError } from './redis-error.js';

/** Part of an `ioredis` client, or of its cluster, that is used here. */
export interface RedisClient {
  call(command: string, ...args: (string | number)[]): Promise<unknown>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  disconnect(): void;
  /** Socket of a client. Clusters have none. */
  readonly stream?: { ref?(): unknown; unref?(): unknown };
}

/** Location of a stream: an address, or a client of yours. */
export type RedisPlace = (
  | {
      /** `redis://user:password@host:port/database`, or `rediss://` for TLS. */
      readonly url: string;
      readonly client?: never;
    }
  | {
      /** Client of `ioredis` that you create, e.g. for Sentinel, and end after everything that uses it. */
      readonly client: RedisClient;
      readonly url?: never;
    }
) & {
  /** Key of the stream. Default `rsi:outcomes`. One stream serves one loop. */
  readonly stream?: string;
};

const CONNECT_TIMEOUT_MS = 5_000;
/** Longest time for an answer. Blocking reads wait less. */
const ANSWER_TIMEOUT_MS = 10_000;

/** Connection to the server of one stream. Connects on first use, and again after a loss. */
export class RedisConnection {
  /** Name of the server in messages, without user and password. */
  readonly server: string;
  readonly stream: string;
  readonly #place: RedisPlace;
  #client: Promise<RedisClient> | undefined;
  /** Why the last attempt to connect failed, which the driver does not tell its callers. */
  #lastError: unknown;
  #isClosed = false;

  /** @throws LoopError `invalid-input` for an invalid address or stream. */
  constructor(place: RedisPlace) {
    if ((place.url === undefined) === (place.client === undefined)) {
      throw new LoopError('invalid-input', 'a stream of Redis needs one server: give url or client, not both');
    }
    this.server = place.url === undefined ? 'the given client' : serverOf(place.url);
    this.stream = place.stream ?? 'rsi:outcomes';
    if (typeof this.stream !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(this.stream) || /[{}]/.test(this.stream)) {
      const given = showValue(this.stream);
      throw new LoopError(
        'invalid-input',
        `stream is ${given}: give up to 200 visible ASCII characters without { and }`,
      );
    }
    this.#place = place;
  }

  /** @throws LoopError `store-failed` with the setting to change. */
  async call(command: string, ...args: (string | number)[]): Promise<unknown> {
    const client = await this.#open();
    client.stream?.ref?.();
    try {
      return await client.call(command, ...args);
    } catch (cause) {
      const isHidden = cause instanceof Error && /max retries|Connection is closed/.test(cause.message);
      throw redisError((isHidden && this.#lastError) || cause, this.server);
    } finally {
      // An open connection alone must not keep the process alive.
      client.stream?.unref?.();
    }
  }

  /** Ends the connection, except that of a given client. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#place.client === undefined) (await this.#client?.catch(() => undefined))?.disconnect();
  }

  #open(): Promise<RedisClient> {
    if (this.#isClosed) throw new LoopError('closed', `the connection to Redis at ${this.server} is closed`);
    this.#client ??= this.#create();
    return this.#client;
  }

  async #create(): Promise<RedisClient> {
    if (this.#place.url === undefined) return this.#place.client;
    const { Redis } = await import('ioredis').catch((cause: Error) => {
      this.#client = undefined;
      const message = `a stream of Redis cannot load the package ioredis (${cause.message}): npm install ioredis, and leave it out of a bundle`;
      throw new LoopError('missing-peer', message, { cause });
    });
    const client = new Redis(this.#place.url, {
      connectionName: 'rsi-loop',
      connectTimeout: CONNECT_TIMEOUT_MS,
      commandTimeout: ANSWER_TIMEOUT_MS,
      // Callers repeat failed commands themselves, because they know which of them may have run.
      maxRetriesPerRequest: 0,
      autoResendUnfulfilledCommands: false,
    });
    // Each call reports its own failure.
    client.on('error', (error) => {
      this.#lastError = error;
    });
    return client as unknown as RedisClient; // its commands take and return more types
  }
}

/** Returns host and port of an address. @throws LoopError `invalid-input` for text that is not an address of Redis. */
function serverOf(url: string): string {
  const parsed = typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined;
  if (parsed !== undefined && /^rediss?:$/.test(parsed.protocol) && parsed.hostname !== '') return parsed.host;
  throw new LoopError('invalid-input', 'url is not an address of Redis: give redis://user@host:port or rediss://');
}
