import { describe, expect, it } from 'vitest';
import type { TaskStatistics } from '../../src/contract/task-statistics.js';
import { whatItNeeds } from '../../src/fix/readiness.js';

// Only what is looked at.
const task = (inSessions: number) => ({ task: 'report', managed: 0, inSessions }) as TaskStatistics;

describe('what a host has to do before a rule can be tried', () => {
  it('is told in the way of the agent: its hooks where it is Claude Code, else a call', () => {
    expect(whatItNeeds('rule', task(9), 0, ['claude-code'])).toMatch(/^run rsi install claude: /);
    expect(whatItNeeds('rule', task(9), 0, ['agent'])).toMatch(/^call loop\.begin\(task, \{ session \}\)/);
    expect(whatItNeeds('rule', task(9), 0)).toMatch(/^call loop\.begin/);
  });

  it('is nothing once sessions are begun and their outcomes say which', () => {
    expect(whatItNeeds('rule', task(1), 3, ['claude-code'])).toContain('with its session');
    expect(whatItNeeds('rule', task(5), 3, ['claude-code'])).toBeUndefined();
  });
});
