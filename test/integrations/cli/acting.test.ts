import { describe, expect, it } from 'vitest';
import { groupByActing } from '../../../integrations/cli/analyze/acting.js';
import { findActor } from '../../../src/classify/find-actor.js';

const finding = (text: string) => findActor({ task: 'Bash', issue: 'tool_failure', texts: [text] });
const message = (text: string, count: number) => ({ actor: finding(text), count });

describe('who must act on the failures of one issue', () => {
  it('names no value that only some of the messages have', () => {
    const groups = groupByActing([
      message('api.go:37:1: Default returns interface (ireturn)', 2),
      message('scan_test.go:9:2: missing call of Parallel (tparallel)', 1),
    ]);
    const rows = groups.map(({ acting }) => acting);
    expect(rows.map(({ count }) => count)).toEqual([3]);
    expect(rows[0]?.todo).not.toMatch(/ireturn|tparallel/);
    expect(rows[0]?.todo).toBe(rows[0]?.rule);
  });

  it('names the value that all of them have', () => {
    const text = 'api.go:37:1: Default returns interface (ireturn)';
    expect(groupByActing([message(text, 2), message(text, 1)])[0]?.acting.todo).toContain('ireturn');
  });
});
