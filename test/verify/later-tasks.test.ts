import { describe, expect, it } from 'vitest';
import type { Arm } from '../../src/contract/start.js';
import { seededRandom } from '../../src/lib/random.js';
import { LaterTasks } from '../../src/verify/later-tasks.js';

/** Sessions of 12 tasks, in which a task with the fix makes the next three fail more often. */
function sessions(count: number, harm: number, random = seededRandom(3)): LaterTasks {
  const later = new LaterTasks();
  for (let session = 0; session < count; session++) {
    const arms: Arm[] = [];
    for (let task = 0; task < 12; task++) {
      const arm: Arm = random() < 0.5 ? 'fix' : 'control';
      const before = arms.slice(-3).filter((one) => one === 'fix').length;
      later.add(`session ${session}`, { arm, share: 0.5 }, random() < (arm === 'fix' ? 0.1 : 0.2) + harm * before);
      arms.push(arm);
    }
  }
  return later;
}

describe('later tasks of a session', () => {
  it('are suspected if they fail more after the fix, and hardly ever if they do not', () => {
    const suspected = (harm: number) =>
      Array.from({ length: 40 }, (_, seed) => sessions(60, harm, seededRandom(seed))).filter((one) => one.isSuspected)
        .length;
    expect(suspected(0.1)).toBeGreaterThanOrEqual(30);
    expect(suspected(0)).toBeLessThanOrEqual(3);
  });

  it('are counted up to the end of the session, for each task before them', () => {
    const later = new LaterTasks();
    expect(later.figures).toBeUndefined();
    later.add('a', { arm: 'fix', share: 0.5 }, true);
    later.add('b', { arm: 'control', share: 0.5 }, true);
    expect(later.figures).toBeUndefined();
    later.add('a', { arm: 'control', share: 0.5 }, true);
    later.add('a', { arm: 'fix', share: 0.5 }, false);
    expect(later.figures).toEqual({ fix: { tasks: 2, failures: 1 }, control: { tasks: 1, failures: 0 } });
    expect(later.isSuspected).toBe(false);
  });

  it('are the same after a restart', () => {
    const through = sessions(30, 0.1);
    const restarted = new LaterTasks(JSON.parse(JSON.stringify(through.snapshot())));
    for (const later of [through, restarted]) later.add('session 29', { arm: 'fix', share: 0.5 }, true);
    expect(restarted.snapshot()).toEqual(through.snapshot());
  });
});
