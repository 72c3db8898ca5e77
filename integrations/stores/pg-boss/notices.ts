import type { Client } from 'pg';

/** Waiting for notices about one subject. */
export interface Expected {
  /** Resolves with the next notice since the last call, after `ms`, or when the signal is aborted. */
  next(ms: number, signal?: AbortSignal): Promise<void>;
  close(): void;
}

const RECONNECT_MS = 1_000;

/**
 * Notices of PostgreSQL about jobs: their queue when they were sent, and their id when they have ended. They only save waiting:
 * without a connection, those who wait look again after their interval.
 */
export class Notices {
  readonly #url: string;
  readonly #channel: string;
  readonly #wakes = new Map<string, Set<() => void>>();
  #client: Client | undefined;
  #retry: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(url: string, channel: string) {
    this.#url = url;
    this.#channel = channel;
  }

  /** Listens. Resolves also if the database cannot be reached: it is tried again. */
  async listen(): Promise<void> {
    const { default: pg } = await import('pg');
    const client = new pg.Client({ connectionString: this.#url, application_name: 'rsi-loop notices' });
    this.#client = client;
    const lost = () => {
      if (this.#client !== client || this.#isClosed) return;
      this.#client = undefined;
      this.#retry = setTimeout(() => void this.listen(), RECONNECT_MS);
      this.#retry.unref();
    };
    client.on('error', lost);
    client.on('end', lost);
    client.on('notification', ({ payload = '' }) => {
      for (const wake of this.#wakes.get(payload) ?? []) wake();
    });
    try {
      await client.connect();
      await client.query(`listen "${this.#channel}"`);
      // Earlier notices were not heard.
      for (const wakes of this.#wakes.values()) for (const wake of wakes) wake();
    } catch {
      lost();
    }
  }

  expect(subject: string): Expected {
    let isNoticed = false;
    let wake: () => void = () => undefined;
    const noticed = () => {
      isNoticed = true;
      wake();
    };
    const all = this.#wakes.get(subject) ?? new Set();
    this.#wakes.set(subject, all.add(noticed));
    return {
      next: async (ms, signal) => {
        if (!isNoticed && !signal?.aborted) {
          await new Promise<void>((resolve) => {
            const timer = setTimeout(resolve, ms);
            wake = () => {
              clearTimeout(timer);
              resolve();
            };
            signal?.addEventListener('abort', wake, { once: true });
          });
          signal?.removeEventListener('abort', wake);
        }
        isNoticed = false;
      },
      close: () => {
        all.delete(noticed);
        if (all.size === 0) this.#wakes.delete(subject);
        wake();
      },
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    await this.#client?.end().catch(() => undefined);
  }
}
