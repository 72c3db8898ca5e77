import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { LoopError } from 'rsi-loop';
import type { KeeperOrder } from './keeper.js';
import { withLock } from './lock.js';
import { identify, isAlive, type ProcessId, processesOf, TOKEN_VARIABLE } from './processes.js';
import {
  addToRecord,
  FORMAT,
  makeStateFolder,
  pathsOf,
  readRecord,
  type ServiceRecord,
  writeRecord,
} from './record.js';
import type { Service } from './service.js';
import { checkHealth } from './service-health.js';
import { endKeeperWithoutService, endProcesses } from './stop.js';

export interface StartOptions {
  /** Folder of records and logs. */
  readonly folder: string;
  /** Command line that runs a keeper. */
  readonly keeper: readonly string[];
  readonly signal: AbortSignal;
  /** False: do not wait until the service is ready. */
  readonly wait: boolean;
}

/** Result of a start. */
export type Started =
  | {
      readonly kind: 'ready' | 'running' | 'already-running' | 'interrupted';
      readonly pid: number;
      readonly waitedMs: number;
    }
  /** `refused`: nothing was started. `failed`: it was, and does not run. */
  | { readonly kind: 'failed' | 'refused'; readonly reason: string };

const LOOK_EVERY_MS = 50;
const HEALTH_EVERY_MS = 250;
/** A service without a health address is ready once it has run for this long. */
const SETTLED_MS = 1_000;

/** Starts a service and waits until it is ready. One that does not become ready is stopped again. */
export async function startService(service: Service, options: StartOptions): Promise<Started> {
  const { folder } = options;
  await makeStateFolder(folder);
  const paths = pathsOf(folder, service.name);
  const begun = await withLock(paths.lock, `starting or stopping ${service.name}`, async () => {
    const problem = await whyNot(service, paths.record, options.signal);
    if (problem) return problem;
    const record = newRecord(service);
    // Written before the start: no process is started without a record.
    await writeRecord(paths.record, record);
    await runKeeper(service, record, options);
    await untilBegun(paths.record);
    return record;
  });
  // Others may stop it while this process waits.
  return 'token' in begun ? waitFor(service, begun, options) : begun;
}

/** Returns the result if the service must not be started now. */
async function whyNot(service: Service, path: string, signal: AbortSignal): Promise<Started | undefined> {
  const before = await readRecord(path);
  if (before) await endKeeperWithoutService(before);
  const left = before ? await processesOf(before) : [];
  const [first] = left;
  if (first) {
    const pid = before?.main?.pid ?? first.pid;
    if (left.some((each) => each.pid === pid)) return { kind: 'already-running', pid, waitedMs: 0 };
    const pids = left.map((each) => each.pid).join(', ');
    return { kind: 'refused', reason: `an earlier run left processes behind (${pids}): stop ${service.name} first` };
  }
  if (service.health === undefined || !(await checkHealth(service.health, signal)).isAnswered) return undefined;
  const reason = `something answers at ${service.health} already, and rsi did not start it: stop it, or use another port`;
  return { kind: 'refused', reason };
}

/** Waits until the service runs, or cannot be started. */
async function untilBegun(path: string): Promise<void> {
  for (;;) {
    const record = await readRecord(path);
    if (!record || record.main || record.end || !(await isAlive(record.keeper))) return;
    await sleep(LOOK_EVERY_MS);
  }
}

function newRecord({ name, command, health, stopGraceMs }: Service): ServiceRecord {
  const more = { stopGraceMs, startedMs: Date.now(), ...(health && { health }) };
  return { format: FORMAT, name, token: randomUUID(), command, ...more };
}

async function runKeeper(service: Service, { token }: ServiceRecord, { folder, keeper }: StartOptions): Promise<void> {
  const [program = '', ...args] = keeper;
  const { [TOKEN_VARIABLE]: _, ...env } = process.env;
  const paths = pathsOf(folder, service.name);
  const log = openSync(paths.log, 'a', 0o600);
  const child = spawn(program, args, { detached: true, env, stdio: ['pipe', 'ignore', log] });
  closeSync(log);
  child.once('error', () => {}); // the wait below finds no keeper
  const id = child.pid === undefined ? undefined : await identify(child.pid);
  if (id) await addToRecord(paths.record, { token }, { keeper: id });
  child.stdin?.on('error', () => {}); // it died: likewise
  const order: KeeperOrder = { folder, token, service };
  child.stdin?.end(JSON.stringify(order));
  child.unref();
}

/** Waits until the service is ready, has ended, or takes too long. */
async function waitFor(service: Service, { token }: ServiceRecord, options: StartOptions): Promise<Started> {
  const { folder, signal } = options;
  const { record: path } = pathsOf(folder, service.name);
  const isReady = readiness(service, signal);
  const startedMs = performance.now();
  for (;;) {
    const record = await readRecord(path);
    const waitedMs = performance.now() - startedMs;
    const problem = await serviceProblem(record, token);
    if (problem !== undefined) return { kind: 'failed', reason: problem };
    const pid = record?.main?.pid ?? 0;
    if (signal.aborted) return { kind: 'interrupted', pid, waitedMs };
    if (record?.main && !options.wait) return { kind: 'running', pid, waitedMs };
    if (record?.main && (await isReady(record.main, waitedMs))) return { kind: 'ready', pid, waitedMs };
    if (record && waitedMs > service.startTimeoutMs) return giveUp(service, record, path);
    await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** Returns why a service that was just started does not run; `undefined` if it runs, or is about to. */
async function serviceProblem(record: ServiceRecord | undefined, token: string): Promise<string | undefined> {
  if (record?.token !== token) return 'its record was replaced meanwhile';
  if (record.end) return endWords(record.end);
  return record.main || (await isAlive(record.keeper)) ? undefined : 'its keeper ended: read the log';
}

/** Returns a function that says whether a service is ready, `waitedMs` after its start. */
function readiness({ health }: Service, signal: AbortSignal) {
  let askedMs = Number.NEGATIVE_INFINITY;
  return async (main: ProcessId, waitedMs: number): Promise<boolean> => {
    if (health === undefined) return waitedMs > SETTLED_MS;
    if (waitedMs - askedMs < HEALTH_EVERY_MS) return false;
    askedMs = waitedMs;
    // Another process may have taken the port while this one failed.
    return (await checkHealth(health, signal)).ok && isAlive(main);
  };
}

async function giveUp({ health, startTimeoutMs }: Service, record: ServiceRecord, path: string): Promise<Started> {
  const last = health === undefined ? 'it did not run' : `${health} ${(await checkHealth(health)).words}`;
  const left = await endProcesses(record);
  await addToRecord(path, record, { end: { atMs: Date.now(), code: null, signal: null, asked: true } });
  const ended = left.length === 0 ? 'it was stopped' : `these processes do not end: ${left.join(', ')}`;
  return { kind: 'failed', reason: `not ready after ${startTimeoutMs} ms (${last}): ${ended}; raise startTimeoutMs` };
}

/** Describes the end of a service. */
export function endWords({ code, signal, failure, asked }: NonNullable<ServiceRecord['end']>): string {
  if (failure !== undefined) return failure;
  if (asked) return 'it was stopped';
  return signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`;
}

/** @throws LoopError `invalid-input` on Windows, where only files can be printed. */
export function mustHaveGroups(action: string, platform: NodeJS.Platform = process.platform): void {
  if (platform !== 'win32' || action === 'print') return;
  throw new LoopError(
    'invalid-input',
    'Windows has no process groups, so rsi cannot stop what a service starts: use WSL, or "services print compose"',
  );
}
