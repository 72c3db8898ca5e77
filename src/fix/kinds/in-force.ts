import type { PolicyChange, RuleChange } from '../../contract/change.js';
import type { ChangeKind } from '../../contract/change-kind.js';
import { checkRule } from '../check-rule.js';
import { describePolicy, describeRule } from './describe.js';

/** Part of a kind that gives its changes to tasks, and describes them. Processes that only follow need no more. */
type InForce<Change extends PolicyChange | RuleChange> = Pick<
  ChangeKind<Change>,
  'kind' | 'approvedBy' | 'effect' | 'content' | 'describe' | 'sets' | 'canApply' | 'problem'
>;

/** Settings, merged into the policy of a task. */
export const policyInForce: InForce<PolicyChange> = {
  kind: 'policy',
  approvedBy: 'loop',
  effect: (change) => ({ settings: change }),
  content: ({ set }) => set,
  describe: describePolicy,
};

/** Rule, handed out as advice. */
export const ruleInForce: InForce<RuleChange> = {
  kind: 'rule',
  effect: ({ text }) => ({ advice: text }),
  content: ({ text }) => ({ rule: text }),
  describe: describeRule,
  sets: ({ text }) => [text],
  problem: ({ text }) => {
    const problem = checkRule(text);
    return problem && `its text is not sent to agents: ${problem}`;
  },
};
