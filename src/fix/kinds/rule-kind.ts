import type { RuleChange } from '../../contract/change.js';
import type { ChangeKind, CycleFacts, ReadinessFacts } from '../../contract/change-kind.js';
import type { Fix } from '../../contract/fix.js';
import type { JsonObject } from '../../contract/json.js';
import type { RuleCounters } from '../../contract/trial.js';
import { type AutoApproval, approvesItself } from '../auto-approval.js';
import { RuleComparison } from '../compare-rules.js';
import { OpenFixes } from '../open-fixes.js';
import { MIN_ADVISED, MIN_IN_SESSIONS } from '../readiness.js';
import type { RuleDrafts, RuleQuestion } from '../rule-drafts.js';
import type { RuleFiles } from '../rule-files.js';
import { RuleProposals } from '../rule-proposals.js';
import { RECORDED_WORDS } from '../rule-templates.js';
import { settleRule } from '../rules/settle-rule.js';
import { usefulnessOf } from '../rules/usefulness.js';
import { ruleInForce } from './in-force.js';

export interface RuleKindOptions {
  readonly files: RuleFiles;
  /** Present if there is a writer of rules. */
  readonly drafts?: RuleDrafts;
  readonly autoApprove?: AutoApproval;
  /** Returns the effect of a rule; `undefined` if it was never compared with sessions without it. */
  readonly countersOf: (id: Fix['id']) => RuleCounters | undefined;
}

/** Creates the kind `rule`: one behavioural rule, given to sessions as advice and then written into an agent's file. */
export function ruleKind({ files, drafts, autoApprove, countersOf }: RuleKindOptions): ChangeKind<RuleChange> {
  const comparison = new RuleComparison();
  const proposals = new RuleProposals({
    comparison,
    files: files.names,
    existing: (file) => files.existing(file),
    written: (patternId) => drafts?.of(patternId) ?? [],
    unwritten: (patternId) => drafts?.problemOf(patternId),
  });
  const ruleValue = ({ id }: { readonly id: string }) => usefulnessOf(countersOf(id as Fix['id'])); // an unknown id has none
  return {
    ...ruleInForce,
    propose: (facts) => proposals.propose(facts),
    isAlike: (one, other) => isText(one.rule) && isText(other.rule) && comparison.saysTheSame(one.rule, other.rule),
    unit: () => 'session',
    needs: (_, facts) => whatAdviceNeeds(facts),
    approval: (fix, { pattern }) => approvesItself(fix, pattern, autoApprove, (file) => files.isWritable(file)),
    prepare: async (cycle) => drafts?.ask(questionsOf(cycle, proposals, files)),
    refresh: () => files.refresh(),
    isWritable: ({ file }) => files.isWritable(file),
    settle: (fix, now) => settleRule(fix, now, files, ruleValue),
    explain: (fix, nowMs) => {
      const counters = countersOf(fix.id);
      return { diff: files.diff(fix, nowMs, ruleValue), ...(counters && { counters }) };
    },
    close: () => drafts?.close(),
  };
}

function isText(value: JsonObject[string] | undefined): value is string {
  return typeof value === 'string';
}

/** Returns what the host has to do before its sessions get advice and their outcomes show the effect. */
function whatAdviceNeeds({ task, advised, sources = [] }: ReadinessFacts): string | undefined {
  if (advised < MIN_ADVISED) {
    // If the agent is not the host's own code, its hooks start each session.
    if (sources.includes('claude-code')) {
      return 'run rsi install claude: its hooks begin each session and give the agent its rules, so that a trial can send this one';
    }
    return 'call loop.begin(task, { session }) when a session begins and give its advice to the agent, so that a trial can send the rule';
  }
  if ((task?.inSessions ?? 0) >= MIN_IN_SESSIONS) return undefined;
  return `record ${JSON.stringify(task?.task ?? '')} with its session, so that a trial can measure the rule`;
}

/**
 * Returns the patterns that a rule writer may be asked about: failures for which only a rule can be proposed. Highest
 * impact first.
 */
export function questionsOf(
  { patterns, tasks, active }: CycleFacts,
  proposals: RuleProposals,
  files: Pick<RuleFiles, 'names' | 'existing'>,
): readonly RuleQuestion[] {
  const settled = new OpenFixes(
    [...active].filter((fix) => !mayBeWorded(fix)),
    () => false,
  );
  return patterns
    .filter((pattern) => pattern.recurring && pattern.trend !== 'resolved' && pattern.kind === 'failure')
    .filter((pattern) => tasks.has(pattern.task) && !settled.covering(pattern))
    .sort((a, b) => b.impact.score - a.impact.score)
    .map((pattern) => ({
      pattern,
      templates: proposals.statedFor(pattern),
      existing: files.names.flatMap((file) => files.existing(file)),
      files: files.names,
    }));
}

/**
 * Returns whether the fix is a waiting rule worded by a template or by recorded text. Other wording is not changed
 * again, because a person may be reading it.
 */
function mayBeWorded({ status, change, wordedBy = RECORDED_WORDS }: Fix): boolean {
  return status === 'proposed' && change.kind === 'rule' && wordedBy === RECORDED_WORDS;
}
