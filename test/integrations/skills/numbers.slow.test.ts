import { describe, expect, it } from 'vitest';
import { learnMany } from '../../campaigns/skills/learn-many.js';
import { scoreRetrieval } from '../../campaigns/skills/retrieval.js';
import { simulateAlarm, simulateCandidates } from '../../campaigns/skills/simulate.js';

/** Short cuts of `npm run campaign -- skills`. */
describe('the numbers of skills', () => {
  it.each([5, 20, 100])('offers the right one of %i skills, and none for unrelated tasks', async (count) => {
    const { recall, none } = await scoreRetrieval(count, 'developed');
    expect(recall).toBeGreaterThanOrEqual(0.88);
    expect(Math.min(none, (await scoreRetrieval(count, 'held')).none)).toBeGreaterThanOrEqual(0.95);
  });

  it('alarms soon about a broken skill, and almost never about one that fails as often as is tolerated', () => {
    const broken = simulateAlarm(1, 50);
    expect(broken.alarms).toBe(1);
    expect(broken.medianCall).toBeLessThan(10);
    expect(simulateAlarm(0.2, 200).alarms).toBeLessThan(0.1);
    expect(simulateAlarm(0.05, 200).alarms).toBe(0);
  });

  it('takes few useless candidates, and most good ones', () => {
    expect(simulateCandidates({ parent: 0.8, child: 0.8 }, 60).better).toBeLessThanOrEqual(0.05);
    expect(simulateCandidates({ parent: 0.7, child: 0.95 }, 20).better).toBeGreaterThan(0.9);
  });

  it('calls a skill working that passes further tests, although most drafts are wrong', async () => {
    const { working, passFurther } = await learnMany(24, 24);
    expect(working).toBeGreaterThan(12);
    expect(passFurther).toBeGreaterThanOrEqual(0.9);
  });
});
