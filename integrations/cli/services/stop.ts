import { setTimeout as sleep } from 'node:timers/promises';
import { withLock } from './lock.js';
import { isAlive, processesOf, type Running } from './processes.js';
import { addToRecord, makeStateFolder, pathsOf, readRecord, type ServiceRecord } from './record.js';

/** Result of a stop. */
export type Stopped =
  | {
      readonly kind: 'stopped';
      readonly pids: readonly number[];
      readonly waitedMs: number;
      readonly isKilled: boolean;
    }
  | { readonly kind: 'not-running' }
  /** These processes did not end, not even by SIGKILL. */
  | { readonly kind: 'failed'; readonly pids: readonly number[] };

const LOOK_EVERY_MS = 50;
const KILL_WAIT_MS = 5_000;

/** Ends what `rsi services` started under this name, and nothing else. */
export async function stopService(name: string, folder: string): Promise<Stopped> {
  await makeStateFolder(folder);
  const paths = pathsOf(folder, name);
  return withLock(paths.lock, `starting or stopping ${name}`, async () => {
    const record = await readRecord(paths.record);
    if (!record) return { kind: 'not-running' };
    await endKeeperWithoutService(record);
    const running = await processesOf(record);
    if (running.length === 0) return { kind: 'not-running' };
    const startedMs = performance.now();
    let isKilled = false;
    const left = await endProcesses(record, () => {
      isKilled = true;
    });
    const waitedMs = performance.now() - startedMs;
    if (left.length > 0) return { kind: 'failed', pids: left };
    await waitWhile(() => isAlive(record.keeper), 2_000);
    await addToRecord(paths.record, record, { end: { atMs: Date.now(), code: null, signal: null, asked: true } });
    return { kind: 'stopped', pids: running.map(({ pid }) => pid), waitedMs, isKilled };
  });
}

/** Ends all processes of a service: SIGTERM, then SIGKILL after the grace. Returns those that are left. */
export async function endProcesses(record: ServiceRecord, onKill: () => void = () => {}): Promise<readonly number[]> {
  for (const [signal, waitMs] of [
    ['SIGTERM', record.stopGraceMs],
    ['SIGKILL', KILL_WAIT_MS],
  ] as const) {
    const running = await processesOf(record);
    if (running.length === 0) return [];
    if (signal === 'SIGKILL') onKill();
    send(running, record, signal);
    await waitWhile(async () => {
      const left = await processesOf(record);
      // A process that was forked while the others were ended gets the signal too.
      if (signal === 'SIGKILL') send(left, record, signal);
      return left.length > 0;
    }, waitMs);
  }
  return (await processesOf(record)).map(({ pid }) => pid);
}

/** Signals the group of the main process as a whole, so that no fork escapes, and all others one by one. */
function send(running: readonly Running[], { main }: ServiceRecord, signal: NodeJS.Signals): void {
  const hasMain = running.some(({ pid, started }) => pid === main?.pid && started === main.started);
  if (hasMain && main) kill(-main.pid, signal);
  for (const { pid, group } of running) if (!hasMain || group !== main?.pid) kill(pid, signal);
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended, or belongs to another user: the list of those left shows it.
  }
}

/** Ends a keeper whose starter died before it started the service. */
export async function endKeeperWithoutService({ keeper, main, end }: ServiceRecord): Promise<void> {
  if (!keeper || main || end || !(await isAlive(keeper))) return;
  kill(keeper.pid, 'SIGKILL');
  await waitWhile(() => isAlive(keeper), 1_000);
}

async function waitWhile(isSo: () => Promise<boolean>, longestMs: number): Promise<void> {
  const endMs = performance.now() + longestMs;
  while (performance.now() < endMs && (await isSo())) await sleep(LOOK_EVERY_MS);
}
