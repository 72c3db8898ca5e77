import { describe, expect, it } from 'vitest';
import { countLives, personalWorld, world } from './worlds.js';

describe('studies of 20 lines on simulated sessions', () => {
  it('calls at most 5 % of useless lines helpful or harmful', () => {
    const single = countLives(world('useless', 0, 0), 6, { sessions: 400 });
    const drifting = countLives(world('useless', 0, 0, { base: 0.4, drift: -2 }), 6, { sessions: 400 });
    const turns = countLives(world('useless', 0, 0, { tasks: 4, spread: 1.2 }), 6, { sessions: 400 });
    for (const { falseCalls } of [single, drifting, turns]) expect(falseCalls).toBeLessThanOrEqual(0.05);
  });

  it('finds lines that halve or double the odds in 300 sessions of four turns, and ends the exposure to harm', () => {
    const row = countLives(world('mixed', 4, 4, { tasks: 4, spread: 0.7 }), 6, { sessions: 400 });
    expect(row.median).toBeLessThanOrEqual(300);
    expect(row.falseCalls).toBeLessThanOrEqual(0.05);
    expect(row.wrongDirection).toBe(0);
    expect(row.exposedAfter).toBe(0);
  });

  it('finds fewer lines where a smaller part of the sessions goes without them', () => {
    const life = world('mixed', 4, 4, { tasks: 4, spread: 0.7 });
    expect(countLives(life, 3, { sessions: 300, share: 0.1 }).found).toBeLessThan(
      countLives(life, 3, { sessions: 300 }).found,
    );
  });

  it('names one of 30 lines of a person in 100 sessions, at the error rate that was asked for', () => {
    const row = countLives(personalWorld(30, 1, 0.6), 12, { sessions: 250, errorRate: 0.1 });
    expect(row.median).toBeLessThanOrEqual(100);
    expect(row.falseCalls).toBeLessThanOrEqual(0.1);
    expect(row.uselessSeen).toBeGreaterThan(0.5);
    expect(row.helpfulCalledUseless).toBeLessThanOrEqual(0.1);
  });
});
