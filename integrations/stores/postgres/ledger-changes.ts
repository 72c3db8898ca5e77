import type { Clock } from 'rsi-loop';
import type { Database } from './database.js';
import type { PgClient } from './driver.js';

/** Interval of polling while the server cannot notify this process, and while it can. */
const POLL_MS = 500;
const POLL_NOTIFIED_MS = 5_000;
/** Delay before a lost connection is opened again. */
const RECONNECT_MS = 1_000;
/** Time for the server to deliver a first notification. A pooler in transaction mode delivers none. */
const PROOF_MS = 2_000;

/**
 * Notices decisions of other processes: by LISTEN where the connection allows it, and always by polling, so that a lost
 * notification only delays. Begins with the first listener.
 */
export class LedgerChanges {
  /** Name under which the server notifies. */
  readonly channel: string;
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #listeners: (() => void)[] = [];
  #length = 0;
  #client: PgClient | undefined;
  /** Whether a notification arrived on the open connection, so that polling is only a precaution. */
  #isNotified = false;
  #cancelPoll: (() => void) | undefined;
  #cancelConnect: (() => void) | undefined;
  #isClosed = false;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
    this.channel = `rsi_loop_${database.schema}`;
  }

  add(listener: () => void): void {
    this.#listeners.push(listener);
    if (this.#listeners.length > 1) return;
    void this.#listen();
    this.#pollLater();
  }

  /** Notes a length of the ledger that this process knows. */
  saw(length: number): void {
    this.#length = length;
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelPoll?.();
    this.#cancelConnect?.();
    this.#disconnect();
  }

  #found(length: number): void {
    if (length === this.#length || this.#isClosed) return;
    this.#length = length;
    for (const listener of this.#listeners) listener();
  }

  async #listen(): Promise<void> {
    try {
      const client = await this.#database.connect();
      if (this.#isClosed) return client.release(true);
      this.#client = client;
      client.unref?.();
      client.on('error', () => this.#lost(client));
      client.on('notification', ({ channel, payload }) => {
        if (channel !== this.channel) return;
        this.#isNotified = true;
        if (payload !== '') this.#found(Number(payload));
      });
      await client.query(`listen ${this.channel}`);
      // From another connection: a pooler that shares sessions passes this on to a connection that does not listen.
      await this.#database.query(`select pg_notify($1, '')`, [this.channel]);
      this.#cancelConnect = this.#clock.after(PROOF_MS, () => this.#prove(client), { background: true });
    } catch {
      this.#lost(this.#client);
    }
  }

  /** Closes the connection if no notification arrived on it: polling has to do. */
  #prove(client: PgClient): void {
    if (!this.#isNotified && this.#client === client) this.#disconnect();
  }

  #lost(client: PgClient | undefined): void {
    if (client !== this.#client) return;
    this.#disconnect();
    if (this.#isClosed) return;
    this.#cancelConnect?.();
    this.#cancelConnect = this.#clock.after(RECONNECT_MS, () => void this.#listen(), { background: true });
    this.#pollLater();
  }

  #disconnect(): void {
    this.#isNotified = false;
    const client = this.#client;
    this.#client = undefined;
    client?.release(true);
  }

  #pollLater(): void {
    this.#cancelPoll?.();
    if (this.#isClosed) return;
    const delayMs = this.#isNotified ? POLL_NOTIFIED_MS : POLL_MS;
    const go = () => void this.#poll().finally(() => this.#pollLater());
    this.#cancelPoll = this.#clock.after(delayMs, go, { background: true });
  }

  async #poll(): Promise<void> {
    const sql = `select length::float8 as length from ${this.#database.schema}.head`;
    // The loop reports a failure when it reads the ledger.
    const rows = await this.#database.query<{ length: number }>(sql).catch(() => []);
    for (const { length } of rows) this.#found(length);
  }
}
