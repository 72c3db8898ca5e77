import type { FixId, Lesson } from 'rsi-loop';
import { expect, it } from 'vitest';
import { Experience } from '../../src/experience/lessons.js';

function lesson(number: number, task: string): Lesson {
  return {
    fixId: `f${number}` as FixId, // an id of the test's own
    patternId: `${task} ${number % 3}`,
    task,
    issue: number % 2 === 0 ? 'timeout' : 'network',
    target: 'retries.timeout',
    set: {},
    result: 'helped',
    reason: '',
    atMs: number,
    attempt: 1,
  };
}

it('recalls the newest lessons of a pattern, and of its issue in its task, at a cost that other tasks do not raise', () => {
  const experience = new Experience(1_000);
  let looked = 0;
  for (let number = 0; number < 3_000; number++) {
    const task = `task ${number % 100}`;
    const one = lesson(number, task);
    const issue = () => {
      looked++;
      return one.issue;
    };
    experience.learn(Object.defineProperty({ ...one }, 'issue', { get: issue }));
  }
  // Learning reads each lesson once or twice, however many are kept.
  expect(looked).toBeLessThanOrEqual(2 * 3_000);
  looked = 0;
  const about = { patternId: 'task 7 1', task: 'task 7', issue: 'network' };
  const recalled = experience.recall(about);
  expect(looked).toBeLessThanOrEqual(13);
  const times = recalled.map(({ atMs }) => atMs);
  expect(times).toEqual([...times].sort((a, b) => b - a));
  const kept = experience.lessons.filter(
    ({ patternId, task, issue }) => patternId === about.patternId || (task === about.task && issue === about.issue),
  );
  expect(new Set(recalled)).toEqual(new Set(kept));
  expect(kept.length).toBeGreaterThan(3);
});
