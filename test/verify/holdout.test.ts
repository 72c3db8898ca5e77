import { describe, expect, it } from 'vitest';
import type { Arm } from '../../src/contract/start.js';
import { seededRandom } from '../../src/lib/random.js';
import { T0, trialOf } from './harness.js';
import { evenly, HOLDOUT, HOUR_MS, inHoldout, trialWith } from './lab.js';

describe('the monitor of a confirmed fix', () => {
  it('takes the failure rate from control alone, during the trial too', () => {
    const evidence = (inTrial: readonly Arm[]) => {
      const lab = trialWith(trialOf());
      for (const arm of inTrial) lab.add({ arm, failed: true });
      lab.advance();
      lab.running.follow({ ...lab.running.trial, phase: 'holdout', share: 0.9, phaseSinceMs: lab.nowMs });
      lab.add({ arm: 'control', share: 0.9 });
      lab.advance();
      return lab.running.figures().eAlarm ?? 0;
    };
    expect(evidence(['fix', 'fix', 'fix'])).toBe(evidence([]));
    expect(evidence(['control', 'control', 'control'])).toBeGreaterThan(evidence([]));
  });

  it('shows results since the confirmation once both arms have some', () => {
    const lab = trialWith(inHoldout());
    lab.addMany(2, () => ({ arm: 'fix', share: 0.9, failed: true }));
    lab.advance();
    expect(lab.running.figures()).not.toHaveProperty('afterwards');
    lab.add({ arm: 'control', share: 0.9, failed: true });
    lab.advance();
    expect(lab.running.figures().afterwards).toMatchObject({
      fix: { units: 2, tasks: 2, failures: 2 },
      control: { units: 1, tasks: 1, failures: 1 },
    });
    const other = trialWith(inHoldout());
    other.add({ arm: 'control', share: 0.9 });
    other.advance();
    expect(other.running.figures()).not.toHaveProperty('afterwards');
  });

  it('is sure after 60 failed tasks, and not after one session of as many', () => {
    const tasks = trialWith(inHoldout({ share: 0.5 }));
    tasks.addMany(120, (index) => ({ arm: evenly(index), failed: evenly(index) === 'control' }));
    tasks.advance();
    expect(tasks.running.figures().afterwards?.effect.high).toBeLessThan(1);
    const sessions = trialWith({ ...trialOf({ unit: 'session' }), phase: 'holdout' });
    sessions.addMany(60, () => ({ arm: 'fix', unit: 'one' }));
    sessions.addMany(60, () => ({ arm: 'control', unit: 'other', failed: true }));
    sessions.advance(T0 + 25 * HOUR_MS);
    expect(sessions.running.figures().afterwards?.control.failures).toBe(60);
    expect(sessions.running.figures().afterwards?.effect.high).toBeGreaterThan(1);
  });
});

describe('the holdout of a confirmed fix', () => {
  const pass = () => ({ arm: 'fix', share: 0.9 }) as const;

  it('shrinks after 1,000 tasks and not before', () => {
    const lab = trialWith(inHoldout());
    lab.addMany(999, pass);
    expect(lab.advance()).toBeUndefined();
    lab.add(pass());
    const atMs = lab.nowMs;
    expect(lab.advance()).toEqual({ kind: 'smaller-holdout', atMs });
    expect(lab.running.nextTrial(HOLDOUT)).toMatchObject({ phase: 'holdout', share: 0.98, phaseSinceMs: atMs });
    lab.running.follow({ ...lab.running.trial, share: 0.98 });
    expect(lab.running.ruling).toBeUndefined();
    lab.addMany(300, (index) => ({ arm: 'fix', share: 0.98, failed: index % 20 === 0 }));
    expect(lab.advance()).toBeUndefined();
    // It still watches for bad stretches.
    lab.addMany(150, (index) => ({ arm: index % 10 === 0 ? 'control' : 'fix', share: 0.98, failed: true }));
    expect(lab.advance()?.kind).toBe('wake');
  });

  it('does not shrink below the share that a person asked for', () => {
    const lab = trialWith(inHoldout({ share: 0.8 }));
    lab.addMany(1_100, () => ({ arm: 'fix', share: 0.8 }));
    expect(lab.advance(lab.nowMs, 0.2)).toBeUndefined();
  });

  it('still raises the alarm while a smaller holdout waits for the ledger', () => {
    const lab = trialWith(inHoldout());
    lab.addMany(1_000, pass);
    expect(lab.advance()?.kind).toBe('smaller-holdout');
    lab.addMany(200, (index) => ({ arm: index % 10 === 0 ? 'control' : 'fix', share: 0.9, failed: index % 10 !== 0 }));
    expect(lab.advance()).toMatchObject({ kind: 'alarm', why: 'harm' });
    expect(lab.running.nextTrial(HOLDOUT)).toBeUndefined();
    // An alarm is final, at any next share.
    lab.running.follow({ ...lab.running.trial, share: 0.98 });
    expect(lab.running.ruling?.kind).toBe('alarm');
  });

  it('wakes at a bad stretch, and sleeps again after 600 tasks that show no harm', () => {
    const lab = trialWith(inHoldout());
    lab.addMany(300, (index) => ({ ...pass(), failed: index % 20 === 0 }));
    expect(lab.advance()).toBeUndefined();
    lab.addMany(150, (index) => ({ arm: index % 10 === 0 ? 'control' : 'fix', share: 0.9, failed: true }));
    expect(lab.advance()?.kind).toBe('wake');
    const woken = lab.running.nextTrial(HOLDOUT);
    expect(woken).toMatchObject({ phase: 'holdout', share: 0.5 });
    if (woken) lab.running.follow(woken);
    expect(lab.running.ruling).toBeUndefined();
    // Tasks that began at the old share tell nothing.
    lab.addMany(300, (index) => ({ arm: index % 10 === 0 ? 'control' : 'fix', share: 0.9 }));
    lab.addMany(599, (index) => ({ arm: evenly(index) }));
    expect(lab.advance()).toBeUndefined();
    lab.add({ arm: 'fix' });
    expect(lab.advance()?.kind).toBe('sleep');
    expect(lab.running.nextTrial(HOLDOUT)).toMatchObject({ share: 0.98 });
  });

  it('sleeps sooner if a fresh trial confirms the fix, and at the first share within its first 1,000 tasks', () => {
    const lab = trialWith(inHoldout());
    lab.running.follow({ ...lab.running.trial, share: 0.5 });
    const random = seededRandom(2);
    lab.addMany(80, () => {
      const arm = random() < 0.5 ? 'fix' : 'control';
      return { arm, failed: arm === 'control' };
    });
    expect(lab.advance()?.kind).toBe('sleep');
    expect(lab.running.nextTrial(HOLDOUT)).toMatchObject({ share: 0.9 });
  });

  it('is over when a fresh trial shows that the fix is of no use any more', () => {
    const lab = trialWith(inHoldout());
    lab.running.follow({ ...lab.running.trial, share: 0.5 });
    const random = seededRandom(3);
    lab.addMany(550, () => ({ arm: random() < 0.5 ? 'fix' : 'control', failed: random() < 0.7 }));
    expect(lab.advance()).toMatchObject({ kind: 'alarm', why: 'no-effect' });
  });
});
