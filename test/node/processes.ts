import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import type { Random } from '../../src/lib/random.js';
import { FileStore, verifyLedger } from '../../src/node/index.js';
import { bundleProcess } from '../bundle-process.js';
import { outcomesIn } from './folder.js';
import type { FaultReport } from './store-faults.js';

export function bundleRecorder(folder: string): Promise<string> {
  return bundleProcess(resolve(import.meta.dirname, 'recorder.ts'), folder);
}

export interface Recorder {
  readonly child: ChildProcess;
  /** Resolves with the exit code or the signal. */
  readonly ended: Promise<number | string>;
  readonly lines: readonly string[];
  waitFor(start: string): Promise<void>;
}

export function startRecorder(
  script: string,
  args: readonly string[],
  user: { readonly uid?: number; readonly gid?: number; readonly cwd?: string } = {},
): Recorder {
  const child = spawn(process.execPath, [script, ...args], { ...user, stdio: ['ignore', 'pipe', 'ignore'] });
  const lines: string[] = [];
  const waiting: { readonly start: string; readonly resolve: () => void }[] = [];
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
    for (const { start, resolve } of waiting) if (parts.some((line) => line.startsWith(start))) resolve();
  });
  const ended = new Promise<number | string>((resolve) => {
    child.on('close', (code, signal) => {
      for (const one of waiting) one.resolve();
      resolve(code ?? signal ?? '');
    });
  });
  return {
    child,
    ended,
    lines,
    waitFor: (start) =>
      new Promise((resolve) => {
        if (lines.some((line) => line.startsWith(start))) resolve();
        else waiting.push({ start, resolve });
      }),
  };
}

export interface KillOptions {
  readonly folder: string;
  readonly script: string;
  readonly processes: number;
  /** Of each process, over all its lives. */
  readonly records: number;
  /** After so many in all, each process records what is left in peace. */
  readonly kills: number;
  readonly random: Random;
}

/** Lets processes record side by side, kills them at random with SIGKILL and starts them again where they were. */
export async function killAtRandom(options: KillOptions): Promise<FaultReport> {
  const { folder, script, processes, records, random } = options;
  const acknowledged = new Set<number>();
  let killsLeft = options.kills;
  let killed = 0;
  let decisions = 0;
  const live = async (index: number): Promise<void> => {
    const end = (index + 1) * records;
    for (let next = index * records; next < end; ) {
      const recorder = startRecorder(script, [folder, 'record', String(next), String(end - next)]);
      const doomed = killsLeft-- > 0;
      if (doomed) {
        await recorder.waitFor('ready');
        // From the first write on: the earlier, the more of them hit the beginning of something.
        setTimeout(() => recorder.child.kill('SIGKILL'), random() * 60);
      }
      const result = await recorder.ended;
      if (result === 'SIGKILL') killed++;
      const flushed = recorder.lines.filter((line) => line.startsWith('f ')).map((line) => Number(line.slice(2)));
      const safe = flushed.at(-1) ?? next;
      for (let number = next; number < safe; number++) acknowledged.add(number);
      decisions += recorder.lines.filter((line) => line.startsWith('d ')).length;
      // Unacknowledged records may be there: the next life uses numbers of its own.
      next = result === 0 ? end : safe + UNACKNOWLEDGED;
    }
  };
  await Promise.all(Array.from({ length: processes }, (_, index) => live(index)));
  return { ...(await whatIsLeft(folder, acknowledged, decisions)), killed };
}

/** More than one life can have written without being told. */
const UNACKNOWLEDGED = 25;

async function whatIsLeft(folder: string, acknowledged: ReadonlySet<number>, decisions: number): Promise<FaultReport> {
  const broken: string[] = [];
  const store = new FileStore(folder);
  const found = await outcomesIn(store);
  const numbers = new Set(found.map(({ number }) => number));
  let lost = 0;
  for (const number of acknowledged) if (!numbers.has(number)) lost++;
  const doubled = found.length - numbers.size;
  if (lost > 0) broken.push(`${lost} acknowledged records are lost`);
  if (doubled > 0) broken.push(`${doubled} records are there twice`);
  const ledger = await verifyLedger(folder);
  const wrong = ledger.faults.find(({ kind }) => kind !== 'beyond-head');
  if (wrong !== undefined) broken.push(wrong.message);
  if (ledger.head.length < decisions) broken.push(`${decisions - ledger.head.length} decisions are lost`);
  if ((await store.coordination.lease('cycle')) === undefined) broken.push('a dead process holds the lease');
  await store.close();
  return { tried: acknowledged.size, broken, read: found.length, lost, doubled, decisions };
}
