import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RSILoop } from 'rsi-loop';
import { orchestrate, RunFolder, schedule, type TaskSpec } from 'rsi-loop/orchestrate';
import { ManualClock } from 'rsi-loop/testing';
import { describe, expect, it, onTestFinished } from 'vitest';

const TASKS: readonly TaskSpec[] = [{ id: 'report', worker: 'work' }];
const HOUR_MS = 3_600_000;

function world(folder = newFolder(), clock = new ManualClock(Date.UTC(2026, 2, 28, 12))) {
  const loop = new RSILoop({ clock });
  const stop = new AbortController();
  const ran: string[] = [];
  const options = {
    ...{ name: 'nightly', cron: '0 3 * * *', timeZone: 'Europe/Rome', folder, tasks: TASKS, signal: stop.signal },
    workers: { work: () => 1 },
    onRun: ({ id, status }: { readonly id: string; readonly status: string }) => ran.push(`${id} ${status}`),
  };
  onTestFinished(() => loop.close());
  /** Lets hours pass; runs write to the disk meanwhile. */
  const pass = async (hours: number, count: number) => {
    await clock.advance(hours * HOUR_MS);
    await expect.poll(() => ran.length, { timeout: 10_000 }).toBe(count);
  };
  return { folder, clock, loop, stop, ran, options, pass };
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rsi-schedule-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe('schedule', () => {
  it('runs at each time of its pattern in its time zone, over the change to summer time', async () => {
    const { loop, ran, options, pass, stop } = world();
    const scheduled = schedule(loop, options);
    await expect.poll(() => scheduled.next()).toBe(Date.UTC(2026, 2, 29, 1));
    await pass(13, 1);
    await pass(24, 2);
    expect(ran).toEqual(['nightly-20260329T010000 done', 'nightly-20260330T010000 done']);
    stop.abort();
    await scheduled.done;
  });

  it('runs each time once, although two processes have the schedule', async () => {
    const { loop, ran, options, pass, stop, folder, clock } = world();
    const other = world(folder, clock);
    const ends = [schedule(loop, options).done, schedule(other.loop, { ...other.options, onRun: options.onRun }).done];
    await pass(13, 1).catch(() => undefined);
    stop.abort();
    other.stop.abort();
    await Promise.all(ends);
    expect(new Set(ran)).toEqual(new Set(['nightly-20260329T010000 done']));
    const store = new RunFolder(folder);
    const began = (await store.load('nightly-20260329T010000')).filter(({ kind }) => kind === 'began');
    await store.close();
    expect(began).toHaveLength(1);
  });

  it('continues the run of a process that has gone, and makes up for the newest missed time only', async () => {
    const { loop, ran, options, clock, folder, pass, stop } = world();
    const gone = new AbortController();
    await orchestrate(loop, {
      ...{ folder, id: 'nightly-20260325T020000', tasks: TASKS, signal: gone.signal },
      workers: {
        work: ({ signal }) => {
          gone.abort();
          signal.throwIfAborted();
        },
      },
    }).catch(() => undefined);
    const scheduled = schedule(loop, options);
    await pass(0, 2);
    expect(ran).toEqual(['nightly-20260325T020000 done', 'nightly-20260328T020000 done']);
    stop.abort();
    await scheduled.done;
    const skipping = new AbortController();
    await clock.advance(48 * HOUR_MS);
    const skips = schedule(loop, { ...options, missed: 'skip', signal: skipping.signal });
    await expect.poll(() => skips.next()).toBe(Date.UTC(2026, 2, 31, 1));
    skipping.abort();
    await skips.done;
    expect(ran).toHaveLength(2);
  });

  it('names the pattern, the time zone or the name that cannot be used', () => {
    const { loop, options } = world();
    expect(() => schedule(loop, { ...options, cron: '61 * * * *' })).toThrow('cron is "61 * * * *"');
    expect(() => schedule(loop, { ...options, timeZone: 'Mars/Base' })).toThrow('in "Mars/Base"');
    expect(() => schedule(loop, { ...options, name: 'a b' })).toThrow('name is a b');
  });
});
