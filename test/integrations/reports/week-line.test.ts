import { expect, it } from 'vitest';
import type { Week } from '../../../integrations/reports/week.js';
import { costWords, weekLine } from '../../../integrations/reports/words/week-line.js';

const QUIET: Week = {
  format: 'rsi-week/1',
  sinceMs: 0,
  untilMs: 1,
  worst: [],
  failures: 0,
  lostMs: 0,
  lostUsd: 0,
  verdicts: [],
  lines: { helps: 0, harms: 0 },
  worse: [],
  decide: null,
};

it('says in one line of at most 200 characters what a week was like', () => {
  expect(weekLine(QUIET)).toBe('rsi, last 7 days: nothing failed; nothing to decide');
  const busy: Week = {
    ...QUIET,
    worst: [{ task: 'Bash', issue: 'tool_failure', count: 23, of: 400 }],
    failures: 41,
    lostMs: 2_280_000,
    lostUsd: 4.1,
    verdicts: [
      { id: 'a', task: 'Bash', issue: 'tool_failure', helps: true },
      { id: 'b', task: 'Edit', issue: 'validation', helps: false },
    ],
    lines: { helps: 1, harms: 2 },
    decide: { kind: 'fix', id: 'c', task: 'Edit', issue: 'validation' },
  };
  expect(weekLine(busy)).toBe(
    'rsi, last 7 days: 41 failures, most Bash tool_failure (23), cost 38 min and $4.10; 1 fix helps, 1 fix does not help, 1 line helps, 2 lines harm; to decide: rsi review',
  );
  const long = { ...busy, worst: [{ task: 'x'.repeat(300), issue: 'tool_failure' as const, count: 2, of: 3 }] };
  expect(weekLine(long)).toHaveLength(200);
});

it('states no cost that is not recorded', () => {
  expect(costWords({ lostMs: 900, lostUsd: 0 })).toBe('');
});
