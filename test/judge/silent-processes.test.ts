import { expect, it } from 'vitest';
import type { WriterState } from '../../src/contract/coordination.js';
import { MemoryStore } from '../../src/defaults/memory-store.js';
import { SilentProcesses } from '../../src/judge/silent-processes.js';
import { ManualClock } from '../../src/testing/manual-clock.js';

const START_MS = Date.UTC(2026, 0, 5);

/** A store that other processes share. */
function world() {
  const clock = new ManualClock(START_MS);
  const { journal, coordination } = new MemoryStore({ clock });
  const reports: string[] = [];
  const silent = new SilentProcesses((message) => reports.push(message));
  const look = async (...others: readonly WriterState[]) => {
    await silent.look({ clock, store: { journal, coordination: { ...coordination, writers: async () => others } } });
    return reports.splice(0);
  };
  const seen = (writer: string, silentMs: number, alive = true): WriterState => ({
    ...{ writer, alive, watermarkMs: START_MS - silentMs },
  });
  return { look, seen, own: journal.writer };
}

it('a process that runs without a heartbeat for a minute is reported, with the way to resume it', async () => {
  const { look, seen } = world();
  expect(await look(seen('a', 59_999))).toEqual([]);
  const [report] = await look(seen('a', 60_000));
  expect(report).toContain('process a runs but shows no sign of life since 2026-01-04T23:59:00.000Z');
  expect(report).toContain('kill -CONT');
});

it('a process that has ended, or is this one, is not reported', async () => {
  const { look, seen, own } = world();
  expect(await look(seen('a', 90_000, false), seen(own, 90_000))).toEqual([]);
});

it('each process is reported once until its next heartbeat', async () => {
  const { look, seen } = world();
  expect(await look(seen('a', 60_000))).toHaveLength(1);
  expect(await look(seen('a', 70_000), seen('b', 60_000))).toEqual([expect.stringContaining('process b')]);
  expect(await look(seen('a', 0), seen('b', 70_000))).toEqual([]);
  expect(await look(seen('a', 60_000), seen('b', 80_000))).toEqual([expect.stringContaining('process a')]);
});
