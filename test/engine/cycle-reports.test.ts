import { LoopError, MemoryStore } from 'rsi-loop';
import { ManualClock } from 'rsi-loop/testing';
import { describe, expect, it } from 'vitest';
import type { Health } from '../../src/contract/health.js';
import type { LedgerEntry } from '../../src/contract/ledger-entry.js';
import type { LoopEvent } from '../../src/contract/loop-event.js';
import type { Components } from '../../src/engine/components.js';
import { CycleReports } from '../../src/engine/cycle-reports.js';
import { UNKNOWN_HEALTH } from '../../src/engine/loop-state.js';
import { readFailedCycles } from '../../src/lib/failed-cycles.js';
import { somePattern } from '../fix/fixtures.js';

function world(healthThreshold?: number) {
  const events: LoopEvent[] = [];
  const problems: string[] = [];
  const clock = new ManualClock(1_000);
  const store = new MemoryStore({ clock });
  const components = {
    ...{ store, events: { emit: (event: LoopEvent) => events.push(event) } },
    report: ({ where, message }: { where: string; message: string }) => problems.push(`${where}: ${message}`),
  } as unknown as Components; // the parts that reports use
  const reports = new CycleReports(() => components, clock, healthThreshold);
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

describe('a problem', () => {
  it('is reported with the advice, if there is any', () => {
    const { reports, problems } = world();
    reports.report('store', new Error('disk full'), 'free some space');
    reports.report('store', new Error('disk full'));
    expect(problems).toEqual(['store: disk full; free some space', 'store: disk full']);
  });

  it('of a dropped step is reported once, among the newest thousand', () => {
    const { reports, problems } = world();
    const entry = {} as LedgerEntry; // not read here
    const drop = (message: string) => reports.dropped({ entry, why: new LoopError('illegal-step', message) });
    drop('first');
    drop('first');
    expect(problems).toEqual(['ledger: first; this step was dropped, the others go on']);
    for (let index = 1; index < 1_000; index++) drop(`step ${index}`);
    drop('first');
    expect(problems).toHaveLength(1_000);
    drop('one more');
    drop('first');
    expect(problems.slice(-2).map((message) => message.split(';')[0])).toEqual(['ledger: one more', 'ledger: first']);
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
