import { describe, expect, it } from 'vitest';
import type { OutcomeId } from '../../src/contract/ids.js';
import type { Outcome } from '../../src/contract/outcome.js';
import { HealthMeter } from '../../src/verify/health.js';

const T0 = 1_700_000_000_000;
const HOUR_MS = 3_600_000;

function outcome(success: boolean, parts: Partial<Outcome> = {}): Outcome {
  return { id: 'x' as OutcomeId, task: 'ask', success, atMs: T0, source: 'generic', issues: [], ...parts };
}

function meterOf(...outcomes: Outcome[]): HealthMeter {
  const meter = new HealthMeter();
  for (const one of outcomes) meter.add(one);
  return meter;
}

describe('HealthMeter', () => {
  it('is exactly 1 when all succeeded, exactly 0 when all failed, and 1 but not known without outcomes', () => {
    const times = Array.from({ length: 1000 }, (_, index) => T0 + index * 77_777);
    const all = (success: boolean) => meterOf(...times.map((atMs) => outcome(success, { atMs }))).health(T0 + 1e9);
    expect(all(true)).toMatchObject({ score: 1, high: 1, known: true });
    expect(all(false)).toMatchObject({ score: 0, low: 0, known: true });
    expect(new HealthMeter().health(T0)).toMatchObject({ score: 1, known: false });
  });

  it('lets an outcome count half after its half-life', () => {
    const { score } = meterOf(outcome(false), outcome(true, { atMs: T0 + 24 * HOUR_MS })).health(T0 + 24 * HOUR_MS);
    expect(score).toBeCloseTo(2 / 3, 12);
  });

  it('is the same whatever order outcomes come in', () => {
    const ends = Array.from({ length: 50 }, (_, index) => outcome(index % 3 > 0, { atMs: T0 + index * HOUR_MS }));
    const forward = meterOf(...ends).health(T0 + 60 * HOUR_MS);
    const backward = meterOf(...ends.reverse()).health(T0 + 60 * HOUR_MS);
    expect(backward.score).toBeCloseTo(forward.score, 12);
  });

  it('counts quality where it was judged', () => {
    expect(meterOf(outcome(true, { quality: 3 })).health(T0).score).toBe(0.5);
    expect(meterOf(outcome(true, { quality: 1 }), outcome(true)).health(T0).score).toBe(0.5);
  });

  it('leaves out children, cancelled tasks, and counts sampled outcomes for those they stand for', () => {
    const meter = meterOf(
      outcome(false, { parent: 'p' }),
      outcome(false, { issues: ['cancelled'] }),
      outcome(true, { weight: 3 }),
      outcome(false),
    );
    expect(meter.health(T0).score).toBe(0.75);
  });

  it('grows less sure when nothing comes in', () => {
    const times = Array.from({ length: 100 }, (_, hour) => T0 + (hour - 99) * HOUR_MS);
    const meter = meterOf(...times.map((atMs) => outcome(true, { atMs })));
    const [fresh, stale] = [meter.health(T0), meter.health(T0 + 240 * HOUR_MS)];
    expect(stale.score).toBe(1);
    expect(stale.low).toBeLessThan(fresh.low - 0.5);
  });

  it('has no interval on the first day, and a wider one where failures came in one stretch', () => {
    const healthAfter = (hours: number, fails: (hour: number) => boolean) => {
      const ends = Array.from({ length: hours * 10 }, (_, index) => T0 + index * (HOUR_MS / 10));
      return meterOf(...ends.map((atMs, index) => outcome(!fails(index), { atMs }))).health(T0 + hours * HOUR_MS);
    };
    expect(healthAfter(24, (index) => index % 10 === 0)).toMatchObject({ low: 0, high: 1, known: true });
    const steady = healthAfter(96, (index) => index % 10 === 0);
    const stretch = healthAfter(96, (index) => index >= 700 && index < 800);
    expect(stretch.high - stretch.low).toBeGreaterThan(2 * (steady.high - steady.low));
  });

  it('is broken down by task, model and source, for a bounded number of names, strange ones among them', () => {
    const meter = meterOf(outcome(false, { task: '__proto__', model: 'bad', source: 'hook' }), outcome(true));
    for (let index = 0; index < 5000; index++) meter.add(outcome(true, { task: `task-${index}` }));
    const health = meter.health(T0);
    expect(Object.hasOwn(health.byTask, '__proto__')).toBe(true);
    expect(health.byModel.bad?.score).toBe(0);
    expect(health.bySource.hook?.score).toBe(0);
    expect(Object.keys(health.byTask).length).toBeLessThanOrEqual(200);
  });

  it('makes room for new names when old ones have faded', () => {
    const meter = new HealthMeter();
    for (let index = 0; index < 200; index++) meter.add(outcome(true, { task: `old-${index}` }));
    meter.add(outcome(true, { task: 'new', atMs: T0 + 300 * HOUR_MS }));
    expect(meter.health(T0 + 300 * HOUR_MS).byTask.new?.known).toBe(true);
  });

  it('keeps a bounded history that takes late outcomes, too', () => {
    const meter = new HealthMeter({ maxPoints: 48 });
    for (let hour = 0; hour < 100; hour++) meter.add(outcome(hour >= 50, { atMs: T0 + hour * HOUR_MS }));
    meter.add(outcome(false, { atMs: T0 + 98 * HOUR_MS }));
    const series = meter.series();
    expect(series).toHaveLength(48);
    expect(series.at(-2)).toMatchObject({ outcomes: 2, rate: 0.5 });
    expect(series.map(({ atMs }) => atMs)).toEqual(series.map(({ atMs }) => atMs).sort((a, b) => a - b));
  });

  it('goes on from a snapshot as if nothing had happened', () => {
    const ends = Array.from({ length: 60 }, (_, index) => outcome(index % 4 > 0, { atMs: T0 + index * HOUR_MS }));
    const straight = meterOf(...ends);
    const first = meterOf(...ends.slice(0, 30));
    const second = HealthMeter.restore(JSON.parse(JSON.stringify(first.snapshot())));
    for (const one of ends.slice(30)) second.add(one);
    expect(second.snapshot()).toEqual(straight.snapshot());
  });
});
