import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { sizeOf } from './log-file.js';
import { isAlive, processesOf } from './processes.js';
import { pathsOf, readRecord, type ServiceEnd, type ServiceRecord } from './record.js';
import { checkHealth } from './service-health.js';

/** State of one service. */
export interface ServiceStatus {
  readonly name: string;
  /**
   * `starting`: its health address has not answered well yet. `left-behind`: the main process ended, others run on.
   */
  readonly state: 'never-started' | 'starting' | 'ready' | 'running' | 'ended' | 'left-behind';
  readonly pid?: number;
  /** All its processes. */
  readonly pids: readonly number[];
  readonly startedMs?: number;
  /** Address and its last answer. */
  readonly health?: { readonly url: string; readonly ok: boolean; readonly words: string };
  readonly end?: ServiceEnd;
  readonly log: { readonly path: string; readonly bytes: number };
  /** Memory on graphics cards in MiB, where `nvidia-smi` reports it. */
  readonly gpuMiB?: number;
  /** True if nothing rotates the log: its keeper was killed. The service itself runs on. */
  readonly isUnkept?: true;
}

/** Returns the state of a service, by its record and the processes that run. */
export async function statusOf(name: string, folder: string): Promise<ServiceStatus> {
  const paths = pathsOf(folder, name);
  const log = { path: paths.log, bytes: await sizeOf(paths.log) };
  const record = await readRecord(paths.record);
  if (!record) return { name, state: 'never-started', pids: [], log };
  const pids = (await processesOf(record)).map(({ pid }) => pid);
  const { startedMs, end, main, keeper } = record;
  const found = { name, pids, startedMs, log, ...(main && { pid: main.pid }), ...(end && { end }) };
  const isKept = await isAlive(keeper);
  if (pids.length === 0) return { ...found, state: isKept && !end ? 'starting' : 'ended' };
  if (main && !pids.includes(main.pid)) return { ...found, state: 'left-behind' };
  return { ...found, ...(await howItIs(record, pids)), ...(!isKept && { isUnkept: true as const }) };
}

/** Returns health and memory of a service that runs. */
async function howItIs({ health: url }: ServiceRecord, pids: readonly number[]) {
  const gpuMiB = await gpuMemory(pids);
  const memory = gpuMiB === undefined ? {} : { gpuMiB };
  if (url === undefined) return { state: 'running' as const, ...memory };
  const { ok, words } = await checkHealth(url);
  return { state: ok ? ('ready' as const) : ('starting' as const), health: { url, ok, words }, ...memory };
}

/** Returns the memory that processes use on graphics cards; `undefined` without `nvidia-smi`, or if they use none. */
async function gpuMemory(pids: readonly number[]): Promise<number | undefined> {
  const args = ['--query-compute-apps=pid,used_memory', '--format=csv,noheader,nounits'];
  const answer = await promisify(execFile)('nvidia-smi', args, { timeout: 3_000 }).catch(() => undefined);
  const used = (answer?.stdout ?? '').split('\n').flatMap((line) => {
    const [pid, mib] = line.split(',').map(Number);
    return pid !== undefined && mib !== undefined && pids.includes(pid) && Number.isFinite(mib) ? [mib] : [];
  });
  return used.length === 0 ? undefined : used.reduce((sum, mib) => sum + mib, 0);
}
