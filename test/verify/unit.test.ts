import { expect, it } from 'vitest';
import type { OutcomeId } from '../../src/contract/ids.js';
import { inOrderOfStart, isEnded, overMs, type TrialTask } from '../../src/verify/unit.js';

function task(id: string, parts: Partial<TrialTask> = {}): TrialTask {
  return {
    ...{ id: id as OutcomeId, atMs: 1_000, writer: 'w', counter: 0, deadlineMs: 5_000 },
    ...{ unit: id, arm: 'fix', share: 0.5, scope: {} },
    ...parts,
  };
}

it('orders tasks by their start, then by writer, then as the writer counted them', () => {
  const tasks = [
    task('d', { writer: 'x', counter: 0 }),
    task('c', { counter: 10 }),
    task('b', { counter: 9 }),
    task('a', { atMs: 999, writer: 'z', counter: 99 }),
    task('e', { atMs: 1_001, writer: 'a' }),
  ];
  expect(tasks.sort(inOrderOfStart).map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(
    tasks
      .reverse()
      .sort(inOrderOfStart)
      .map(({ id }) => id),
  ).toEqual(['a', 'b', 'c', 'd', 'e']);
});

it('ends a unit with its last task: its end, its deadline, or its beginning if it is an anchor', () => {
  const end = { failed: false, atMs: 2_000 };
  const unit = (...tasks: TrialTask[]) =>
    ({ key: 'u', arm: 'fix', share: 0.5, mixed: false, tasks, reported: false }) as const;
  expect(overMs(unit(task('a', { end }), task('b', { end: { ...end, atMs: 1_500 } })))).toBe(2_000);
  expect(overMs(unit(task('a', { end }), task('b')))).toBeGreaterThanOrEqual(5_000);
  expect(overMs(unit(task('a', { isAnchor: true })))).toBe(1_000);
  expect([task('a'), task('a', { end }), task('a', { isAnchor: true })].map(isEnded)).toEqual([false, true, true]);
});
