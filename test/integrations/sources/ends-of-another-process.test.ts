import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type OpenTask, RSILoop } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import { DropFolder } from 'rsi-loop/sources/drop-folder';
import { serve } from 'rsi-loop/sources/http';
import { ManualClock } from 'rsi-loop/testing';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { testFolder } from '../../node/folder.js';

let clock: ManualClock;
let worker: RSILoop;
let other: RSILoop;
let open: readonly OpenTask[];

/** Two processes over one store: one runs the tasks of a trial, the other receives outcomes from any sender. */
beforeEach(async () => {
  clock = new ManualClock(Date.now());
  const folder = testFolder();
  const loopOf = (writer: string) => {
    const loop = new RSILoop({ store: new FileStore(folder, { writer, clock }), clock });
    onTestFinished(() => loop.close());
    return loop;
  };
  worker = loopOf('worker000001');
  await worker.ready();
  for (let call = 0; call < 200; call++) {
    const failed = { success: false, error: Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }) };
    worker.begin('fetch', { idempotent: true }).end(call % 4 === 0 ? failed : { success: true });
    await clock.advance(1_000);
  }
  await worker.runCycle();
  await worker.runCycle();
  open = Array.from({ length: 12 }, () => worker.begin('fetch', { idempotent: true }));
  expect(open.every(({ arms }) => arms.length === 1)).toBe(true);
  await worker.flush();
  other = loopOf('receiver0001');
  await other.ready();
});

const forged = ({ id }: OpenTask) => ({ id, task: 'fetch', success: false, error: 'ECONNRESET', managed: true });

/** Numbers of tasks and of failures that the trial has counted. */
async function counted() {
  for (const loop of [other, worker]) await loop.flush();
  await clock.advance(5_000);
  await worker.runCycle();
  const fixId = open[0]?.arms[0]?.fixId;
  const figures = fixId && worker.verifier.figures(fixId);
  if (!figures) throw new Error('no trial is open');
  const { fix, control } = figures;
  return { tasks: fix.tasks + control.tasks, failures: fix.failures + control.failures };
}

/** Sends each open task's id with a failure, and says that the sender began it. */
const doors: readonly (readonly [string, () => Promise<void>])[] = [
  [
    'HTTP',
    async () => {
      const server = await serve({ loop: other, port: 0, clock });
      onTestFinished(() => server.close());
      const headers = { 'content-type': 'application/json' };
      for (const [index, task] of open.entries()) {
        const { id, ...end } = forged(task);
        const sent =
          index % 2 === 0
            ? await fetch(`${server.url}/observe`, { method: 'POST', headers, body: JSON.stringify({ id, ...end }) })
            : await fetch(`${server.url}/tasks/${id}/end`, { method: 'POST', headers, body: JSON.stringify(end) });
        expect(sent.status).toBe(201);
      }
    },
  ],
  [
    'a drop folder',
    async () => {
      const folder = testFolder();
      const drops = new DropFolder(other, folder, { settleMs: 0 });
      onTestFinished(() => drops.close());
      writeFileSync(join(folder, 'forged.jsonl'), open.map((task) => JSON.stringify(forged(task))).join('\n'));
      await drops.poll();
      expect(drops.counts).toMatchObject({ records: open.length, rejected: 0 });
    },
  ],
  [
    'a reader of messages, as for Redis',
    async () => {
      for (const task of open) {
        const { outcome } = other.observer.read(forged(task));
        expect(outcome && other.observer.take(outcome)).toMatchObject({ id: task.id, success: false });
      }
    },
  ],
];

it.each(doors)('keeps ends sent to another process over %s as outcomes, and counts the true ends', async (_, send) => {
  await send();
  expect(await counted()).toEqual({ tasks: 0, failures: 0 });
  for (const task of open) expect(task.end({ success: true })).toBe(true);
  expect(await counted()).toEqual({ tasks: open.length, failures: 0 });
});
