import { describe, expect, it } from 'vitest';
import type { Trial, UnitKind } from '../../src/contract/trial.js';
import { ENOUGH_BLOCKS, ENOUGH_FAILURES, ENOUGH_SESSIONS, ENOUGH_TASKS, patienceOf } from '../../src/verify/limits.js';
import { isGivenUp } from '../../src/verify/patience.js';

/** An attempt with a smaller alpha waits longer, so that products and quotients of the patience differ. */
const ALPHA = 0.05 / 6;
const PATIENCE = patienceOf(ALPHA);

interface Case {
  readonly unit?: UnitKind;
  readonly units?: number;
  readonly tasks?: number;
  readonly failures?: number;
  readonly excused?: number;
  readonly ratio?: number;
  readonly aim?: number;
  readonly isTriggered?: boolean;
  readonly enough?: number;
}

function givenUp(one: Case): boolean {
  const { unit = 'task', units = 0, tasks = 0, failures = 0, excused = 0, ratio = 1, aim, isTriggered, enough } = one;
  const trial = {
    unit,
    alpha: ALPHA,
    ...(aim !== undefined && { aim }),
    ...(isTriggered && { trigger: { failedWith: ['timeout'] } }),
  } as unknown as Trial; // the other fields do not matter here
  const seen = { units: units + excused, tasks: tasks + excused, failures: failures + excused };
  return isGivenUp(trial, { seen, excused: { units: excused, tasks: excused, failures: excused }, ratio, enough });
}

/** Returns the smallest whole number from which `isTrue` holds. */
function least(isTrue: (value: number) => boolean): number {
  let value = 1;
  while (!isTrue(value)) value++;
  return value;
}

const MANY = 1e9;

it('waits longer for an attempt that needs more evidence', () => {
  expect(PATIENCE).toBeGreaterThan(1.2);
});

describe('a trial of single tasks is given up', () => {
  it('after the units that its bet on the smallest gain names, however promising it looks', () => {
    for (const excused of [0, 700]) {
      const units = least((value) => givenUp({ units: value, excused, enough: 1_234, ratio: 0.5 }));
      expect(units).toBe(1_234);
    }
  });
});

describe('a trial of an earlier version is given up', () => {
  it('after enough failures and enough tasks, both counted since a person extended it', () => {
    for (const excused of [0, 1_000]) {
      const failures = least((value) => givenUp({ failures: value, tasks: MANY, excused }));
      expect(failures).toBe(Math.ceil(ENOUGH_FAILURES * PATIENCE));
      const tasks = least((value) => givenUp({ failures: MANY, tasks: value, excused }));
      expect(tasks).toBe(Math.ceil(ENOUGH_TASKS * PATIENCE));
    }
  });

  it('after enough failures alone if only tasks that meet a trigger count', () => {
    expect(least((failures) => givenUp({ failures, isTriggered: true }))).toBe(Math.ceil(ENOUGH_FAILURES * PATIENCE));
  });

  it('sixteen times later while it seems to avoid 12 % of the failures it targets', () => {
    const failuresAt = (ratio: number, aim: number) =>
      least((failures) => givenUp({ failures, tasks: MANY, ratio, aim }));
    expect(failuresAt(0.88, 1)).toBe(Math.ceil(16 * ENOUGH_FAILURES * PATIENCE));
    expect(failuresAt(0.881, 1)).toBe(Math.ceil(ENOUGH_FAILURES * PATIENCE));
    // A fix that targets half of the failures has to avoid half as many.
    expect(failuresAt(0.94, 0.5)).toBe(Math.ceil(16 * ENOUGH_FAILURES * PATIENCE));
    expect(failuresAt(0.941, 0.5)).toBe(Math.ceil(1.5 * ENOUGH_FAILURES * PATIENCE));
  });

  it('later if it targets a small part, at most four times', () => {
    const failuresAt = (aim: number) => least((failures) => givenUp({ failures, tasks: MANY, aim }));
    expect(failuresAt(0.9)).toBe(Math.ceil(ENOUGH_FAILURES * PATIENCE));
    expect(failuresAt(0.25)).toBe(Math.ceil(3 * ENOUGH_FAILURES * PATIENCE));
    expect(failuresAt(0.01)).toBe(Math.ceil(4 * ENOUGH_FAILURES * PATIENCE));
  });
});

describe('a trial of sessions is given up', () => {
  it('after enough sessions, however many tasks failed in them, three times later while it looks promising', () => {
    const sessionsAt = (more: Case) => least((units) => givenUp({ unit: 'session', units, ...more }));
    expect(sessionsAt({})).toBe(Math.ceil(ENOUGH_SESSIONS * PATIENCE));
    expect(sessionsAt({ failures: MANY, tasks: MANY, excused: 100 })).toBe(Math.ceil(ENOUGH_SESSIONS * PATIENCE));
    expect(sessionsAt({ ratio: 0.5 })).toBe(Math.ceil(3 * ENOUGH_SESSIONS * PATIENCE));
    // A small target changes nothing for sessions.
    expect(sessionsAt({ aim: 0.1 })).toBe(Math.ceil(ENOUGH_SESSIONS * PATIENCE));
  });
});

describe('a trial of blocks is given up', () => {
  it('after enough blocks, enough failures and enough tasks', () => {
    const blocksAt = (more: Case) => least((units) => givenUp({ unit: 'block', units, ...more }));
    const enough = { failures: MANY, tasks: MANY };
    expect(blocksAt(enough)).toBe(Math.ceil(ENOUGH_BLOCKS * PATIENCE));
    expect(blocksAt({ ...enough, ratio: 0.5 })).toBe(Math.ceil(3 * ENOUGH_BLOCKS * PATIENCE));
    expect(blocksAt({ ...enough, aim: 0.1 })).toBe(Math.ceil(ENOUGH_BLOCKS * PATIENCE));
    expect(givenUp({ unit: 'block', units: MANY, tasks: MANY, failures: 1 })).toBe(false);
    expect(givenUp({ unit: 'block', units: MANY, tasks: 1, failures: MANY })).toBe(false);
  });
});
