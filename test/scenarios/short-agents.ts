import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { RSILoop } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import { seededRandom } from '../../src/lib/random.js';
import { bundleProcess } from '../bundle-process.js';

/** Processes that run at the same time, and the share of them that is killed. */
const AT_ONCE = 2;
const KILLED = 0.1;

interface Ended {
  readonly isDone: boolean;
  readonly calls: number;
  readonly cpuMs: number;
}

export interface ShortAgents {
  readonly processes: number;
  readonly killed: number;
  /** Share of failed tasks in the first and in the last third. */
  readonly failed: readonly [first: number, last: number];
  /** Median processor time of a process in the first and in the last third, in milliseconds. */
  readonly cpuMs: readonly [first: number, last: number];
  readonly fix: string | undefined;
  readonly broken: readonly string[];
}

/**
 * Runs processes with one task each over one folder, some of which are killed. 40 % of the calls fail in a way that passes when
 * they are made again.
 */
export async function runShortAgents(processes: number, seed: number): Promise<ShortAgents> {
  const folder = mkdtempSync(join(tmpdir(), 'rsi-short-'));
  try {
    const program = await bundleProcess(resolve(import.meta.dirname, 'short-process.ts'), folder);
    const random = seededRandom(seed);
    const data = join(folder, 'rsi_data');
    const ended: Ended[] = [];
    let killed = 0;
    let begun = 0;
    const runOnes = async () => {
      while (begun++ < processes) {
        const isKilled = random() < KILLED;
        const end = await runOne([program, data, String(random())], isKilled ? random() * 200 : undefined);
        if (end) ended.push(end);
        else killed++;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, runOnes));
    const { recorded, ids, fix } = await read(data);
    const broken: string[] = [];
    if (ids !== recorded) broken.push(`${recorded - ids} outcomes are there twice`);
    if (recorded < ended.length || recorded > processes)
      broken.push(`${recorded} outcomes of ${ended.length} tasks that ended and ${killed} that may have`);
    const third = Math.floor(ended.length / 3);
    const parts = [ended.slice(0, third), ended.slice(-third)] as const;
    const both = (figure: (part: readonly Ended[]) => number) => [figure(parts[0]), figure(parts[1])] as const;
    return {
      ...{ processes, killed, fix, broken },
      failed: both((part) => part.filter(({ isDone }) => !isDone).length / part.length),
      cpuMs: both((part) => Math.round(part.map(({ cpuMs }) => cpuMs).sort((a, b) => a - b)[third >> 1] ?? 0)),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns what the process printed; undefined if it was killed first. */
async function runOne(command: readonly string[], killAfterMs: number | undefined): Promise<Ended | undefined> {
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit'] });
  const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  await once(child, 'close');
  clearTimeout(timer);
  return text === '' ? undefined : (JSON.parse(text) as Ended); // printed by `short-process.ts`
}

async function read(data: string) {
  const store = new FileStore(data);
  const ids: string[] = [];
  for await (const { record } of store.journal.read()) if (record.kind === 'outcome') ids.push(record.outcome.id);
  const loop = new RSILoop({ store });
  await loop.ready();
  const fix = loop.fixes()[0]?.status;
  await loop.close();
  return { recorded: ids.length, ids: new Set(ids).size, fix };
}
