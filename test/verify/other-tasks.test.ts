import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../src/contract/outcome.js';
import { OtherTasks } from '../../src/verify/other-tasks.js';

/** Ended task: `[begun, ended]` in milliseconds; it failed if it says so. */
function ended(task: string, [begunMs, atMs]: readonly [number, number], parts: Partial<Outcome> = {}): Outcome {
  const more = { source: 'generic', success: true, issues: [], ...parts };
  return { id: 'x' as Outcome['id'], task, atMs, durationMs: atMs - begunMs, ...more };
}

function othersOf(...outcomes: readonly Outcome[]): OtherTasks {
  const others = new OtherTasks();
  for (const outcome of outcomes) others.add(outcome);
  return others;
}

const failed = { success: false };
const WINDOW = { fromMs: 100, toMs: 200, except: 'ask' };

describe('tasks of other names', () => {
  it('count from the first moment of a window up to its end, which is not part of it', () => {
    const others = othersOf(
      ended('sum', [99, 150], failed),
      ended('sum', [100, 160], failed),
      ended('sum', [190, 199]),
      ended('sum', [190, 200], failed),
    );
    expect(others.count(WINDOW)).toEqual({ tasks: 2, failures: 1 });
  });

  it('leave out the name under trial and calls made for another task', () => {
    const others = othersOf(
      ended('ask', [110, 120], failed),
      ended('sum', [110, 130], { ...failed, parent: 'p' }),
      ended('sum', [110, 140], failed),
    );
    expect(others.count(WINDOW)).toEqual({ tasks: 1, failures: 1 });
    expect(others.count({ ...WINDOW, except: undefined })).toEqual({ tasks: 2, failures: 2 });
  });

  it('are those of one session, or of one source where there is none', () => {
    const others = othersOf(
      ended('sum', [110, 120], { session: 's1', source: 'hook' }),
      ended('sum', [110, 130], { session: 's2', source: 'hook' }),
      ended('sum', [110, 140], { source: 'hook' }),
    );
    expect(others.count({ ...WINDOW, key: 's1' }).tasks).toBe(1);
    expect(others.count({ ...WINDOW, key: 'hook' }).tasks).toBe(1);
    expect(others.count(WINDOW).tasks).toBe(3);
  });

  it('name the first that began, whichever ended first, and none where none did', () => {
    const others = othersOf(
      ended('sum', [130, 140]),
      ended('sum', [110, 150], failed),
      ended('sum', [120, 160]),
      ended('sum', [110, 170]),
    );
    expect(others.first(WINDOW)).toBe(true);
    expect(others.first({ ...WINDOW, fromMs: 111 })).toBe(false);
    expect(others.first({ ...WINDOW, fromMs: 131 })).toBeUndefined();
  });

  it('take a task without a duration as one of no length', () => {
    const { durationMs: _, ...instant } = ended('sum', [150, 150]);
    expect(othersOf(instant).count({ ...WINDOW, fromMs: 150, toMs: 151 }).tasks).toBe(1);
  });

  it('are totalled without one name, from the first question on', () => {
    const others = othersOf(ended('ask', [1, 2]));
    const before = others.totals('ask');
    others.add(ended('ask', [2, 3], failed));
    others.add(ended('sum', [3, 4], failed));
    others.add(ended('sum', [4, 5]));
    const after = others.totals('ask');
    expect({ tasks: after.tasks - before.tasks, failures: after.failures - before.failures }).toEqual({
      tasks: 2,
      failures: 1,
    });
  });

  it('are the newest 4,000 at least, and never 8,000', () => {
    const others = new OtherTasks();
    for (let index = 1; index < 8_000; index++) others.add(ended('sum', [index, index]));
    expect(others.count({ fromMs: 0, toMs: 9_000, except: 'ask' }).tasks).toBe(7_999);
    others.add(ended('sum', [8_000, 8_000]));
    expect(others.count({ fromMs: 0, toMs: 9_000, except: 'ask' }).tasks).toBe(4_000);
    expect(others.count({ fromMs: 4_001, toMs: 9_000, except: 'ask' }).tasks).toBe(4_000);
  });

  it('are the same after a restart, and forgotten when no trial is left', () => {
    const others = othersOf(ended('sum', [110, 120], failed));
    others.totals('ask');
    others.add(ended('ask', [130, 140]));
    const again = new OtherTasks(JSON.parse(JSON.stringify(others.snapshot())));
    expect(again.count(WINDOW)).toEqual({ tasks: 1, failures: 1 });
    expect(again.totals('ask')).toEqual({ tasks: 1, failures: 1 });
    again.add(ended('ask', [150, 160], failed));
    expect(again.totals('ask')).toEqual({ tasks: 1, failures: 1 });
    expect(others.snapshot().ended).toHaveLength(2);
    again.clear();
    expect(again.snapshot()).toEqual(new OtherTasks().snapshot());
  });
});
