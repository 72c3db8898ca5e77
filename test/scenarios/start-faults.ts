import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { Redis } from 'ioredis';
import type { Store } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import { migrate, PostgresStore } from 'rsi-loop/stores/postgres';
import { sealLine } from '../../src/node/line.js';
import { bundleProcess } from '../bundle-process.js';
import { startRedis, whyNoRedis } from '../integrations/sources/redis/redis-server.js';
import { giveTo, serverUser, startPostgres, whyNoPostgres } from '../integrations/stores/postgres-server.js';
import { type Recorder, startRecorder } from '../node/processes.js';
import type { FaultReport } from '../node/store-faults.js';

/** Fault of a store that is there when a process starts. */
interface Fault {
  /** Folder or address that the process gets. */
  readonly place: string;
  begin(): void | Promise<void>;
  end(): void | Promise<void>;
  /** Frees what the fault needed. */
  clear?(): void | Promise<void>;
}

/** The process is killed during the fault, killed after it, or closed during it. */
const ENDS = ['killed', 'repaired', 'closed'] as const;
type End = (typeof ENDS)[number];

/** Outcomes that wait in a stream of Redis when a process starts. */
const IN_STREAM = 20;

/** Records of a process that closes in its second round, without those it sent over HTTP. */
const RECORDED = 150;

const ALL_FAULTS = ['of another format', 'locked', 'read-only', 'on a full disk', 'on a server that is away'] as const;
type FaultName = (typeof ALL_FAULTS)[number];

/**
 * Starts processes on a store that has a fault, and compares what was acknowledged with what the store holds
 * afterwards: `flush()`, answers 201, decisions, and outcomes that are gone from a stream of Redis.
 */
export async function startDuringFaults(
  names: readonly FaultName[] = ALL_FAULTS,
  ends: readonly End[] = ENDS,
): Promise<FaultReport> {
  // A folder of the project, where the process finds `pg`.
  const root = resolve(import.meta.dirname, '../../.tmp');
  mkdirSync(root, { recursive: true });
  const folder = mkdtempSync(join(root, 'start-faults-'));
  const entry = resolve(import.meta.dirname, 'starting-process.ts');
  const script = await bundleProcess(entry, folder, { external: ['pg', 'fastify', 'ioredis'] });
  giveTo(serverUser(), [folder, script]);
  const broken: string[] = [];
  const counts = { tried: 0, lost: 0, doubled: 0, acknowledged: 0 };
  const redis = whyNoRedis() === undefined ? await startRedis() : undefined;
  const streams = redis && new Redis(redis.url);
  try {
    for (const name of names) {
      const fault = await createFault(name, folder);
      if (fault === undefined) continue;
      for (const end of ends) {
        const prefix = `${name}-${end}`.replaceAll(' ', '-');
        if (streams) await fill(streams, prefix);
        const emptied = () => whenEmpty(streams, prefix);
        const told = await liveThrough(fault, { script, end, prefix, emptied, redis: redis?.url ?? '' });
        const gone = streams ? await goneFrom(streams, prefix) : [];
        const kept = await contentOf(fault.place);
        const lost = [...told.records, ...told.decisions, ...gone].filter((id) => !kept.has(id));
        const doubled = [...kept.values()].filter((count) => count > 1).length;
        const where = `a store ${name}, the process ${end}`;
        if (lost.length > 0) broken.push(`${where}: ${lost.length} acknowledged were lost, such as ${lost[0]}`);
        if (doubled > 0) broken.push(`${where}: ${doubled} are there twice`);
        broken.push(...told.broken.map((what) => `${where}: ${what}`));
        counts.tried++;
        counts.lost += lost.length;
        counts.doubled += doubled;
        counts.acknowledged += told.records.length + told.decisions.length + gone.length;
      }
      await fault.clear?.();
    }
  } finally {
    streams?.disconnect();
    await redis?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return { ...counts, broken };
}

const idInStream = (prefix: string, number: number) => `${prefix}-stream-${number}`;

async function fill(streams: Redis, prefix: string): Promise<void> {
  for (let number = 0; number < IN_STREAM; number++) {
    const outcome = { id: idInStream(prefix, number), task: 'streamed', success: true };
    await streams.xadd(prefix, '*', 'outcome', JSON.stringify(outcome));
  }
}

async function whenEmpty(streams: Redis | undefined, prefix: string): Promise<void> {
  while (streams && (await streams.xlen(prefix)) > 0) await new Promise(setImmediate);
}

/** Returns the ids of outcomes that a process deleted from the stream, and so acknowledged. */
async function goneFrom(streams: Redis, prefix: string): Promise<readonly string[]> {
  const left = JSON.stringify(await streams.xrange(prefix, '-', '+'));
  const all = Array.from({ length: IN_STREAM }, (_, number) => idInStream(prefix, number));
  return all.filter((id) => !left.includes(`${id}\\"`));
}

/** Records and decisions that were acknowledged to a process. */
interface Told {
  readonly records: readonly string[];
  readonly decisions: readonly string[];
  readonly broken: readonly string[];
}

/** Life of one process. */
interface Life {
  readonly script: string;
  readonly end: End;
  readonly prefix: string;
  /** Address of Redis, or `''`. */
  readonly redis: string;
  /** Resolves when the process has read its stream. */
  readonly emptied: () => Promise<void>;
}

async function liveThrough(fault: Fault, { script, end, prefix, redis, emptied }: Life): Promise<Told> {
  await fault.begin();
  const process = startRecorder(script, [fault.place, prefix, end, redis], serverUser());
  await process.waitFor(end === 'closed' ? 'c ' : 'r 1');
  const during = toldBy(process, prefix);
  const broken: string[] = [];
  if (during.records.length + during.decisions.length > 0) broken.push('something was acknowledged during the fault');
  const reported = Number(process.lines.find((line) => line.startsWith('c '))?.slice(2));
  if (end === 'closed' && !(reported >= RECORDED)) broken.push(`it reported ${reported} of ${RECORDED} lost records`);
  await fault.end();
  if (end === 'repaired') {
    await process.waitFor('f ');
    await process.waitFor('h ');
    await process.waitFor('d ');
    await emptied();
  }
  process.child.kill('SIGKILL');
  await process.ended;
  const after = toldBy(process, prefix);
  if (end === 'repaired' && after.decisions.length === 0) broken.push('nothing was acknowledged after the repair');
  return { ...after, broken };
}

function toldBy({ lines }: Pick<Recorder, 'lines'>, prefix: string): Omit<Told, 'broken'> {
  const of = (start: string) => lines.filter((line) => line.startsWith(start)).map((line) => line.slice(2));
  const sent = of('h ');
  const known = Math.max(0, ...of('f ').map(Number));
  // A number that was sent over HTTP is acknowledged by its own answer alone.
  const unsent = new Set(of('x '));
  const flushed = Array.from({ length: known }, (_, number) => String(number)).filter((number) => !unsent.has(number));
  return { records: [...new Set([...flushed, ...sent])].map((number) => `${prefix}-${number}`), decisions: of('d ') };
}

/** Returns how often a store holds each record and each decision of the processes. */
async function contentOf(place: string): Promise<ReadonlyMap<string, number>> {
  const store = openStore(place);
  const found = new Map<string, number>();
  const add = (id: string) => found.set(id, (found.get(id) ?? 0) + 1);
  for await (const { record } of store.journal.read()) if (record.kind === 'outcome') add(record.outcome.id);
  for await (const { entry } of store.ledger.read()) if (entry.kind === 'repeat-answered') add(entry.task);
  await store.close?.();
  return found;
}

function openStore(place: string): Store {
  return place.startsWith('postgres:') ? new PostgresStore({ url: place }) : new FileStore(place);
}

async function createFault(name: FaultName, folder: string): Promise<Fault | undefined> {
  if (name === 'on a server that is away') return serverAway();
  const place = join(mkdtempSync(join(folder, 'store-')), 'data');
  mkdirSync(place);
  giveTo(serverUser(), [join(place, '..'), place]);
  if (name === 'on a full disk' && !mountDisk(place)) return undefined;
  const store = new FileStore(place);
  await store.ledger.head();
  await store.close();
  const marker = join(place, 'store.json');
  giveTo(serverUser(), [marker]);
  const intact = readFileSync(marker, 'utf8');
  return {
    'of another format': {
      place,
      begin: () => writeFileSync(marker, `${sealLine('"format":1,"kind":"store","product":"rsi-loop"}')}\n`),
      end: () => writeFileSync(marker, intact),
    },
    locked: { place, begin: () => chmodSync(place, 0o000), end: () => chmodSync(place, 0o700) },
    'on a full disk': fullDisk(place),
    'read-only': { place, begin: () => allFolders(place, 0o500), end: () => allFolders(place, 0o700) },
  }[name];
}

function allFolders(place: string, mode: number): void {
  const inside = readdirSync(place, { recursive: true, withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const path of [place, ...inside.map(({ parentPath, name }) => join(parentPath, name))]) chmodSync(path, mode);
}

/** Mounts a disk of its own. Returns false if this user may not. */
function mountDisk(place: string): boolean {
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', place]).status !== 0) return false;
  giveTo(serverUser(), [place]);
  return true;
}

/** A disk that is filled to the last page. */
function fullDisk(place: string): Fault {
  const filler = join(place, 'filler');
  return {
    place,
    begin: () => {
      try {
        for (;;) appendFileSync(filler, Buffer.alloc(4_096));
      } catch {
        // full
      }
    },
    end: () => rmSync(filler),
    clear: () => void spawnSync('umount', [place]),
  };
}

/** A PostgreSQL server that does not run. Undefined on a machine without one. */
async function serverAway(): Promise<Fault | undefined> {
  if (whyNoPostgres() !== undefined) return undefined;
  const server = await startPostgres();
  await migrate({ url: server.url });
  return { place: server.url, begin: () => server.kill(), end: () => server.start(), clear: () => server.stop() };
}
