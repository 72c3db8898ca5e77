import { describe, expect, it } from 'vitest';
import type { Trial } from '../../src/contract/trial.js';
import { Ruling } from '../../src/verify/ruling.js';

const RUNNING = { phase: 'running' } as Trial;
const HOLDOUT = { phase: 'holdout' } as Trial;
const more = { kind: 'more', atMs: 1 } as const;
const confirmed = { kind: 'confirmed', atMs: 2 } as const;
const alarm = { kind: 'alarm', why: 'harm', atMs: 3 } as const;

describe('the conclusion about a phase of a trial', () => {
  it('is the first one', () => {
    const ruling = new Ruling();
    ruling.conclude(confirmed, RUNNING);
    ruling.conclude({ kind: 'failed', why: 'harm', atMs: 3 }, RUNNING);
    expect([ruling.now, ruling.isFinal]).toEqual([confirmed, true]);
  });

  it('gives way to a verdict if it only changes the share', () => {
    const ruling = new Ruling(more);
    expect(ruling.isFinal).toBe(false);
    ruling.conclude({ kind: 'fewer', atMs: 2 }, RUNNING);
    expect(ruling.now).toBe(more);
    ruling.conclude(confirmed, RUNNING);
    expect(ruling.now).toBe(confirmed);
  });

  it('gives way to nothing but an alarm once the trial is no longer running', () => {
    const ruling = new Ruling(more);
    ruling.conclude(confirmed, HOLDOUT);
    expect(ruling.now).toBe(more);
    ruling.conclude(alarm, HOLDOUT);
    expect(ruling.now).toEqual(alarm);
  });

  it('ends with the phase, and a change of share with the new share', () => {
    const share = new Ruling(more);
    share.liftShare();
    expect(share.now).toBeUndefined();
    const verdict = new Ruling(confirmed);
    verdict.liftShare();
    expect(verdict.now).toBe(confirmed);
    verdict.lift();
    expect(verdict.now).toBeUndefined();
  });
});
