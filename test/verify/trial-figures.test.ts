import { describe, expect, it } from 'vitest';
import type { Arm } from '../../src/contract/start.js';
import { seededRandom } from '../../src/lib/random.js';
import { T0, trialOf } from './harness.js';
import { evenly, HOUR_MS, inHoldout, trialWith } from './lab.js';

describe('the guards', () => {
  const slow = (arm: Arm, share: number) => ({ arm, share, end: { durationMs: arm === 'fix' ? 900 : 100 } });

  it('fail a fix during its trial, and raise an alarm after it', () => {
    const during = trialWith(trialOf());
    during.addMany(300, (index) => slow(evenly(index), 0.5));
    expect(during.advance()).toMatchObject({ kind: 'failed', why: 'guard', guard: 'duration' });
    const after = trialWith(inHoldout({ share: 0.5 }));
    after.addMany(900, (index) => slow(evenly(index), 0.5));
    expect(after.advance()).toMatchObject({ kind: 'alarm', why: 'guard', guard: 'duration' });
  });

  it('count a task that never ended as failed', () => {
    const lab = trialWith(trialOf());
    const eHarm = () => lab.running.figures().guards.find(({ guard }) => guard === 'duration')?.eHarm ?? 0;
    lab.addMany(60, (index) => ({ arm: evenly(index), end: { durationMs: 100 } }));
    lab.advance();
    const before = eHarm();
    lab.addMany(4, () => ({ arm: 'fix', end: 'never' }));
    lab.advance(lab.nowMs + 2 * HOUR_MS);
    expect(eHarm()).toBeGreaterThan(before);
  });

  it('find what becomes slow long after the confirmation', () => {
    const lab = trialWith(inHoldout({ share: 0.5 }));
    const random = seededRandom(6);
    lab.addMany(1_500, (index) => ({
      arm: evenly(index),
      end: { durationMs: 100 * (0.5 + random()) * (evenly(index) === 'fix' ? (index < 1_200 ? 0.5 : 4) : 1) },
    }));
    expect(lab.advance()).toMatchObject({ kind: 'alarm', why: 'guard', guard: 'duration' });
  });

  it('show what a task takes and costs more with the fix, from tasks with a value', () => {
    const lab = trialWith(trialOf());
    lab.add({ arm: 'fix', end: { durationMs: 300, costUsd: 0.4 } });
    lab.add({ arm: 'fix', end: { durationMs: 100 } });
    lab.add({ arm: 'fix', end: {} });
    lab.advance();
    for (const name of ['extraMs', 'extraUsd']) expect(lab.running.figures()).not.toHaveProperty(name);
    const other = trialWith(trialOf());
    other.add({ arm: 'control', end: { durationMs: 50, costUsd: 0.1 } });
    other.advance();
    for (const name of ['extraMs', 'extraUsd']) expect(other.running.figures()).not.toHaveProperty(name);
    lab.add({ arm: 'fix', end: { costUsd: 0.2 } });
    lab.add({ arm: 'control', end: { durationMs: 50, costUsd: 0.1 } });
    lab.add({ arm: 'control', end: { durationMs: 70, costUsd: 0.3 } });
    lab.add({ arm: 'control', end: 'never' });
    lab.advance(lab.nowMs + 2 * HOUR_MS);
    expect(lab.running.figures().extraMs).toBe(140);
    expect(lab.running.figures().extraUsd).toBeCloseTo(0.1, 12);
  });
});

describe('the counters of a rule', () => {
  it('count failed tasks saved and added, up to the last end of a session', () => {
    const lab = trialWith(trialOf({ unit: 'session' }));
    lab.addMany(24, (index) => ({ arm: 'control', unit: 'c', failed: index % 2 === 0 }));
    lab.addMany(10, (index) => ({ arm: 'fix', unit: 'good', failed: index === 0 }));
    lab.advance();
    const endedMs = lab.nowMs - 500;
    const { counters } = lab.running.figures();
    expect(counters).toEqual({ helpful: 4, harmful: 0, atMs: endedMs });
    lab.add({ arm: 'fix', unit: 'lost', end: 'never' });
    lab.advance(T0 + 26 * HOUR_MS);
    const after = lab.running.figures().counters;
    expect(after?.harmful).toBe(0.5);
    expect(after?.atMs).toBe(endedMs + 500 + HOUR_MS);
  });
});

describe('a trial of sessions', () => {
  it('counts each model without a guard, as the bet is on whole sessions', () => {
    const lab = trialWith(trialOf({ unit: 'session' }));
    for (const [index, model] of ['a', 'b', 'a', 'b', 'b'].entries()) {
      lab.add({ arm: evenly(index), unit: `s${index}`, failed: index === 1, scope: { task: 'ask', model } });
    }
    lab.advance(T0 + 26 * HOUR_MS);
    expect(lab.running.figures().kinds).toEqual([
      { scope: { model: 'a' }, fix: { units: 2, tasks: 2, failures: 0 }, control: { units: 0, tasks: 0, failures: 0 } },
      { scope: { model: 'b' }, fix: { units: 1, tasks: 1, failures: 0 }, control: { units: 2, tasks: 2, failures: 1 } },
    ]);
  });
});

describe('a trial of tasks that meet a trigger', () => {
  it('bets on those alone, and shows how all of them went', () => {
    const lab = trialWith({ ...trialOf(), trigger: { failedWith: ['network'] } });
    lab.add({ arm: 'fix', end: { firstIssue: 'network' } });
    lab.add({ arm: 'fix', failed: true, end: { firstIssue: 'timeout' } });
    lab.add({ arm: 'control', failed: true });
    lab.add({ arm: 'control', end: {} });
    lab.advance();
    expect(lab.running.figures()).toMatchObject({
      fix: { units: 1, tasks: 1, failures: 0 },
      control: { units: 0 },
      inScope: { fix: { units: 2, tasks: 2, failures: 1 }, control: { units: 2, tasks: 2, failures: 1 } },
    });
  });
});
