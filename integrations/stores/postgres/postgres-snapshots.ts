import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from 'rsi-loop';
import { inSlices } from 'rsi-loop/kit';
import type { Saved, Snapshot, Snapshots, StoreProblem } from 'rsi-loop/testing';
import type { Database } from './database.js';

/** Number of characters per row. */
const PART_CHARACTERS = 1_048_576;
/** Attempts to read state that others replace at the same moment. */
const ATTEMPTS = 5;

interface StateRow {
  readonly version: number;
  readonly token: string;
  readonly hash: string;
}

/**
 * Saved state in rows of at most a megabyte. The parts are written first, under a token of their own. Naming that token
 * is the compare-and-set, so no transaction stays open while a large state is created.
 */
export class PostgresSnapshots implements Snapshots {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #report: (problem: StoreProblem) => void;

  constructor(database: Database, clock: Clock, report: (problem: StoreProblem) => void) {
    this.#database = database;
    this.#clock = clock;
    this.#report = report;
  }

  async load(name: string): Promise<Saved | undefined> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const state = await this.#state(name);
      if (state === undefined) return undefined;
      const text = await this.#textOf(state.token);
      if (hashOf(text) === state.hash) return { version: state.version, value: JSON.parse(text) };
      // Another process saved a newer state meanwhile, and deleted the parts of this one.
      if ((await this.#state(name))?.token !== state.token) continue;
      const message = `the saved state "${name}" is damaged: the loop reads its records again`;
      this.#report({ kind: 'damaged', message });
      return undefined;
    }
    return undefined;
  }

  async save(name: string, value: Snapshot, after: number): Promise<boolean> {
    this.#database.mustWrite();
    if (((await this.#state(name))?.version ?? 0) !== after) return false;
    const token = randomBytes(12).toString('hex');
    const hash = await this.#writeParts(token, value);
    const { schema } = this.#database;
    const sql =
      after === 0
        ? `insert into ${schema}.snapshot (name, version, token, hash) values ($1, $2::bigint + 1, $3, $4)
           on conflict (name) do nothing returning 1`
        : `update ${schema}.snapshot set version = $2::bigint + 1, token = $3, hash = $4, saved_at = now()
           where name = $1 and version = $2 returning 1`;
    const isSaved = (await this.#database.query(sql, [name, after, token, hash])).length > 0;
    await this.#tidy();
    return isSaved;
  }

  async #state(name: string): Promise<StateRow | undefined> {
    const sql = `select version::float8 as version, token, hash from ${this.#database.schema}.snapshot where name = $1`;
    const [row] = await this.#database.query<StateRow>(sql, [name]);
    return row;
  }

  async #textOf(token: string): Promise<string> {
    const sql = `select body from ${this.#database.schema}.snapshot_part where token = $1 order by part`;
    const rows = await this.#database.query<{ body: string }>(sql, [token]);
    return rows.map(({ body }) => body).join('');
  }

  /** Writes the parts of a state, and returns the hash of its text. */
  async #writeParts(token: string, value: Snapshot): Promise<string> {
    const hash = createHash('sha256');
    const sql = `insert into ${this.#database.schema}.snapshot_part (token, part, body) values ($1, $2, $3)`;
    let part = 0;
    let slices: string[] = [];
    let characters = 0;
    const write = async () => {
      const body = slices.join('');
      slices = [];
      characters = 0;
      hash.update(body);
      await this.#database.query(sql, [token, part++, body]);
    };
    for await (const slice of inSlices.jsonSlices(value, this.#clock)) {
      slices.push(slice);
      characters += slice.length;
      if (characters >= PART_CHARACTERS) await write();
    }
    await write();
    return hash.digest('hex');
  }

  /** Deletes the parts of states that were replaced. Those of a save that was cut off are an hour old first. */
  async #tidy(): Promise<void> {
    const { schema } = this.#database;
    await this.#database.query(
      `delete from ${schema}.snapshot_part as part where not exists (select from ${schema}.snapshot where snapshot.token = part.token)
       and saved_at < now() - case when exists (select from ${schema}.snapshot where snapshot.saved_at > part.saved_at)
         then interval '1 minute' else interval '1 hour' end`,
    );
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
