import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Outcome, RSILoop } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import { DropFolder } from 'rsi-loop/sources/drop-folder';
import { DOORS, importName } from '../../../../scripts/doors.js';
import type { Random } from '../../../../src/lib/random.js';
import { bundleProcess } from '../../../bundle-process.js';
import { startRecorder } from '../../../node/processes.js';
import { ODD, POISON, put } from './poison.js';

export interface TrialReport {
  readonly broken: readonly string[];
  readonly [count: string]: number | readonly string[];
}

export async function outcomesOf(store: FileStore): Promise<Outcome[]> {
  const found: Outcome[] = [];
  for await (const { record } of store.journal.read()) if (record.kind === 'outcome') found.push(record.outcome);
  return found;
}

/** Poison of every kind among good neighbours, taken while heap and stalls are watched. */
export async function poisonAmongGood(place: string, copies: number, neighbours: number): Promise<TrialReport> {
  const inbox = join(place, 'inbox');
  mkdirSync(inbox, { recursive: true });
  for (let number = 0; number < neighbours; number++) {
    const lines = Array.from({ length: 10 }, (_, line) =>
      JSON.stringify({ task: `n-${number}-${line}`, ok: line > 0, note: 'x'.repeat(200) }),
    );
    writeFileSync(join(inbox, `n-${number}.jsonl`), `${lines.join('\n')}\n`);
  }
  for (let number = 0; number < copies; number++) {
    for (const each of [...POISON, ...ODD]) await put(inbox, each, number);
  }
  const loop = new RSILoop({ store: new FileStore(join(place, 'store')), autoFix: false });
  await loop.ready();
  const drops = new DropFolder(loop, inbox, { settleMs: 0 });
  const heap = watchHeap();
  const delay = monitorEventLoopDelay({ resolution: 10 });
  await new Promise((done) => setTimeout(done, 50));
  delay.enable();
  for (let round = 0; round < 3; round++) await drops.poll();
  delay.disable();
  const heapMb = heap.stop();
  const { counts } = drops;
  const found = await outcomesOf(loop.store as FileStore); // it was given one
  await drops.close();
  await loop.close();

  const broken: string[] = [];
  const good = found.filter(({ task }) => task.startsWith('n-'));
  const odd = found.filter(({ task }) => task === 'good').length;
  const rejected = readdirSync(join(inbox, 'rejected'));
  const reasons = rejected.filter((name) => name.endsWith('.reason.txt'));
  const expect = (what: string, is: number, wanted: number) =>
    is === wanted || broken.push(`${what}: ${is}, not ${wanted}`);
  expect('records of neighbours', good.length, neighbours * 10);
  expect('different ones', new Set(good.map(({ task }) => task)).size, neighbours * 10);
  expect('records of odd files', odd, ODD.length * copies);
  expect('other records', found.length - good.length - odd, 0);
  expect('poison in rejected/', rejected.length - reasons.length, POISON.length * copies);
  expect('reasons', reasons.length, POISON.length * copies);
  expect('files in done/', readdirSync(join(inbox, 'done')).length, neighbours + ODD.length * copies);
  expect('left in the folder', readdirSync(inbox).length, 3);
  const longestStallMs = Math.round(delay.max / 1e6);
  if (heapMb > 50) broken.push(`the heap grew by ${heapMb} MB`);
  return { kinds: POISON.length, poison: POISON.length * copies, ...counts, heapMb, longestStallMs, broken };
}

/** How far the living part of the heap rose above where it was: what is garbage already depends on the machine's leisure. */
function watchHeap(): { stop(): number } {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const used = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = used();
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, used());
  }, 250);
  return {
    stop: () => {
      clearInterval(timer);
      return Math.round((Math.max(most, used()) - before) / 1_048_576);
    },
  };
}

/** The process that is killed. */
export function bundleDropper(folder: string): Promise<string> {
  return bundleProcess(resolve(import.meta.dirname, 'dropper.ts'), folder, {
    external: ['chokidar'],
    noExternal: Object.keys(DOORS).map(importName),
  });
}

/** Feeds a folder, kills its readers again and again, and counts what the journal holds in the end. */
export async function killWhileTaking(
  place: string,
  options: { readonly script: string; readonly kills: number; readonly watchers: number; readonly random: Random },
): Promise<TrialReport> {
  const { script, kills, watchers, random } = options;
  const inbox = join(place, 'inbox');
  const store = join(place, 'store');
  mkdirSync(inbox, { recursive: true });
  let written = 0;
  let files = 0;
  const feed = (count: number) => {
    for (let file = 0; file < count; file++) {
      const lines = Array.from({ length: 20 }, () => {
        const number = written++;
        // Every third brings its own id.
        return JSON.stringify({ task: `r${number}`, success: true, ...(number % 3 === 0 && { id: `own-${number}` }) });
      });
      writeFileSync(join(inbox, `f-${files++ % 50}.jsonl`), lines.join('\n'), { flag: 'wx' });
    }
  };
  let killed = 0;
  const live = async (isDoomed: boolean) => {
    const child = startRecorder(script, [inbox, store]);
    if (isDoomed) {
      await child.waitFor('ready');
      setTimeout(() => child.child.kill('SIGKILL'), random() * 40);
    }
    if ((await child.ended) === 'SIGKILL') killed++;
  };
  while (killed < kills) {
    if (readdirSync(inbox).filter((name) => name.endsWith('.jsonl')).length === 0) feed(50);
    await Promise.all(Array.from({ length: watchers }, () => live(true)));
  }
  await live(false);
  const opened = new FileStore(store);
  const found = await outcomesOf(opened);
  await opened.close();
  const times = new Map<string, number>();
  for (const { task } of found) times.set(task, (times.get(task) ?? 0) + 1);
  const lost = written - times.size;
  const doubled = found.length - times.size;
  const broken: string[] = [];
  if (lost > 0) broken.push(`${lost} records are lost`);
  if (doubled > 0) broken.push(`${doubled} records were counted twice`);
  const left = readdirSync(join(inbox, '.processing'));
  if (left.length > 0) broken.push(`claims are left: ${left.join(', ')}`);
  const done = readdirSync(join(inbox, 'done')).length;
  if (done !== files) broken.push(`${done} files in done/, not ${files}`);
  return { records: written, files, killed, lost, doubled, broken };
}

/** Kills a reader of three files before each single step on files, and lets another reader finish. */
export async function killAtEveryStep(place: string, script: string, stride: number): Promise<TrialReport> {
  const broken: string[] = [];
  let steps = 0;
  for (let step = 1, isOver = false; !isOver; step += stride) {
    const inbox = join(place, `at-${step}`);
    const store = join(place, `store-${step}`);
    mkdirSync(inbox);
    writeFileSync(join(inbox, 'one.json'), '{"task":"r0","ok":true}');
    writeFileSync(join(inbox, 'lines.jsonl'), '{"task":"r1","ok":true}\n{"task":"r2","ok":true,"id":"own"}\n');
    writeFileSync(join(inbox, 'bad.jsonl'), '{"task":"r3","ok":true}\n{"task":');
    isOver = (await startRecorder(script, [inbox, store, String(step)]).ended) !== 'SIGKILL';
    if (!isOver) steps++;
    await startRecorder(script, [inbox, store]).ended;
    const opened = new FileStore(store);
    const tasks = (await outcomesOf(opened)).map(({ task }) => task).sort();
    await opened.close();
    const left = (inside: string) => readdirSync(join(inbox, inside)).sort().join(' ');
    const is = [tasks.join(' '), left('done'), left('rejected'), left('.processing'), left('')].join(' | ');
    const wanted = 'r0 r1 r2 r3 | lines.jsonl one.json | bad.jsonl bad.jsonl.reason.txt |  | .processing done rejected';
    if (is !== wanted) broken.push(`killed before step ${step}: ${is}`);
  }
  return { steps, broken };
}

/** Very many files in one moment. */
export async function flood(place: string, files: number): Promise<TrialReport> {
  const inbox = join(place, 'inbox');
  mkdirSync(inbox, { recursive: true });
  for (let number = 0; number < files; number++)
    writeFileSync(join(inbox, `f-${number}.json`), `{"task":"t${number}","ok":true}`);
  const loop = new RSILoop({ store: new FileStore(join(place, 'store')), autoFix: false });
  await loop.ready();
  const drops = new DropFolder(loop, inbox, { settleMs: 0 });
  const heap = watchHeap();
  const startedMs = performance.now();
  await drops.poll();
  const tookMs = Math.round(performance.now() - startedMs);
  const heapMb = heap.stop();
  const different = new Set((await outcomesOf(loop.store as FileStore)).map(({ task }) => task)).size; // it was given one
  await drops.close();
  await loop.close();
  rmSync(inbox, { recursive: true });
  const broken = different === files ? [] : [`${different} of ${files} were recorded`];
  return { files, records: different, tookMs, heapMb, broken };
}
