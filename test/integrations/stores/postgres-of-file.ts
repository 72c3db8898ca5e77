import pg from 'pg';
import type { Store } from 'rsi-loop';
import { afterAll, beforeAll } from 'vitest';
import { all } from '../../../src/testing/sample-records.js';
import { type PostgresServer, startPostgres, whyNoPostgres } from './postgres-server.js';

/** Starts a server before the tests of a file, connects as its administrator, and stops both after the tests. */
export function usePostgres(use: (server: PostgresServer, admin: pg.Pool) => void): void {
  let server: PostgresServer | undefined;
  let admin: pg.Pool | undefined;
  beforeAll(async () => {
    if (whyNoPostgres() !== undefined) return;
    server = await startPostgres();
    admin = new pg.Pool({ connectionString: server.url });
    admin.on('error', () => {}); // tests kill the server
    use(server, admin);
  }, 60_000);
  afterAll(async () => {
    await admin?.end();
    await server?.stop();
  });
}

/** Resolves when no record waits in memory, however often the connection fails before. */
export async function flushed({ journal }: Store): Promise<void> {
  while (journal.queued > 0) await journal.flush().catch(() => undefined);
}

export async function positionsIn({ journal }: Store): Promise<number[]> {
  return (await all(journal.read())).map(({ position }) => position);
}
