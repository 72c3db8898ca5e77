import { createHash } from 'node:crypto';
import { LoopError } from 'rsi-loop';
import { showValue } from 'rsi-loop/kit';
import type {
  RunClaim,
  RunRequest,
  RunStep,
  RunStore,
  TaskCall,
  TaskHost,
  WorkerFunction,
  WorkerPool,
  WorkerResult,
} from 'rsi-loop/orchestrate';
import { type Boss, openBoss } from './boss.js';
import { Notices } from './notices.js';
import { openTables, type Query, RunTable } from './run-table.js';
import { ServedTasks, type ServeOptions } from './served-tasks.js';

/** Options of `PgBossRuns`. */
export interface PgBossOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string;
  /** Schema of pg-boss and of the tables of runs. Default `rsi_runs`. */
  readonly schema?: string;
  /** Time without a sign of life after which a process or machine counts as dead, in milliseconds. Default 15,000. */
  readonly lostMs?: number;
  /** Interval at which jobs and their ends are looked for if no notice of PostgreSQL arrives, in milliseconds. Default 250. */
  readonly pollMs?: number;
}

interface Opened {
  readonly boss: Boss;
  readonly query: Query;
  readonly table: RunTable;
  readonly notices: Notices;
  /** Sends a notice to those who wait for this queue or this job. */
  readonly notify: (subject: string) => Promise<void>;
}

/** Longest time of a task on another machine, in seconds, if it has no time-out. */
const EXPIRE_SECONDS = 86_000;

/** Code of PostgreSQL for a statement that was ended because two waited for each other. */
const DEADLOCK = '40P01';
const DEADLOCK_TRIES = 10;

/**
 * Runs on many machines: steps in PostgreSQL, and tasks as jobs of pg-boss. Give it as `store`, and `worker(name)` as
 * workers; each machine calls `serve` with the functions.
 */
export class PgBossRuns implements RunStore {
  readonly #url: string;
  readonly #schema: string;
  readonly #lostMs: number;
  readonly #pollMs: number;
  #opening: Promise<Opened> | undefined;
  readonly #queues = new Map<string, Promise<string>>();

  /** @throws LoopError `invalid-input` for an option out of range. */
  constructor({ url, schema = 'rsi_runs', lostMs = 15_000, pollMs = 250 }: PgBossOptions) {
    if (typeof url !== 'string' || url === '')
      throw new LoopError('invalid-input', 'runs in PostgreSQL need url: give postgres://user:password@host/database');
    if (typeof schema !== 'string' || !/^[a-z_][a-z0-9_]{0,40}$/.test(schema))
      throw new LoopError(
        'invalid-input',
        `schema is ${showValue(schema)}: give small letters, digits and "_", at most 41`,
      );
    for (const [name, value] of Object.entries({ lostMs, pollMs })) {
      if (!(Number.isFinite(value) && value > 0))
        throw new LoopError('invalid-input', `${name} is ${showValue(value)}: give milliseconds above 0`);
    }
    this.#url = url;
    this.#schema = schema;
    this.#lostMs = lostMs;
    this.#pollMs = pollMs;
  }

  async list(): Promise<readonly string[]> {
    return (await this.#table()).list();
  }

  async load(run: string): Promise<readonly RunStep[]> {
    return (await this.#table()).load(run);
  }

  async add(run: string, step: RunStep): Promise<void> {
    return (await this.#table()).add(run, step);
  }

  async claim(run: string): Promise<RunClaim> {
    return (await this.#table()).claim(run);
  }

  async request(run: string, request: RunRequest): Promise<void> {
    return (await this.#table()).request(run, request);
  }

  async requests(run: string): Promise<readonly RunRequest[]> {
    return (await this.#table()).requests(run);
  }

  /** Returns a worker whose tasks any machine does that serves `name`. `count` limits those in progress. Default 10. */
  worker(name: string, { count = 10 }: { readonly count?: number } = {}): WorkerPool {
    const run = (call: TaskCall, host: TaskHost) => this.#run(name, call, host);
    return { count, keepsAttempts: true, run, close: async () => undefined };
  }

  /** Does tasks of these workers on this machine, until `close` of the result. */
  async serve(workers: Readonly<Record<string, WorkerFunction>>, options: ServeOptions = {}): Promise<ServedTasks> {
    const { boss, query, notices, notify } = await this.#open();
    const queues: [string, WorkerFunction][] = [];
    for (const [name, work] of Object.entries(workers)) queues.push([await this.#queue(name), work]);
    const beatMs = this.#lostMs / 4;
    return new ServedTasks({ boss, query, notices, notify, queues, pollMs: this.#pollMs, beatMs }, options);
  }

  /** Ends the connections. */
  async close(): Promise<void> {
    const opened = await this.#opening?.catch(() => undefined);
    this.#opening = undefined;
    await opened?.notices.close();
    await opened?.boss.stop({ graceful: false, wait: true });
  }

  /** Sends the attempt once, however often it is called, and waits for its end. */
  async #run(name: string, call: TaskCall, { signal }: TaskHost): Promise<WorkerResult> {
    const { boss, notices, notify } = await this.#open();
    const queue = await this.#queue(name);
    const id = jobId(call);
    const ended = notices.expect(id);
    try {
      await boss.send(queue, call, { id, retryLimit: 0, expireInSeconds: EXPIRE_SECONDS });
      await notify(queue);
      for (;;) {
        if (signal.aborted) {
          // A stopped run takes the job up again; other ends cancel it.
          if (!isStop(signal.reason)) await boss.cancel(queue, id);
          throw signal.reason;
        }
        const job = await boss.getJobById(queue, id, { includeArchive: true });
        if (job?.state === 'completed') return job.output as WorkerResult; // `ServedTasks` wrote it
        if (job === null || job.state === 'failed' || job.state === 'cancelled') throw errorOf(job?.output, id);
        const isLost = job.state === 'active' && (await this.#isLost(queue, id));
        // A machine that dies sends no notice, and one that cannot store its end sends the wrong one.
        if (!isLost) await ended.next(Math.min(this.#pollMs, this.#lostMs), signal);
      }
    } finally {
      ended.close();
    }
  }

  /** Fails a job whose machine gives no sign of life, and returns whether it did. */
  async #isLost(queue: string, id: string): Promise<boolean> {
    const { boss, query } = await this.#open();
    // A machine that was killed right after it took the job left no sign at all: the first one is looked for from here on.
    const sql = `insert into {s}.run_beats as b (job, beat) values ($1, now()) on conflict (job) do update set beat = b.beat
      returning beat < now() - make_interval(secs => $2) as is_lost`;
    const [sign] = await query<{ is_lost: boolean }>(sql, [id, this.#lostMs / 1_000]);
    if (!sign?.is_lost) return false;
    const message = `its machine gave no sign of life for ${this.#lostMs / 1_000} s`;
    // Counts as a broken connection: the task may have happened or not.
    await boss.fail(queue, id, { error: { name: 'Error', message, code: 'ECONNRESET' } });
    return true;
  }

  async #table(): Promise<RunTable> {
    return (await this.#open()).table;
  }

  #open(): Promise<Opened> {
    this.#opening ??= this.#connect().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async #connect(): Promise<Opened> {
    const boss = await openBoss(this.#url, this.#schema);
    const query = await openTables(boss, this.#schema);
    const channel = `${this.#schema}_jobs`;
    const notices = new Notices(this.#url, channel);
    await notices.listen();
    const notify = async (subject: string) => {
      // Without a notice, they look again after their interval.
      await query('select pg_notify($1, $2)', [channel, subject]).catch(() => undefined);
    };
    return { boss, query, table: new RunTable(query, this.#lostMs), notices, notify };
  }

  #queue(worker: string): Promise<string> {
    const known = this.#queues.get(worker);
    if (known) return known;
    // Names of queues are letters, digits and a few signs.
    const name = `task_${Buffer.from(worker).toString('hex')}`;
    const created = this.#open().then(async ({ boss }) => {
      await createQueue(boss, name);
      return name;
    });
    this.#queues.set(worker, created);
    created.catch(() => this.#queues.delete(worker)); // the caller gets the error, and the next call tries again
    return created;
  }
}

/** Creates a queue unless it exists. Machines that do so at the same time may block each other: PostgreSQL ends one of them. */
async function createQueue(boss: Boss, name: string): Promise<void> {
  for (let left = DEADLOCK_TRIES - 1; ; left--) {
    try {
      return await boss.createQueue(name);
    } catch (error) {
      if (left === 0 || !(error instanceof Error && 'code' in error && error.code === DEADLOCK)) throw error;
    }
  }
}

/** Returns the id of the job of an attempt: the same attempt is one job. */
function jobId({ run, id, attempt }: TaskCall): string {
  const hex = createHash('sha256')
    .update(JSON.stringify([run, id, attempt]))
    .digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

function isStop(reason: unknown): boolean {
  return LoopError.is(reason) && reason.code === 'stopped' && !reason.message.startsWith('cancelled');
}

function errorOf(output: unknown, id: string): Error {
  const { error } = (output ?? {}) as { readonly error?: { readonly name: string; readonly message: string } };
  const found = new Error(error?.message ?? `job ${id} ended without a result`);
  return Object.assign(found, error);
}
