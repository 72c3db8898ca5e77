import { describe, expect, it } from 'vitest';
import type { Fix } from '../../src/contract/fix.js';
import type { Pattern } from '../../src/contract/pattern.js';
import type { TaskStatistics } from '../../src/contract/task-statistics.js';
import { feasibilityOfTrial } from '../../src/judge/feasible-trial.js';
import { trialOf } from '../verify/harness.js';

// Only what the forecast reads: 500 tasks a day, of which 2 in 1,000 fail in the end and 3 in 10 at the first call.
const task = { task: 'ask', outcomes: 1_500, perDay: 500, observedDays: 3 } as TaskStatistics;
const pattern = { id: 'p', rate: { value: 0.002, low: 0, high: 1, of: 1_500 } } as Pattern;
const known = { patterns: [pattern], tasks: new Map([['ask', task]]) };
const problemOf = (atMost: Fix['atMost']) => {
  const fix = { patternId: 'p', task: 'ask', ...(atMost && { atMost }) } as Fix;
  return feasibilityOfTrial(fix, trialOf({ past: { tasks: 1_500, failures: 450 } }), known).problem;
};

describe('a trial that counts failed first calls', () => {
  it('opens where a fallback mends nearly all of these failures', () => {
    expect(problemOf({ calls: 1 })).toBeUndefined();
  });

  it('is forecast by the rate of the pattern if it counts slow or costly tasks', () => {
    expect(problemOf({ durationMs: 1_000 })).toContain('tasks a week');
  });
});
