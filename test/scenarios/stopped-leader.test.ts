import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RSILoop } from 'rsi-loop';
import { inspectStore } from 'rsi-loop/node';
import { expect, it, onTestFinished } from 'vitest';
import { checksOf } from '../../integrations/reports/checks-of-store.js';
import { LifeClock } from '../lives/life-clock.js';
import { SharedFolder, SharedStore } from '../lives/shared-store.js';
import { bundleLeader, stopLeader } from './stopped-leader.js';

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
  const { broken, problems } = await stopLeader(folder, await bundleLeader(folder), async (data, nowMs) => {
    const checks = checksOf(await inspectStore(data), { ...AROUND, folder: data, nowMs });
    expect(checks.find(({ ok }) => !ok)).toMatchObject({
      name: 'processes',
      found: expect.stringContaining('no sign of life'),
    });
  });
  expect(broken).toEqual([]);
  expect(problems).toEqual([expect.stringMatching(/^cycle: process \w+ runs but shows no sign of life since .*CONT/)]);
}, 60_000);

const AROUND = { readable: true, writable: true, freeBytes: 1e9, version: '0.1.0', node: '20.19.0' };
