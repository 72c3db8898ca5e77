/**
 * Cost of recording to a file, side by side with a pino log call of the same object in one run; how fast records
 * reach the disk and come back; how fast a start with a snapshot is; how long the event loop is held up.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import pino from 'pino';
import { type JournalRecord, MemoryStore, Observer, type OutcomeId, RSILoop, SystemClock } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import type { Store } from '../../src/contract/store.js';
import { idMaker } from '../../src/lib/ids.js';
import { WriteBuffer } from '../../src/live/write-buffer.js';
import { machineFileSystem } from '../../src/node/file-system.js';
import { listSegments } from '../../src/node/segments.js';

const folder = mkdtempSync(join(tmpdir(), 'rsi-bench-'));
const ERROR = '429 Too Many Requests: rate limit exceeded for org-1234, retry after 20s';

function record(number: number): Extract<JournalRecord, { kind: 'outcome' }> {
  return {
    kind: 'outcome',
    outcome: {
      id: `0mabcdefg-w1a2b3c4d5e6-${number.toString(36).padStart(7, '0')}` as OutcomeId, // an id of the bench's own
      task: 'api_call',
      success: number % 5 !== 0,
      atMs: 1_767_225_600_000 + number,
      source: 'generic',
      model: 'sonnet',
      durationMs: 812 + (number % 100),
      ...(number % 5 === 0
        ? { error: { message: ERROR, status: 429 }, issues: ['rate_limit'], fingerprint: '0123456789abcdef' }
        : { issues: [] }),
    },
  };
}

const records = Array.from({ length: 5_000 }, (_, number) => record(number));
const at = (number: number) => records[number % records.length] ?? record(number);

/** Time per call including the writing that goes on beside: the loop turns after each hundred calls, as in a server. */
async function amortised(calls: number, call: (number: number) => void, finish: () => Promise<void>): Promise<number> {
  const started = process.hrtime.bigint();
  for (let number = 0; number < calls; number++) {
    call(number);
    if (number % 100 === 99) await new Promise(setImmediate);
  }
  await finish();
  return Number(process.hrtime.bigint() - started) / calls;
}

async function withStore<Result>(
  options: ConstructorParameters<typeof FileStore>[1],
  run: (store: FileStore) => Promise<Result>,
) {
  const path = mkdtempSync(join(folder, 'store-'));
  const store = new FileStore(path, options);
  store.onProblem((problem) => console.log('problem:', problem.message));
  try {
    return await run(store);
  } finally {
    await store.close?.();
    rmSync(path, { recursive: true, force: true });
  }
}

async function callCosts(): Promise<void> {
  const CALLS = 300_000;
  const ROUNDS = 3;
  const costs = { pino: [] as number[], file: [] as number[], memory: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    const destination = pino.destination({ dest: join(folder, 'pino.log'), sync: false });
    const logger = pino(destination);
    const logged = () => new Promise<void>((resolve) => destination.flush(() => resolve()));
    costs.pino.push(await amortised(CALLS, (number) => logger.info(at(number).outcome), logged));
    destination.end();
    costs.file.push(
      await withStore({}, (store) =>
        amortised(
          CALLS,
          (number) => store.journal.append([at(number)]),
          () => store.journal.flush(),
        ),
      ),
    );
    const memory: Store = new MemoryStore();
    costs.memory.push(
      await amortised(
        CALLS,
        (number) => memory.journal.append([at(number)]),
        () => memory.journal.flush(),
      ),
    );
  }
  const turn = median(
    await rounds(ROUNDS, () =>
      amortised(
        CALLS,
        () => {},
        async () => {},
      ),
    ),
  );
  const base = median(costs.pino);
  console.log(`a turn of the loop after each 100 calls costs every row ${ns(turn)} per call`);
  for (const [name, found] of Object.entries(costs)) {
    row(`${name}: one record, writing included`, ns(median(found)), `${(median(found) / base).toFixed(2)} x pino`);
  }
}

/**
 * From the call of the host to the store: naming, redacting and storing; in the rows named so, reading back and analysing
 * as well, which the loop does as it goes.
 */
async function wholeWay(): Promise<void> {
  const CALLS = 200_000;
  const ROUNDS = 3;
  const fields = (number: number, error: string | undefined) => ({
    success: error === undefined,
    model: 'sonnet',
    durationMs: 812 + (number % 100),
    tokens: { input: 1200, output: 350 },
    session: 's-42',
    ...(error !== undefined && { error }),
  });
  const streams = {
    'one failure in five, seen before': (number: number) => (number % 5 === 0 ? ERROR : undefined),
    'one failure in five, every message new': (number: number) =>
      number % 5 === 0 ? `${ERROR} (${number})` : undefined,
    'failures only, every message new': (number: number) => `connect ETIMEDOUT 10.0.0.1:${number}`,
  };
  for (const [name, errorOf] of Object.entries(streams)) {
    const calls = Array.from({ length: CALLS }, (_, number) => fields(number, errorOf(number)));
    // Made before for pino too: a copy of every object would be a cost of the bench.
    const logs = calls.map((call) => ({ task: 'api_call', ...call }));
    const call = (number: number) => calls[number] ?? fields(number, undefined);
    const costs: Record<'pino' | `${'file' | 'memory'}${'' | ', analysed'}`, number[]> = {
      pino: [],
      file: [],
      'file, analysed': [],
      memory: [],
      'memory, analysed': [],
    };
    for (let round = 0; round < ROUNDS; round++) {
      const destination = pino.destination({ dest: join(folder, 'pino.log'), sync: false });
      const logger = pino(destination);
      const logged = () => new Promise<void>((resolve) => destination.flush(() => resolve()));
      costs.pino.push(await amortised(CALLS, (number) => logger.info(logs[number]), logged));
      destination.end();
      for (const kind of ['file', 'memory'] as const) {
        const record = (observer: Pick<Observer, 'recordSimple'>) => (number: number) =>
          void observer.recordSimple('api_call', call(number));
        const path = mkdtempSync(join(folder, 'loop-'));
        const open = (): Store => (kind === 'file' ? new FileStore(path, { maxQueued: CALLS }) : new MemoryStore());
        const store = open();
        costs[kind].push(await amortised(CALLS, record(observerInto(store)), () => store.journal.flush()));
        await store.close?.();
        const loop = new RSILoop({ store: open() });
        await loop.ready();
        costs[`${kind}, analysed`].push(await amortised(CALLS, record(loop.observer), () => loop.flush()));
        await loop.close();
        rmSync(path, { recursive: true, force: true });
      }
    }
    const { pino: logging, ...ours } = costs;
    const base = Math.min(...logging);
    for (const [kind, found] of Object.entries(ours)) {
      const cost = Math.min(...found);
      row(`${kind}: recordSimple, ${name}`, ns(cost), `${(cost / base).toFixed(2)} x pino (${ns(base)})`);
    }
  }
}

/** Layers between a host and the store, as the loop wires it. */
function observerInto(store: Store): Observer {
  const clock = new SystemClock();
  // A dropped record costs nothing: a run that drops one must not count.
  const fail = (problem: unknown) => {
    throw new Error(`the disk is too slow for this bench: ${String(problem)}`);
  };
  const writeBuffer = new WriteBuffer({
    journal: () => store.journal,
    random: Math.random,
    onDropped: fail,
    report: fail,
  });
  return new Observer({
    clock,
    newId: idMaker(store.journal.writer),
    into: { take: (outcome) => writeBuffer.addOutcome(outcome) },
    report: fail,
  });
}

async function slowestCalls(): Promise<void> {
  await withStore({}, async (store) => {
    const times: number[] = [];
    for (let number = 0; number < 100_000; number++) {
      const record = at(number);
      const started = process.hrtime.bigint();
      store.journal.append([record]);
      times.push(Number(process.hrtime.bigint() - started));
      if (number % 100 === 99) await new Promise(setImmediate);
    }
    times.sort((a, b) => a - b);
    const quantile = (share: number) => ns(times[Math.floor(times.length * share)] ?? 0);
    row('file: write alone, p50 / p99 / p99.9', `${quantile(0.5)} / ${quantile(0.99)} / ${quantile(0.999)}`);
  });
}

async function sustained(): Promise<void> {
  const COUNT = 1_000_000;
  await withStore({ maxQueued: 1_000_000 }, async (store) => {
    const started = performance.now();
    for (let number = 0; number < COUNT; number++) {
      store.journal.append([at(number)]);
      if (number % 1_000 === 999) await new Promise(setImmediate);
    }
    await store.journal.flush();
    row('file: sustained, fsynced at the end', `${perSecond(COUNT, performance.now() - started)} records/s`);
    const stamp = performance.now();
    let read = 0;
    for await (const { record } of store.journal.read()) if (record.kind === 'outcome') read++;
    row(`file: replay of ${read}`, `${perSecond(read, performance.now() - stamp)} records/s`);
    const segments = await listSegments(machineFileSystem, join(store.folder, 'journal'));
    let parseMs = 0;
    for (const { path } of segments.byWriter.get(store.journal.writer) ?? []) {
      const lines = readFileSync(path, 'utf8').split('\n');
      const begin = performance.now();
      for (const line of lines) if (line !== '') JSON.parse(line);
      parseMs += performance.now() - begin;
    }
    row('beside: JSON.parse alone of the same lines', `${perSecond(read, parseMs)} records/s`);
    await store.snapshots.save(
      'patterns',
      {
        read: { [store.journal.writer]: COUNT },
        patterns: Array.from({ length: 500 }, (_, i) => at(i).outcome),
      } as never,
      0,
    );
    await store.close?.();
    const again = new FileStore(store.folder);
    const opened = performance.now();
    await again.snapshots.load('patterns');
    await again.ledger.head();
    let tail = 0;
    for await (const _ of again.journal.read({ [store.journal.writer]: COUNT - 100 })) tail++;
    row(
      `file: start with a snapshot at ${COUNT} outcomes, tail of ${tail}`,
      `${(performance.now() - opened).toFixed(0)} ms`,
    );
    await again.close();
  });
}

/**
 * How late timers are in a host that records 50,000 times a second. The delay of the machine itself is printed too:
 * on a shared one it can be more than all the rest.
 */
async function heldUp(): Promise<void> {
  const quiet = await delays(() => {});
  row('beside: loop delay of the same host without recording, p50 / p99 / max', quiet.shown);
  const fields = (number: number) => ({
    success: number % 5 !== 0,
    model: 'sonnet',
    durationMs: 812 + (number % 100),
    ...(number % 5 === 0 && { error: ERROR }),
  });
  const stored = await withStore({}, (store) => delays((number) => store.journal.append([at(number)])));
  row(`file: loop delay at ${stored.rate} records/s`, stored.shown);
  const path = mkdtempSync(join(folder, 'loop-'));
  const loop = new RSILoop({ store: new FileStore(path) });
  await loop.ready();
  const analysed = await delays((number) => loop.observer.recordSimple('api_call', fields(number)));
  row(`file, analysed: the same through a loop, ${analysed.rate} records/s`, analysed.shown);
  await loop.close();
  rmSync(path, { recursive: true, force: true });
}

async function delays(call: (number: number) => void): Promise<{ readonly rate: string; readonly shown: string }> {
  const PER_MS = 50;
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const started = performance.now();
  let written = 0;
  while (performance.now() - started < 3_000) {
    const due = Math.floor((performance.now() - started) * PER_MS);
    for (; written < due; written++) call(written);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  delay.disable();
  const ms = (value: number) => `${(value / 1e6).toFixed(1)} ms`;
  return {
    rate: perSecond(written, performance.now() - started),
    shown: `${ms(delay.percentile(50))} / ${ms(delay.percentile(99))} / ${ms(delay.max)}`,
  };
}

async function rounds(count: number, run: () => Promise<number>): Promise<number[]> {
  const found: number[] = [];
  for (let round = 0; round < count; round++) found.push(await run());
  return found;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function ns(value: number): string {
  return value < 10_000 ? `${value.toFixed(0)} ns` : `${(value / 1_000).toFixed(1)} us`;
}

function perSecond(count: number, ms: number): string {
  return Math.round((count / ms) * 1_000).toLocaleString('en');
}

function row(name: string, ...cells: readonly string[]): void {
  console.log(name.padEnd(64), cells.map((cell) => cell.padEnd(24)).join(' '));
}

console.log(`${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores, Node ${process.version}`);
try {
  await callCosts();
  await wholeWay();
  await slowestCalls();
  await sustained();
  await heldUp();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
