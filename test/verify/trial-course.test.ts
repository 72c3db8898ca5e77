import type { TrialPoint } from 'rsi-loop/kit';
import { describe, expect, it } from 'vitest';
import { TrialCourse } from '../../src/verify/trial-course.js';

const pointAt = (atMs: number): TrialPoint => ({
  atMs,
  fix: { tasks: atMs, failures: 1 },
  control: { tasks: atMs, failures: 2 },
  eHelp: 1 / 3,
  eHarm: Number.POSITIVE_INFINITY,
  eNone: 12_345.678,
});

describe('the course of a trial', () => {
  it.each([1, 239, 240, 241, 480, 481, 5_000, 100_000])('keeps %i changes in at most 240 even points', (changes) => {
    const course = new TrialCourse();
    for (let atMs = 1; atMs <= changes; atMs++) course.add(pointAt(atMs));
    const times = course.points.map(({ atMs }) => atMs);
    expect(times.length).toBeLessThanOrEqual(240);
    expect(times.length).toBeGreaterThanOrEqual(Math.min(changes, 120));
    expect(times.at(-1)).toBe(changes);
    const gaps = times.slice(1, -1).map((atMs, index) => atMs - (times[index] ?? 0));
    expect(new Set(gaps).size).toBeLessThanOrEqual(1);
  });

  it('goes on after a snapshot as without one', () => {
    const [whole, first] = [new TrialCourse(), new TrialCourse()];
    for (let atMs = 1; atMs <= 777; atMs++) for (const course of [whole, first]) course.add(pointAt(atMs));
    const second = new TrialCourse(JSON.parse(JSON.stringify(first.snapshot())));
    for (let atMs = 778; atMs <= 1_500; atMs++) for (const course of [whole, second]) course.add(pointAt(atMs));
    expect(second.snapshot()).toEqual(whole.snapshot());
    expect(second.points).toEqual(whole.points);
  });

  it('keeps e-values that JSON can hold, with 4 digits', () => {
    const course = new TrialCourse();
    course.add(pointAt(1));
    expect(course.points).toEqual([{ ...pointAt(1), eHelp: 0.3333, eHarm: 1e300, eNone: 12_350 }]);
  });
});
