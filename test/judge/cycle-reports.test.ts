import { MemoryStore } from 'rsi-loop';
import { ManualClock } from 'rsi-loop/testing';
import { describe, expect, it } from 'vitest';
import type { Health } from '../../src/contract/health.js';
import type { LoopEvent } from '../../src/contract/loop-event.js';
import { CycleReports } from '../../src/judge/cycle-reports.js';
import { readFailedCycles } from '../../src/lib/failed-cycles.js';
import type { Live } from '../../src/live/live.js';
import { UNKNOWN_HEALTH } from '../../src/live/loop-state.js';
import { somePattern } from '../fix/fixtures.js';

function world(healthThreshold?: number) {
  const events: LoopEvent[] = [];
  const problems: string[] = [];
  const clock = new ManualClock(1_000);
  const store = new MemoryStore({ clock });
  const components = {
    ...{ store, events: { emit: (event: LoopEvent) => events.push(event) } },
    clock,
  };
  const report = (where: string, error: unknown, advice = '') =>
    problems.push(`${where}: ${(error as Error).message}; ${advice}`);
  const reports = new CycleReports({ components, report } as unknown as Live, healthThreshold);
  return { reports, events, problems, store, clock, note: () => readFailedCycles(store.snapshots) };
}

describe('a pattern', () => {
  const found = (events: LoopEvent[]) => events.splice(0).map((event) => 'pattern' in event && event.pattern.id);
  const [a, b] = [somePattern({ id: 'a' }), somePattern({ id: 'b' })];

  it('is announced when it begins to recur, and again if it recurs after a pause', () => {
    const { reports, events } = world();
    reports.patterns([a, somePattern({ id: 'b', recurring: false })]);
    expect(found(events)).toEqual(['a']);
    reports.patterns([a, b]);
    expect(found(events)).toEqual(['b']);
    reports.patterns([b]);
    expect(found(events)).toEqual([]);
    reports.patterns([a, b]);
    expect(found(events)).toEqual(['a']);
  });

  it('is announced again after the loop forgot what it knew', () => {
    const { reports, events } = world();
    reports.patterns([a]);
    reports.forgetPatterns();
    reports.patterns([a]);
    expect(found(events)).toEqual(['a', 'a']);
  });
});

describe('low health', () => {
  const healthOf = (score: number, known = true): Health => ({ ...UNKNOWN_HEALTH, score, known });

  it('is announced below the threshold of the host', () => {
    const { reports, events } = world(0.5);
    reports.health(healthOf(0.5));
    reports.health(healthOf(0.2, false));
    expect(events).toEqual([]);
    reports.health(healthOf(0.49));
    expect(events).toEqual([{ kind: 'health-below', health: healthOf(0.49), threshold: 0.5 }]);
  });

  it('is not announced if the host gave no threshold', () => {
    const { reports, events } = world();
    reports.health(healthOf(0));
    expect(events).toEqual([]);
  });
});

describe('a cycle that was cut short', () => {
  const SECRET = `sk-ant-api03-${'x1'.repeat(46)}AAA`;

  it('is noted for rsi doctor, without secrets, until a cycle completes', async () => {
    const { reports, problems, note } = world();
    await reports.failed(new Error(`disk full at ${SECRET}`));
    expect(problems.join()).toContain('this cycle was cut short, the next one continues from there');
    const noted = await note();
    expect(noted).toMatchObject({ count: 1, sinceMs: 1_000, why: expect.stringContaining('disk full') });
    expect(noted?.why).not.toContain(SECRET);
    await reports.finished(false);
    expect(await note()).toMatchObject({ count: 0 });
  });

  it('is still reported if the note cannot be saved', async () => {
    const { reports, problems, store } = world();
    store.snapshots.save = () => Promise.reject(new Error('read-only'));
    await reports.failed(new Error('disk full'));
    expect(problems).toEqual([
      'cycle: disk full; this cycle was cut short, the next one continues from there',
      'store: read-only; rsi doctor does not know whether cycles fail',
    ]);
  });

  it('of an earlier leader is noted as over by the process that leads, not by one that follows', async () => {
    const { reports, store, note } = world();
    await store.snapshots.save('failed-cycles', { writer: 'w', count: 3, sinceMs: 1, lastMs: 2, why: 'full' }, 0);
    await reports.finished(false);
    expect(await note()).toMatchObject({ count: 3 });
    await reports.finished(true);
    expect(await note()).toMatchObject({ count: 0 });
  });
});
