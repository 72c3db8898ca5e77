import { describe, expect, it } from 'vitest';
import type { RuleChange } from '../../src/contract/change.js';
import type { FixId } from '../../src/contract/ids.js';
import type { TaskStatistics } from '../../src/contract/task-statistics.js';
import { ruleKind } from '../../src/fix/kinds/rule.js';
import { RuleFiles } from '../../src/fix/rule-files.js';

// Only what is looked at.
const task = (inSessions: number) => ({ task: 'report', managed: 0, inSessions }) as TaskStatistics;

const files = new RuleFiles({ report: () => {} });
const rules = ruleKind({ files, countersOf: () => undefined });
const whatItNeeds = (about: TaskStatistics, advised: number, sources: readonly string[] = []) =>
  rules.needs?.(CHANGE, { task: about, advised, sources });
const CHANGE: RuleChange = {
  kind: 'rule',
  scope: {},
  text: '',
  file: 'AGENTS',
  undo: { removeRule: 'fix-1' as FixId },
};

describe('what a host has to do before a rule can be tried', () => {
  it('is told in the way of the agent: its hooks where it is Claude Code, else a call', () => {
    expect(whatItNeeds(task(9), 0, ['claude-code'])).toMatch(/^run rsi install claude: /);
    expect(whatItNeeds(task(9), 0, ['agent'])).toMatch(/^call loop\.begin\(task, \{ session \}\)/);
    expect(whatItNeeds(task(9), 0)).toMatch(/^call loop\.begin/);
  });

  it('is nothing once sessions are begun and their outcomes say which', () => {
    expect(whatItNeeds(task(1), 3, ['claude-code'])).toContain('with its session');
    expect(whatItNeeds(task(5), 3, ['claude-code'])).toBeUndefined();
  });
});
