import { findActor } from '../../src/classify/find-actor.js';
import type { PolicyChange, RuleChange } from '../../src/contract/change.js';
import type { ChangeKind } from '../../src/contract/change-kind.js';
import type { Fix, FixOf } from '../../src/contract/fix.js';
import type { FixId } from '../../src/contract/ids.js';
import type { Pattern } from '../../src/contract/pattern.js';
import { mergePolicy } from '../../src/contract/policy.js';
import type { TaskStatistics } from '../../src/contract/task-statistics.js';
import { type PolicyKindOptions, policyKind } from '../../src/fix/kinds/policy-kind.js';
import { RepeatRules } from '../../src/lib/repeat.js';
import { wilsonRate } from '../../src/lib/statistics.js';

/** A recurring network failure of `api_call`, unless said otherwise. */
export function somePattern(pattern: Partial<Pattern> = {}): Pattern {
  const { task = 'api_call', issue = 'network', examples = ['socket hang up'], sources = ['generic'] } = pattern;
  return {
    actor: findActor({ task, issue, texts: examples, sources }),
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

/** Two more attempts after network failures of `api_call`, unless said otherwise. */
export function policyChange(parts: Partial<PolicyChange> = {}): PolicyChange {
  return {
    kind: 'policy',
    scope: { task: 'api_call' },
    set: { 'retries.network': 2 },
    undo: { 'retries.network': 0 },
    ...parts,
  };
}

/** A rule for `AGENTS`, unless said otherwise. */
export function ruleChange(parts: Partial<RuleChange> = {}): RuleChange {
  return {
    kind: 'rule',
    scope: { task: 'api_call' },
    text: 'Compare the totals of the report with the invoice.',
    file: 'AGENTS',
    undo: { removeRule: 'fix-1' as FixId },
    ...parts,
  };
}

/** A safe proposal of this change that a trial could decide about, unless said otherwise. */
export function someFix<C extends Fix['change']>(change: C, parts: Partial<Fix> = {}): FixOf<C> {
  return {
    id: 'fix-1' as FixId,
    patternId: 'pattern-1',
    task: 'api_call',
    issue: 'network',
    target: 'retries.network',
    unit: 'task',
    status: 'proposed',
    safe: true,
    reason: 'it may help',
    forecast: { kind: 'testable', tasks: 300, days: 1 },
    attempt: 1,
    proposedMs: 0,
    changedMs: 0,
    decision: { kind: 'waiting', sinceMs: 0 },
    ...parts,
    change,
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
