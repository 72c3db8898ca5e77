import { randomBytes } from 'node:crypto';
import type { Coordination, Lease, WriterState } from 'rsi-loop/testing';
import type { Database } from './database.js';
import type { RecordWriter } from './record-writer.js';
import { SILENT_SECONDS, type WriterTable } from './writer-table.js';

/** Leases as rows that expire by the clock of the server. A pooler may change sessions, so no session holds them. */
export class PostgresCoordination implements Coordination {
  readonly #database: Database;
  readonly #writers: WriterTable;
  readonly #own: RecordWriter;

  constructor(database: Database, { writers, own }: { writers: WriterTable; own: RecordWriter }) {
    this.#database = database;
    this.#writers = writers;
    this.#own = own;
  }

  async writers(): Promise<readonly WriterState[]> {
    await this.#own.write();
    return this.#writers.all();
  }

  async lease(name: string): Promise<Lease | undefined> {
    this.#database.mustWrite();
    await this.#writers.register();
    const { schema } = this.#database;
    // A new owner each time, so that an answer that was lost leaves a lease that expires.
    const owner = `${this.#writers.writer}/${randomBytes(6).toString('hex')}`;
    const [taken] = await this.#database.query<{ fence: number }>(
      `insert into ${schema}.lease as lease (name, fence, owner, expires_at)
       values ($1, 1, $2, now() + make_interval(secs => ${SILENT_SECONDS}))
       on conflict (name) do update set fence = lease.fence + 1, owner = excluded.owner, expires_at = excluded.expires_at
       where lease.owner = '' or lease.expires_at < now() returning fence::float8 as fence`,
      [name, owner],
    );
    if (taken === undefined) return undefined;
    this.#writers.hold(owner);
    return this.#leaseOf(owner, taken.fence);
  }

  #leaseOf(owner: string, fence: number): Lease {
    const { schema } = this.#database;
    let isReleased = false;
    return {
      fence,
      held: async () => {
        if (isReleased || this.#database.isClosed) return false;
        const sql = `select 1 from ${schema}.lease where owner = $1 and expires_at > now()`;
        // Without an answer, another process may hold it.
        const rows = await this.#database.query(sql, [owner]).catch(() => []);
        return rows.length > 0;
      },
      release: async () => {
        if (isReleased) return;
        isReleased = true;
        this.#writers.release(owner);
        // If it fails, the lease expires.
        await this.#database
          .query(`update ${schema}.lease set owner = '' where owner = $1`, [owner])
          .catch(() => undefined);
      },
    };
  }
}
