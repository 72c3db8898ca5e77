import { RSILoop } from 'rsi-loop';
import { ManualClock } from 'rsi-loop/testing';
import { describe, expect, it } from 'vitest';
import { RecordWatch } from '../../src/live/record-watch.js';
import { makeOutcome, START } from '../analyze/make-outcome.js';

function watch() {
  const told: string[] = [];
  const records = new RecordWatch((message) => told.push(message));
  const end = (task: string, isCancelled = false, atMs = START) =>
    records.take(makeOutcome({ task, atMs, success: !isCancelled, issues: isCancelled ? ['cancelled'] : [] }));
  return { told, end };
}

describe('many cancelled tasks', () => {
  it('are told with their rate and the one before, once an hour', () => {
    const { told, end } = watch();
    for (let index = 0; index < 100; index++) end('call', index === 0);
    for (let index = 0; index < 100; index++) end('call', index % 3 === 0, START + 3_600_000);
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(/^34.% of 58 tasks "call" of this hour were cancelled, 1(?:\.0)?.% in the hour before: /);
  });

  it('are not told if they are few', () => {
    const { told, end } = watch();
    for (let index = 0; index < 19; index++) end('rare', true);
    for (let index = 0; index < 1_000; index++) end('busy', index % 10 === 0);
    expect(told).toEqual([]);
  });
});

describe('names of tasks with ids', () => {
  it('are told once, after 50 of them, with the sentence to change', () => {
    const { told, end } = watch();
    for (let index = 0; index < 49; index++) end(`order-${83_213 + index}`);
    expect(told).toEqual([]);
    for (let index = 49; index < 5_000; index++) end(`order-${83_213 + index}`);
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(/"order-83262".* call loop\.run\("order", \.\.\.\)/);
  });

  it('are not told for names that repeat, or have a version', () => {
    const { told, end } = watch();
    for (let index = 0; index < 500; index++)
      end(['gpt-4', 'step 1', 'step 2', 'area-51', 'abcdefgh'][index % 5] ?? '');
    expect(told).toEqual([]);
  });
});

it('is counted together by its template meanwhile, and gets no setting, which no call could read', async () => {
  const clock = new ManualClock(START);
  const loop = new RSILoop({ clock, idempotent: true });
  for (let index = 0; index < 120; index++) {
    const run = () => (index % 3 === 0 ? Promise.reject(new Error('read ECONNRESET')) : 'ok');
    await loop.run(`order-${83_213 + index}`, run).catch(() => undefined);
    await clock.advance(1_000);
  }
  const { patterns, fixes } = await loop.runCycle();
  expect(patterns.find(({ task }) => task === 'order-<*>')).toMatchObject({ count: 23, issue: 'network' });
  expect(fixes).toEqual([]);
  await loop.close();
});

it('reaches the host as a problem', async () => {
  const loop = new RSILoop({ clock: new ManualClock(START) });
  const problems: string[] = [];
  loop.on('problem', ({ where, message }) => problems.push(`${where}: ${message}`));
  await loop.ready();
  for (let index = 0; index < 60; index++) loop.observer.recordSimple(`order-${1_000 + index}`, { success: true });
  expect(problems.filter((line) => line.startsWith('record: 50 names of tasks are like'))).toHaveLength(1);
  await loop.close();
});
