import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { RSILoop } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import { ManualClock } from 'rsi-loop/testing';
import { bundleProcess } from '../bundle-process.js';
import { startRecorder } from '../node/processes.js';

/** State after SIGSTOP stopped a leader and the leader continued. */
export interface StoppedLeader {
  readonly tried: number;
  /** Acknowledged records that are gone. */
  readonly lost: number;
  readonly doubled: number;
  readonly problems: readonly string[];
  readonly broken: readonly string[];
}

export function bundleLeader(folder: string): Promise<string> {
  return bundleProcess(resolve(import.meta.dirname, 'leader-process.ts'), folder);
}

/**
 * Stops a process that leads, waits a minute on the clock of another that takes over, and lets the first go on. `look` is
 * called with the folder while the first process is stopped and the second leads.
 */
export async function stopLeader(
  folder: string,
  script: string,
  look?: (data: string, nowMs: number) => Promise<void>,
): Promise<StoppedLeader> {
  const data = mkdtempSync(join(folder, 'stopped-'));
  const broken: string[] = [];
  const { child, ended, lines, waitFor } = startRecorder(script, [data]);
  try {
    await waitFor('cycle');
    child.kill('SIGSTOP');
    const clock = new ManualClock(Date.now());
    const store = new FileStore(data, { clock });
    const loop = new RSILoop({ store, clock });
    const problems: string[] = [];
    loop.on('problem', ({ where, message }) => void problems.push(`${where}: ${message}`));
    const cycle = async (when: string) => {
      loop.observer.recordSimple('search', { success: false, error: 'ECONNRESET' });
      const { unfinished } = await loop.runCycle();
      if (unfinished !== undefined) broken.push(`${when}, a cycle was not finished: ${unfinished}`);
    };
    await cycle('while the leader was stopped');
    if ((await readersIn(store)).includes(store.journal.writer)) broken.push('the lease was taken over at once');
    await clock.advance(61_000);
    await cycle('a minute later');
    if ((await readersIn(store)).at(-1) !== store.journal.writer) broken.push('no other process leads after a minute');
    await look?.(data, clock.now());

    child.kill('SIGCONT');
    const seen = lines.length;
    while (lines.length < seen + 5) await once(child.stdout ?? child, 'data');
    child.kill('SIGKILL');
    await ended;
    const said = lines.filter((line) => line !== 'cycle');
    if (said.length > 0) broken.push(`the stopped process says: ${said[0]}`);
    await cycle('after the leader went on');
    const readers = await readersIn(store);
    if (readers.at(-1) !== store.journal.writer) broken.push('the process that was stopped leads again');
    // The one that was stopped may finish the cycle it was in. It leads no other.
    const others = readers
      .slice(readers.indexOf(store.journal.writer))
      .filter((writer) => writer !== store.journal.writer);
    if (others.length > 1) broken.push(`the process that was stopped led ${others.length} more cycles`);
    await loop.flush();
    const ids: string[] = [];
    for await (const { record } of store.journal.read()) if (record.kind === 'outcome') ids.push(record.outcome.id);
    await loop.close();
    // Each process records one outcome before a cycle, and the cycle ends when it is written.
    const acknowledged = lines.filter((line) => line === 'cycle').length + 3;
    const kept = new Set(ids).size;
    const lost = Math.max(0, acknowledged - kept);
    const doubled = ids.length - kept;
    if (lost + doubled > 0) broken.push(`${lost} records are lost and ${doubled} there twice`);
    return { tried: 1, lost, doubled, problems, broken };
  } finally {
    child.kill('SIGKILL');
  }
}

/** The processes that took in records as cycles, in order. */
async function readersIn(store: FileStore): Promise<string[]> {
  const readers: string[] = [];
  for await (const { entry: record } of store.ledger.read()) if (record.kind === 'cycle') readers.push(record.by);
  return readers;
}
