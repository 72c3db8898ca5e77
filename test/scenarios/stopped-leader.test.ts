import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { RSILoop } from 'rsi-loop';
import { FileStore, inspectStore } from 'rsi-loop/node';
import { ManualClock } from 'rsi-loop/testing';
import { expect, it, onTestFinished } from 'vitest';
import { checksOf } from '../../integrations/cli/doctor/checks.js';
import { bundleProcess } from '../bundle-process.js';
import { LifeClock } from '../lives/life-clock.js';
import { SharedFolder, SharedStore } from '../lives/shared-store.js';
import { startRecorder } from '../node/processes.js';

it('says once that a process was stopped while it leads, and again when it stops again', async () => {
  const clock = new LifeClock(Date.UTC(2026, 0, 5));
  const folder = new SharedFolder();
  const stores = ['leader', 'follower'].map((name) => new SharedStore(folder, name, clock));
  const [leader, follower] = stores.map((store) => new RSILoop({ store, clock }));
  const problems: string[] = [];
  follower?.on('problem', ({ message }) => problems.push(message));
  await leader?.runCycle();
  for (let minute = 0; minute < 3; minute++) {
    await follower?.runCycle();
    clock.pass(45_000);
  }
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain('process leader runs but shows no sign of life since 2026-01-05');
  stores[0]?.beat();
  await follower?.runCycle();
  clock.pass(61_000);
  await follower?.runCycle();
  expect(problems).toHaveLength(2);
});

it('goes on a minute after the process that leads was stopped by SIGSTOP, which follows when it goes on', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rsi-stopped-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const data = join(folder, 'data');
  const script = await bundleProcess(resolve(import.meta.dirname, 'leader-process.ts'), folder);
  const { child, ended, lines, waitFor } = startRecorder(script, [data]);
  onTestFinished(() => void child.kill('SIGKILL'));
  await waitFor('cycle');
  child.kill('SIGSTOP');

  const clock = new ManualClock(Date.now());
  const store = new FileStore(data, { clock });
  const loop = new RSILoop({ store, clock });
  const problems: string[] = [];
  loop.on('problem', ({ where, message }) => problems.push(`${where}: ${message}`));
  loop.observer.recordSimple('search', { success: false, error: 'ECONNRESET' });
  expect(await loop.runCycle()).not.toHaveProperty('unfinished');
  expect(await readersIn(store)).not.toContain(store.writer);

  await clock.advance(61_000);
  expect(await loop.runCycle()).not.toHaveProperty('unfinished');
  expect(problems).toEqual([expect.stringMatching(/^cycle: process \w+ runs but shows no sign of life since .*CONT/)]);
  expect((await readersIn(store)).at(-1)).toBe(store.writer);
  const checks = checksOf(await inspectStore(data), { ...AROUND, folder: data, nowMs: clock.now() });
  expect(checks.find(({ ok }) => !ok)).toMatchObject({
    name: 'processes',
    found: expect.stringContaining('no sign of life'),
  });

  child.kill('SIGCONT');
  const seen = lines.length;
  while (lines.length < seen + 5) await once(child.stdout ?? child, 'data');
  child.kill('SIGKILL');
  await ended;
  expect(new Set(lines)).toEqual(new Set(['cycle']));
  // The one that was stopped may finish the cycle it was in. It leads no other.
  expect(await loop.runCycle()).not.toHaveProperty('unfinished');
  const readers = await readersIn(store);
  expect(readers.at(-1)).toBe(store.writer);
  const afterwards = readers.slice(readers.indexOf(store.writer));
  expect(afterwards.filter((writer) => writer !== store.writer).length).toBeLessThanOrEqual(1);
  await loop.close();
}, 60_000);

/** The processes that took in records as cycles, in order. */
async function readersIn(store: FileStore): Promise<string[]> {
  const readers: string[] = [];
  for await (const { record } of store.read('ledger')) if (record.kind === 'cycle') readers.push(record.by);
  return readers;
}

const AROUND = { readable: true, writable: true, freeBytes: 1e9, version: '0.1.0', node: '20.19.0' };
