/**
 * Outcomes through a stream of Redis: from a recorder into the stream, and from the stream into a store, each beside a
 * program that does nothing else with the same lines. With both supported versions of the driver.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { Redis as Redis5 } from 'ioredis-5';
import { MemoryStore, RSILoop, type Store } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import { Recorder } from 'rsi-loop/record';
import { type RedisClient, redisDestination, redisSource } from 'rsi-loop/sources/redis';
import { migrate, PostgresStore } from 'rsi-loop/stores/postgres';
import { startRedis } from '../integrations/sources/redis/redis-server.js';
import { benchRecord } from '../integrations/stores/bench-record.js';
import { newSchema, startPostgres } from '../integrations/stores/postgres-server.js';

const COUNT = 50_000;
const BATCH = 500;
const DRIVERS = { 'ioredis 6': () => new Redis(server.url), 'ioredis 5': () => new Redis5(server.url) };
const folder = mkdtempSync(join(tmpdir(), 'rsi-bench-redis-'));
// As in production: the log of the server reaches the disk every second, and each commit of PostgreSQL before its answer.
const server = await startRedis({ appendfsync: 'everysec' });
const database = await startPostgres({ isSafe: true });
const admin = new Redis(server.url);
const lines = Array.from({ length: COUNT }, (_, number) => JSON.stringify(benchRecord(number).outcome));

async function perSecond(work: () => Promise<void>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return Math.round((COUNT * 1_000) / (performance.now() - startedMs));
}

async function bareAdd(stream: string): Promise<void> {
  for (let from = 0; from < COUNT; from += BATCH) {
    const pipeline = admin.pipeline();
    for (const line of lines.slice(from, from + BATCH)) pipeline.xadd(stream, '*', 'outcome', line);
    await pipeline.exec();
  }
}

async function bareRead(stream: string): Promise<void> {
  await admin.xgroup('CREATE', stream, 'bare', '0');
  while ((await admin.xlen(stream)) > 0) {
    const found = (await admin.xreadgroup('GROUP', 'bare', 'one', 'COUNT', 1_000, 'STREAMS', stream, '>')) as [
      string,
      [string, string[]][],
    ][];
    const ids = (found[0]?.[1] ?? []).map(([id, fields]) => {
      JSON.parse(fields[1] ?? '');
      return id;
    });
    await admin
      .pipeline()
      .xack(stream, 'bare', ...ids)
      .xdel(stream, ...ids)
      .exec();
  }
}

async function send(stream: string, client: RedisClient): Promise<void> {
  const to = redisDestination({ client, stream });
  const recorder = new Recorder({ to, maxQueued: COUNT });
  for (let number = 0; number < COUNT; number++) {
    const { id: _, ...fields } = benchRecord(number).outcome;
    recorder.observer.record(fields);
    if (number % BATCH === 0) await new Promise(setImmediate);
  }
  while ((await recorder.flush()) > 0);
  await recorder.close();
}

/** Outcomes per second from the stream into a store. */
async function read(stream: string, client: RedisClient, store: Store): Promise<number> {
  const loop = new RSILoop({ store });
  await loop.ready();
  const rate = await perSecond(async () => {
    loop.sources.attach(redisSource({ client, stream }));
    while ((await admin.xlen(stream)) > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  });
  await loop.close();
  return rate;
}

try {
  console.log(`bare XADD in pipelines of ${BATCH}: ${await perSecond(() => bareAdd('bare'))} outcomes/s`);
  console.log(`bare XREADGROUP, JSON.parse, XACK and XDEL: ${await perSecond(() => bareRead('bare'))} outcomes/s`);
  for (const [name, connect] of Object.entries(DRIVERS)) {
    const schema = newSchema();
    await migrate({ url: database.url, schema });
    const stores: Readonly<Record<string, () => Store>> = {
      memory: () => new MemoryStore(),
      'a folder': () => new FileStore(mkdtempSync(join(folder, 'store-'))),
      PostgreSQL: () => new PostgresStore({ url: database.url, schema }),
    };
    for (const [place, open] of Object.entries(stores)) {
      const client = connect();
      const stream = `${name} ${place}`.replaceAll(' ', '-');
      const sent = await perSecond(() => send(stream, client));
      const taken = await read(stream, client, open());
      console.log(`${name}: recorder into the stream ${sent} outcomes/s, from there into ${place} ${taken} outcomes/s`);
      client.disconnect();
    }
  }
} finally {
  admin.disconnect();
  await server.stop();
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
}
