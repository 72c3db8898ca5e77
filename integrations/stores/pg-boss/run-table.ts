import { randomUUID } from 'node:crypto';
import { LoopError } from 'rsi-loop';
import type { RunClaim, RunRequest, RunStep, RunStore } from 'rsi-loop/orchestrate';
import type { Boss } from './boss.js';

/** Statement on the tables of runs. `{s}` stands for the schema. */
export type Query = <Row>(sql: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

const TABLES = `
create table if not exists {s}.run_steps (
  run text not null, n bigint generated always as identity, step json not null, primary key (run, n));
create table if not exists {s}.run_requests (
  run text not null, id text not null, n bigint generated always as identity, request json not null, primary key (run, id));
create table if not exists {s}.run_claims (run text primary key, owner text not null, beat timestamptz not null);
create table if not exists {s}.run_beats (job uuid primary key, beat timestamptz not null)`;

/** Steps that wait for the write before them. */
interface Pending {
  steps: string[];
  last: Promise<void>;
  next: Promise<void> | undefined;
}

/** Steps, requests and claims of runs, in tables beside those of pg-boss. */
export class RunTable implements RunStore {
  readonly #query: Query;
  readonly #claimMs: number;
  readonly #owner = randomUUID();
  readonly #pending = new Map<string, Pending>();

  /** A claim without a sign of life for `claimMs` counts as none. */
  constructor(query: Query, claimMs: number) {
    this.#query = query;
    this.#claimMs = claimMs;
  }

  async list(): Promise<readonly string[]> {
    const rows = await this.#query<{ run: string }>('select distinct run from {s}.run_steps order by run');
    return rows.map(({ run }) => run);
  }

  async load(run: string): Promise<readonly RunStep[]> {
    const rows = await this.#query<{ step: RunStep }>('select step from {s}.run_steps where run = $1 order by n', [
      run,
    ]);
    return rows.map(({ step }) => step);
  }

  /** Writes steps in the order of the calls, and only while this process has the run. */
  add(run: string, step: RunStep): Promise<void> {
    const pending = this.#pending.get(run) ?? { steps: [], last: Promise.resolve(), next: undefined };
    this.#pending.set(run, pending);
    pending.steps.push(JSON.stringify(step));
    const write = () => this.#write(run, pending);
    pending.next ??= pending.last.then(write, write);
    return pending.next;
  }

  async #write(run: string, pending: Pending): Promise<void> {
    if (pending.next) pending.last = pending.next;
    pending.next = undefined;
    const steps = pending.steps;
    pending.steps = [];
    const written = await this.#query(
      `insert into {s}.run_steps (run, step)
       select $1, s.step::json from unnest($2::text[]) with ordinality as s (step, at)
       where exists (select from {s}.run_claims where run = $1 and owner = $3 for share) order by s.at returning n`,
      [run, steps, this.#owner],
    );
    if (written.length === steps.length) return;
    throw new LoopError('store-conflict', `another process took over run ${run}: this one stored nothing more`);
  }

  async claim(run: string): Promise<RunClaim> {
    if (!(await this.#take(run))) {
      // The owner may have been killed: its claim ends when it gives no sign of life.
      await new Promise((resolve) => setTimeout(resolve, this.#claimMs));
      if (!(await this.#take(run)))
        throw new LoopError('store-conflict', `another process has run ${run}: wait until it has ended, or cancel it`);
    }
    const beat = () => {
      const sql = 'update {s}.run_claims set beat = now() where run = $1 and owner = $2';
      this.#query(sql, [run, this.#owner]).catch(() => undefined); // without beats, the claim ends
    };
    const timer = setInterval(beat, this.#claimMs / 4);
    return {
      release: async () => {
        clearInterval(timer);
        await this.#query('delete from {s}.run_claims where run = $1 and owner = $2', [run, this.#owner]);
      },
    };
  }

  async #take(run: string): Promise<boolean> {
    const taken = await this.#query(
      `insert into {s}.run_claims as c (run, owner, beat) values ($1, $2, now())
       on conflict (run) do update set owner = excluded.owner, beat = now()
       where c.beat < now() - make_interval(secs => $3) returning run`,
      [run, this.#owner, (this.#claimMs * 0.9) / 1_000],
    );
    return taken.length > 0;
  }

  async request(run: string, request: RunRequest): Promise<void> {
    const sql = 'insert into {s}.run_requests (run, id, request) values ($1, $2, $3) on conflict do nothing';
    await this.#query(sql, [run, request.id, JSON.stringify(request)]);
  }

  async requests(run: string): Promise<readonly RunRequest[]> {
    const sql = 'select request from {s}.run_requests where run = $1 order by n';
    return (await this.#query<{ request: RunRequest }>(sql, [run])).map(({ request }) => request);
  }

  async close(): Promise<void> {}
}

/** Returns a function that runs statements in a schema, after the tables were created. */
export async function openTables(boss: Boss, schema: string): Promise<Query> {
  const query: Query = async <Row>(sql: string, values: readonly unknown[] = []) => {
    const { rows } = await boss.getDb().executeSql(sql.replaceAll('{s}', schema), [...values]);
    return rows as readonly Row[]; // each statement states its columns
  };
  // One process creates the tables, the others wait for it.
  const lock = `select pg_advisory_xact_lock(hashtext('{s}.run_tables'))`;
  await query(`do $$ begin perform (${lock}); ${TABLES}; end $$`);
  return query;
}
