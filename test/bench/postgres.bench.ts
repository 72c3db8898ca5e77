/**
 * Ingest from four processes beside a bare COPY of the same rows into the same kind of table, in one run; cost of
 * recording in the host beside the folder store; time until every process knows a decision.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { FileStore } from 'rsi-loop/node';
import { migrate, PostgresStore } from 'rsi-loop/stores/postgres';
import type { Store } from '../../src/contract/store.js';
import { benchRecord } from '../integrations/stores/bench-record.js';
import { bundleStoreProcess, StoreProcess } from '../integrations/stores/history.js';
import { newSchema, type PostgresServer, startPostgres } from '../integrations/stores/postgres-server.js';

const PROCESSES = 4;
const ROWS = 50_000;
const ROUNDS = 3;
const folder = mkdtempSync(join(tmpdir(), 'rsi-bench-'));
const { script, remove } = await bundleStoreProcess();
// As in production: each commit waits for the disk.
const server = await startPostgres({ isSafe: true, settings: { max_wal_size: '4GB', shared_buffers: '512MB' } });
const admin = new pg.Client({ connectionString: server.url });
await admin.connect();

/** Rows per second of COPY from prepared files, by one psql for each. */
async function bareCopy(files: readonly string[], { schema }: { readonly schema: string }): Promise<number> {
  await admin.query(`create table ${schema}.bare (like ${schema}.journal including all) partition by range (day)`);
  await admin.query(
    `create table ${schema}.bare_today partition of ${schema}.bare for values from (current_date - 1) to (current_date + 2)`,
  );
  const started = performance.now();
  await Promise.all(
    files.map(async (file) => {
      const copy = `\\copy ${schema}.bare (day, writer, position, kind, record) from '${file}'`;
      const child = spawn('psql', [server.url, '-q', '-c', copy], { stdio: ['ignore', 'inherit', 'inherit'] });
      const [code] = await once(child, 'exit');
      if (code !== 0) throw new Error(`psql ended with ${code}`);
    }),
  );
  return (PROCESSES * ROWS) / ((performance.now() - started) / 1_000);
}

/** Rows per second from the first record to the last acknowledgement, of processes that record as fast as they can. */
async function ingest({ schema }: { readonly schema: string }): Promise<number> {
  const processes = Array.from(
    { length: PROCESSES },
    (_, index) => new StoreProcess(script, [server.url, schema, 'ingest', String(index * ROWS), String(ROWS)]),
  );
  await Promise.all(processes.map((one) => one.waitFor('ready')));
  const started = performance.now();
  for (const one of processes) one.go();
  await Promise.all(processes.map((one) => one.waitFor('f ')));
  const seconds = (performance.now() - started) / 1_000;
  await Promise.all(processes.map((one) => one.ended));
  const { rows } = await admin.query(`select count(*)::int as count from ${schema}.journal`);
  if (rows[0].count !== PROCESSES * ROWS) throw new Error(`${rows[0].count} rows are there`);
  return (PROCESSES * ROWS) / seconds;
}

async function copyFiles(): Promise<readonly string[]> {
  const day = new Date().toISOString().slice(0, 10);
  return Promise.all(
    Array.from({ length: PROCESSES }, async (_, index) => {
      const path = join(folder, `rows-${index}`);
      const file = createWriteStream(path);
      for (let row = 0; row < ROWS; row++) {
        const text = JSON.stringify(benchRecord(index * ROWS + row).outcome).replaceAll('\\', '\\\\');
        file.write(`${day}\twriter${index}\t${row}\toutcome\t${text}\n`);
      }
      file.end();
      await once(file, 'finish');
      return path;
    }),
  );
}

async function newLoop(): Promise<{ readonly schema: string }> {
  const schema = newSchema();
  await migrate({ url: server.url, schema });
  return { schema };
}

async function ingestBesideCopy(): Promise<void> {
  const files = await copyFiles();
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const place = await newLoop();
    const copied = await bareCopy(files, place);
    const ingested = await ingest(place);
    ratios.push(ingested / copied);
    console.log(`ingest ${whole(ingested)} outcomes/s, bare COPY ${whole(copied)}: ${(ingested / copied).toFixed(2)}x`);
    await admin.query(`drop schema ${place.schema} cascade`);
  }
  console.log(`ingest beside COPY, median: ${median(ratios).toFixed(2)}x (aim 0.5x)`);
}

/** CPU time of this process per record, with the writing. */
async function hostCost(store: Store, calls: number): Promise<{ readonly call: number; readonly all: number }> {
  const before = process.cpuUsage();
  let calling = 0n;
  for (let number = 0; number < calls; number++) {
    const record = benchRecord(number);
    const started = process.hrtime.bigint();
    store.journal.append([record]);
    calling += process.hrtime.bigint() - started;
    if (number % 100 === 99) await new Promise(setImmediate);
    // Waiting must not count as work.
    while (store.journal.queued > 40_000) await sleep(2);
  }
  await store.journal.flush();
  const { user, system } = process.cpuUsage(before);
  return { call: Number(calling) / calls / 1_000, all: (user + system) / calls };
}

async function recordBesideFolder(server: PostgresServer): Promise<void> {
  const CALLS = 100_000;
  const costs = { folder: [] as number[], postgres: [] as number[] };
  const cpu = { folder: [] as number[], postgres: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    const stores = {
      folder: new FileStore(mkdtempSync(join(folder, 'store-'))),
      postgres: new PostgresStore({ url: server.url, ...(await newLoop()) }),
    };
    for (const name of ['folder', 'postgres'] as const) {
      const { call, all } = await hostCost(stores[name], CALLS);
      costs[name].push(call);
      cpu[name].push(all);
      await stores[name].close();
    }
  }
  const text = (name: 'folder' | 'postgres') =>
    `${name} ${median(costs[name]).toFixed(2)} µs a call, ${median(cpu[name]).toFixed(2)} µs of CPU with the writing`;
  console.log(`record: ${text('folder')}; ${text('postgres')}`);
}

/** Milliseconds from the answer to a decision until each of the other processes knows it. */
async function decisionToEveryProcess(): Promise<void> {
  const DECISIONS = 200;
  const { schema } = await newLoop();
  const followers = Array.from({ length: 8 }, () => new StoreProcess(script, [server.url, schema, 'follow']));
  await Promise.all(followers.map((one) => one.waitFor('ready')));
  const store = new PostgresStore({ url: server.url, schema });
  const decidedMs: number[] = [];
  let head = await store.ledger.head();
  for (let number = 1; number <= DECISIONS; number++) {
    const entry = { kind: 'frozen', atMs: number, by: 'bench', reason: `decision ${number}` } as const;
    decidedMs[number] = Date.now();
    ({ head } = await store.ledger.append([entry], head));
    await Promise.all(followers.map((one) => one.waitFor(`saw ${number} `)));
  }
  const delays = followers.flatMap(({ lines }) =>
    lines.flatMap((line) => {
      const [, length, atMs] = /^saw (\d+) (\d+)$/.exec(line) ?? [];
      const since = decidedMs[Number(length)];
      return since === undefined ? [] : [Number(atMs) - since];
    }),
  );
  for (const one of followers) one.go();
  await Promise.all(followers.map((one) => one.ended));
  await store.close();
  delays.sort((a, b) => a - b);
  const at = (share: number) => delays[Math.floor(share * (delays.length - 1))];
  console.log(`decision to ${followers.length} processes: median ${at(0.5)} ms, p99 ${at(0.99)} ms, worst ${at(1)} ms`);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}

try {
  await ingestBesideCopy();
  await recordBesideFolder(server);
  await decisionToEveryProcess();
} finally {
  await admin.end();
  await server.stop();
  remove();
  rmSync(folder, { recursive: true, force: true });
}
