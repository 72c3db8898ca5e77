import { describe, expect, it } from 'vitest';
import type { Trial } from '../../src/contract/trial.js';
import { levelOf, levelShare } from '../../src/verify/assign.js';
import { UNIT_RHOS } from '../../src/verify/effect-bets.js';
import { Ramp } from '../../src/verify/ramp.js';
import type { Unit } from '../../src/verify/unit.js';
import { T0, trialOf } from './harness.js';

/** Blocks until the ramp ends, and how, where each block of 20 tasks fails as told by the share of its level. */
function rampOf(seed: number, failures: (isHigh: boolean) => number) {
  const trial: Trial = { ...trialOf({ unit: 'block', seed }), phase: 'ramp', phaseSinceMs: T0, share: 0.9 };
  const ramp = new Ramp(trial, UNIT_RHOS);
  for (let block = 0; ; block++) {
    const share = levelShare(trial, levelOf(trial, block) ?? 0);
    const unit: Unit = { key: String(block), arm: 'fix', share, mixed: false, tasks: [], reported: false };
    const found = ramp.take(unit, { arm: 'fix', share, tasks: 20, failures: failures(share > 0.5) });
    if (found) return { found, blocks: block };
  }
}

const seeds = Array.from({ length: 20 }, (_, seed) => seed);

describe('Ramp', () => {
  it('ends as soon as interference can no longer be shown, long before its last level', () => {
    const ends = seeds.map((seed) => rampOf(seed, (isHigh) => (isHigh ? 1 : 4)));
    expect(ends.every(({ found }) => found === 'none')).toBe(true);
    expect(Math.max(...ends.map(({ blocks }) => blocks))).toBeLessThan(36);
    expect(Math.min(...ends.map(({ blocks }) => blocks))).toBeGreaterThanOrEqual(12);
  });

  it('finds what rises with the share', () => {
    const ends = seeds.map((seed) => rampOf(seed, (isHigh) => (isHigh ? 12 : 4)));
    expect(ends.filter(({ found }) => found === 'interference').length).toBeGreaterThan(15);
  });
});
