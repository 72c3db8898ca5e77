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
    const second = new HealthMeter({}, JSON.parse(JSON.stringify(first.snapshot())));
    for (const one of ends.slice(30)) second.add(one);
    expect(second.snapshot()).toEqual(straight.snapshot());
  });
});

describe('what counts in health', () => {
  it('is quality from useless to perfect, and only if it is a number', () => {
    const score = (parts: Partial<Outcome>) => meterOf(outcome(true, parts)).health(T0).score;
    expect([0, 1, 2, 5, 9].map((quality) => score({ quality }))).toEqual([0, 0, 0.25, 1, 1]);
    expect(score({ quality: Number.NaN })).toBe(1);
    expect(meterOf(outcome(false, { quality: 5 })).health(T0).score).toBe(0);
  });

  it('is no outcome of an impossible time or weight', () => {
    const odd = [
      ...[{ atMs: Number.NaN }, { atMs: Number.POSITIVE_INFINITY }, { weight: 0 }, { weight: -1 }],
      ...[{ weight: Number.POSITIVE_INFINITY }, { weight: Number.NaN }],
    ];
    expect(meterOf(...odd.map((parts) => outcome(false, parts))).health(T0).known).toBe(false);
  });

  it('is an outcome of the future as one of now', () => {
    const meter = new HealthMeter();
    meter.add(outcome(false, { atMs: T0 + 48 * HOUR_MS }), T0);
    meter.add(outcome(true), T0);
    expect(meter.health(T0).score).toBe(0.5);
    // A clock that was corrected afterwards does not make what comes next look old.
    const corrected = meterOf(outcome(false, { atMs: T0 + 48 * HOUR_MS }));
    corrected.add(outcome(true), T0);
    expect(corrected.health(T0).score).toBe(0.5);
  });

  it('is every attempt for the model that made it, and the task itself for the last one', () => {
    const attempts = [
      { durationMs: 1, delayMs: 0, success: false, model: 'a' },
      { durationMs: 1, delayMs: 0, success: true, model: 'b' },
    ];
    const { byModel } = meterOf(outcome(true, { attempts, quality: 3, weight: 2 })).health(T0);
    expect(byModel.a?.score).toBe(0);
    expect(byModel.b?.score).toBe(0.5);
    expect(meterOf(outcome(true)).health(T0).byModel).toEqual({});
    expect(meterOf(outcome(true, { attempts: [], model: 'c' })).health(T0).byModel.c?.score).toBe(1);
  });

  it('fades with the half-life that the user sets, and with a day if the setting is not a time', () => {
    const score = (halfLifeMs: number) => {
      const meter = new HealthMeter({ halfLifeMs });
      meter.add(outcome(false));
      meter.add(outcome(true, { atMs: T0 + 24 * HOUR_MS }));
      return meter.health(T0 + 24 * HOUR_MS).score;
    };
    expect(score(12 * HOUR_MS)).toBeCloseTo(4 / 5, 12);
    for (const odd of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) expect(score(odd)).toBeCloseTo(2 / 3, 12);
  });
});

describe('the history of health', () => {
  it('has one point an hour, with the tasks of the hour and the score after it', () => {
    const meter = meterOf(
      outcome(true, { atMs: 10 * HOUR_MS }),
      outcome(false, { atMs: 11 * HOUR_MS - 1, weight: 3 }),
      outcome(true, { atMs: 12 * HOUR_MS }),
    );
    const series = meter.series();
    expect(series.map(({ atMs, outcomes, rate }) => ({ hour: atMs / HOUR_MS, outcomes, rate }))).toEqual([
      { hour: 10, outcomes: 4, rate: 0.25 },
      { hour: 12, outcomes: 1, rate: 1 },
    ]);
    expect(series[0]?.score).toBeCloseTo(0.25, 1);
    expect(series[1]?.score).toBe(meter.health(12 * HOUR_MS).score);
  });

  it('takes a late outcome into its hour and leaves the score of that hour as it was', () => {
    const meter = meterOf(
      outcome(true, { atMs: 10 * HOUR_MS }),
      outcome(true, { atMs: 12 * HOUR_MS }),
      outcome(false, { atMs: 10 * HOUR_MS + 5 }),
      outcome(false, { atMs: 11 * HOUR_MS }),
    );
    expect(meter.series().map(({ atMs, rate }) => [atMs / HOUR_MS, rate])).toEqual([
      ...[[10, 0.5] as const, [11, 0] as const, [12, 1] as const],
    ]);
    expect(meter.series()[0]?.score).toBe(1);
  });

  it('keeps the newest points, and drops an outcome from before them', () => {
    const meter = new HealthMeter({ maxPoints: 2, pointMs: 1_000 });
    for (const atMs of [1_000, 2_000, 3_000, 500]) meter.add(outcome(true, { atMs }));
    expect(meter.series().map(({ atMs }) => atMs)).toEqual([2_000, 3_000]);
    meter.add(outcome(true, { atMs: 2_500 }));
    expect(meter.series()[0]?.outcomes).toBe(2);
  });
});

describe('names that health is broken down by', () => {
  it('are 200, and a scan for faded ones comes at most once in 500 new names', () => {
    const meter = new HealthMeter();
    for (let index = 0; index < 200; index++) meter.add(outcome(true, { task: `old-${index}` }));
    meter.add(outcome(true, { task: 'first' }));
    const lateMs = T0 + 300 * HOUR_MS;
    for (let index = 0; index < 499; index++) meter.add(outcome(true, { task: `new-${index}`, atMs: lateMs }));
    expect(meter.health(lateMs).byTask).not.toHaveProperty('new-498');
    meter.add(outcome(true, { task: 'new-499', atMs: lateMs }));
    expect(Object.keys(meter.health(lateMs).byTask)).toEqual(['new-499']);
  });
});
