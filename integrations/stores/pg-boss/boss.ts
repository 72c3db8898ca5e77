import { LoopError } from 'rsi-loop';

/** Job of a queue, as `pg-boss` 10 returns it. */
export interface Job<Data> {
  readonly id: string;
  readonly data: Data;
}

export interface JobState {
  readonly state: 'created' | 'retry' | 'active' | 'completed' | 'cancelled' | 'failed';
  readonly output: unknown;
}

interface FetchOptions {
  readonly batchSize: number;
  readonly ignoreStartAfter: boolean;
}

/** Part of `PgBoss` of `pg-boss` 10 that runs use. */
export interface Boss {
  start(): Promise<unknown>;
  stop(options: { readonly graceful: boolean; readonly wait: boolean }): Promise<void>;
  on(event: 'error', handler: (error: Error) => void): unknown;
  createQueue(name: string): Promise<void>;
  send(name: string, data: object, options: object): Promise<string | null>;
  fetch<Data>(name: string, options: FetchOptions): Promise<readonly Job<Data>[] | null>;
  complete(name: string, id: string, data: object): Promise<void>;
  fail(name: string, id: string, data: object): Promise<void>;
  cancel(name: string, id: string): Promise<void>;
  getJobById(name: string, id: string, options: { readonly includeArchive: boolean }): Promise<JobState | null>;
  getDb(): { executeSql(text: string, values: unknown[]): Promise<{ readonly rows: readonly unknown[] }> };
}

/**
 * Opens `pg-boss`, which is loaded here.
 * @throws LoopError `missing-peer` if it is not installed, `store-failed` if the database cannot be used.
 */
export async function openBoss(url: string, schema: string): Promise<Boss> {
  const { default: PgBoss } = await import('pg-boss').catch((cause) => {
    throw new LoopError('missing-peer', 'runs on many machines need the package pg-boss: npm install pg-boss@10 pg', {
      cause,
    });
  });
  const boss = new PgBoss({ connectionString: url, schema, schedule: false }) as unknown as Boss; // the part above
  // A connection that breaks is opened again; the next call reports what fails.
  boss.on('error', () => undefined);
  await boss.start().catch((cause: Error) => {
    throw new LoopError('store-failed', `pg-boss cannot use the database: ${cause.message}`, { cause });
  });
  return boss;
}
