import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { PostgresStore } from 'rsi-loop/stores/postgres';
import type { Random } from '../../../src/lib/random.js';
import { bundleProcess } from '../../bundle-process.js';
import type { PostgresServer } from './postgres-server.js';

/** Bundles `store-process.ts` into a folder of the project, where it finds `pg`. Returns its path. */
export async function bundleStoreProcess(): Promise<{ readonly script: string; remove(): void }> {
  const root = resolve(import.meta.dirname, '../../../.tmp');
  mkdirSync(root, { recursive: true });
  const folder = mkdtempSync(join(root, 'store-process-'));
  const script = await bundleProcess(resolve(import.meta.dirname, 'store-process.ts'), folder, { external: ['pg'] });
  return { script, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Child process of `store-process.ts`, with the lines that it said. */
export class StoreProcess {
  readonly child: ChildProcess;
  readonly lines: string[] = [];
  /** Resolves with the exit code or the signal. */
  readonly ended: Promise<number | string>;
  readonly #waiting = new Set<() => void>();

  constructor(script: string, args: readonly string[]) {
    this.child = spawn(process.execPath, [script, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
    let rest = '';
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const parts = (rest + text).split('\n');
      rest = parts.pop() ?? '';
      this.lines.push(...parts);
      for (const look of this.#waiting) look();
    });
    this.ended = new Promise((done) => {
      this.child.on('close', (code, signal) => {
        for (const look of this.#waiting) look();
        done(code ?? signal ?? '');
      });
    });
  }

  /** Resolves when a line begins so, or when the process has ended. */
  waitFor(start: string): Promise<void> {
    return new Promise((done) => {
      const look = () => {
        const hasEnded = this.child.exitCode !== null || this.child.signalCode !== null;
        if (!hasEnded && !this.lines.some((line) => line.startsWith(start))) return;
        this.#waiting.delete(look);
        done();
      };
      this.#waiting.add(look);
      look();
    });
  }

  go(): void {
    this.child.stdin?.write('go\n');
  }
}

export interface HistoryOptions {
  readonly server: Pick<PostgresServer, 'url' | 'kill' | 'start'>;
  readonly schema: string;
  readonly script: string;
  readonly processes: number;
  /** Records of each process, over all its lives. */
  readonly records: number;
  readonly kills: number;
  readonly serverKills: number;
  readonly random: Random;
  /** Kills go on for so long, and the processes live longer. Default: until all records are written. */
  readonly forMs?: number;
}

export interface HistoryReport {
  readonly broken: readonly string[];
  readonly operations: number;
  readonly missing: number;
  readonly doubled: number;
  readonly forks: number;
  readonly decisions: number;
  readonly killed: number;
  readonly serverKills: number;
  readonly [count: string]: unknown;
}

/** Everything that a process was promised. */
interface Promised {
  readonly records: Set<number>;
  readonly decisions: string[];
}

/** State that the lives of all processes share. */
interface Lives {
  readonly promised: Promised;
  readonly state: { killsLeft: number; killed: number; crashed: number; isOver: boolean };
  readonly children: Set<StoreProcess>;
}

/** More than one life can have written without a promise. */
const UNACKNOWLEDGED = 25;

/**
 * Lets processes write and decide side by side. Kills them, and the server, at random moments with SIGKILL, and starts
 * them again. Then compares what the store holds with what the processes were promised.
 */
export async function runHistory(options: HistoryOptions): Promise<HistoryReport> {
  const { server, processes, random } = options;
  const promised: Promised = { records: new Set(), decisions: [] };
  const state = { killsLeft: options.kills, killed: 0, crashed: 0, isOver: false, serverKills: 0 };
  const children = new Set<StoreProcess>();
  const end = () => {
    state.isOver = true;
    for (const { child } of children) child.kill('SIGKILL');
  };
  const lives = Array.from({ length: processes }, (_, index) => live(options, index, { promised, state, children }));
  const all = Promise.all(lives).then(() => {
    state.isOver = true;
  });
  const endMs = performance.now() + (options.forMs ?? Number.POSITIVE_INFINITY);
  const pauseMs = options.forMs === undefined ? 1_500 : 10_000;
  try {
    while (state.serverKills < options.serverKills && !state.isOver && performance.now() < endMs) {
      await within(300 + random() * pauseMs);
      if (state.isOver) break;
      await server.kill();
      await server.start();
      state.serverKills++;
    }
    if (options.forMs !== undefined) end();
    await all;
  } catch (error) {
    // Without a server, they would try without end.
    end();
    throw error;
  }
  const found = await whatIsLeft(options, promised);
  const crashes = state.crashed > 0 ? [`${state.crashed} processes ended with an error`] : [];
  return { ...found, broken: [...found.broken, ...crashes], killed: state.killed, serverKills: state.serverKills };
}

async function live(
  { server, schema, script, records, random, forMs }: HistoryOptions,
  index: number,
  { promised, state, children }: Lives,
): Promise<void> {
  const end = (index + 1) * records;
  for (let next = index * records; next < end && !state.isOver; ) {
    const one = new StoreProcess(script, [server.url, schema, 'record', String(next), String(end - next)]);
    children.add(one);
    if (state.killsLeft-- > 0) {
      await one.waitFor('ready');
      await within(random() * (forMs === undefined ? 400 : 20_000));
      one.child.kill('SIGKILL');
    }
    const result = await one.ended;
    children.delete(one);
    if (result === 'SIGKILL') state.killed++;
    else if (result !== 0) state.crashed++;
    const safe = one.lines.filter((line) => line.startsWith('f ')).map((line) => Number(line.slice(2)));
    for (let number = next; number < (safe.at(-1) ?? next); number++) promised.records.add(number);
    promised.decisions.push(...one.lines.filter((line) => line.startsWith('d ')).map((line) => line.slice(2)));
    // Records without a promise may be there: the next life uses numbers of its own.
    next = result === 0 ? end : (safe.at(-1) ?? next) + UNACKNOWLEDGED;
  }
}

/** A moment that nothing else decides. */
function within(delayMs: number): Promise<void> {
  return new Promise((done) => setTimeout(done, delayMs));
}

async function whatIsLeft({ server, schema }: HistoryOptions, promised: Promised) {
  const store = new PostgresStore({ url: server.url, schema });
  const numbers = new Set<number>();
  let read = 0;
  for await (const { record } of store.journal.read()) {
    if (record.kind !== 'outcome') continue;
    numbers.add(Number(record.outcome.id.slice(1)));
    read++;
  }
  const missing = [...promised.records].filter((number) => !numbers.has(number)).length;
  const doubled = read - numbers.size;
  const reasons: string[] = [];
  let forks = 0;
  for await (const { position, entry } of store.ledger.read()) {
    if (position !== reasons.length) forks++;
    reasons.push(entry.kind === 'frozen' ? entry.reason : '');
  }
  const head = await store.ledger.head();
  if (head.broken !== undefined || head.length !== reasons.length) forks++;
  const lost = promised.decisions.filter((reason) => !reasons.includes(reason)).length;
  const twice = reasons.length - new Set(reasons).size;
  await store.close();
  const broken = [
    ...(missing > 0 ? [`${missing} acknowledged records are missing`] : []),
    ...(doubled > 0 ? [`${doubled} records are there twice`] : []),
    ...(forks > 0 ? [`the ledger has ${forks} forks: ${head.broken}`] : []),
    ...(lost > 0 ? [`${lost} acknowledged decisions are missing`] : []),
    ...(twice > 0 ? [`${twice} decisions are there twice`] : []),
  ];
  const operations = promised.records.size + promised.decisions.length;
  return { broken, operations, missing: missing + lost, doubled: doubled + twice, forks, decisions: reasons.length };
}
