import type { ChangeKind } from '../../src/contract/change-kind.js';
import type { Pattern } from '../../src/contract/pattern.js';
import { mergePolicy } from '../../src/contract/policy.js';
import type { TaskStatistics } from '../../src/contract/task-statistics.js';
import { type PolicyKindOptions, policyKind } from '../../src/fix/kinds/policy.js';
import { RepeatRules } from '../../src/lib/repeat.js';
import { wilsonRate } from '../../src/lib/statistics.js';

/** A recurring network failure of `api_call`, unless said otherwise. */
export function somePattern(pattern: Partial<Pattern> = {}): Pattern {
  return {
    id: 'pattern-1',
    kind: 'failure',
    task: 'api_call',
    issue: 'network',
    template: 'socket hang up',
    count: 20,
    episodes: 1,
    rate: wilsonRate(20, 100),
    trend: 'steady',
    recurring: true,
    impact: { score: 20, failures: 20, lostMs: 0, lostUsd: 0 },
    severity: 'medium',
    where: 'global',
    related: [],
    rootCause: { cause: 'undetermined', confidence: 0, evidence: [] },
    sources: ['generic'],
    firstSeenMs: 0,
    lastSeenMs: 1_000,
    examples: ['socket hang up'],
    evidence: [],
    ...pattern,
  };
}

export function someTask(task: Partial<TaskStatistics> = {}): TaskStatistics {
  return {
    task: 'api_call',
    outcomes: 100,
    failures: 20,
    attempted: 0,
    managed: 100,
    captured: 0,
    repeatable: 100,
    unrepeatable: 0,
    inSessions: 0,
    advised: 0,
    perDay: 1_000,
    observedDays: 7,
    models: [],
    ...task,
  };
}

/** The kind `policy` with the built-in catalog, unless said otherwise. */
export function policyOnly(options: Partial<PolicyKindOptions> = {}): ChangeKind {
  return policyKind({
    autoFix: true,
    entries: [],
    policyFor: () => mergePolicy([], options.settingLimits),
    repeats: new RepeatRules({ own: {}, answers: () => new Map() }),
    unitFor: () => 'task',
    triggerOf: () => undefined,
    longestWaitMs: () => 0,
    report: () => {},
    ...options,
  });
}
