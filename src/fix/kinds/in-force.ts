import type { PolicyChange, PromptChange, RuleChange } from '../../contract/change.js';
import type { ChangeKind } from '../../contract/change-kind.js';
import type { DeclaredText } from '../../contract/text.js';
import { reportOnce } from '../../lib/report-once.js';
import { fitsVersion, shortVersion, versionOf } from '../../lib/text-version.js';
import { checkRule } from '../check-rule.js';
import { describePolicy, describePrompt, describeRule } from './describe.js';

/** Part of a kind that gives its changes to tasks, and describes them. Processes that only follow need no more. */
type InForce<Change extends PolicyChange | RuleChange | PromptChange> = Pick<
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

export interface OwnTexts {
  /** Texts of this process. */
  readonly own: () => Iterable<DeclaredText>;
  readonly report: (message: string) => void;
}

/** Creates the part for versions of named texts, handed to tasks in `prompts`. */
export function promptInForce(options: OwnTexts): InForce<PromptChange> {
  return {
    kind: 'prompt',
    effect: ({ name, text, version, undo, replaces }) => ({ text: { name, text, version, before: undo, replaces } }),
    content: ({ name, version }) => ({ prompt: name, version }),
    describe: describePrompt,
    // Two versions of one text exclude each other, and a later one builds on an earlier one.
    sets: ({ name, undo }) => [`${name} ${undo.version}`],
    problem: ({ text, version }) =>
      versionOf(text) === version ? undefined : 'its text is not the one of its version',
    canApply: fitsHere(options),
  };
}

/** Returns the check whether this process has a version that a change can replace. Each mismatch is reported once. */
function fitsHere({ own, report }: OwnTexts): (change: PromptChange) => boolean {
  const reportMismatch = reportOnce(report);
  return (change) => {
    const { name, version } = change;
    const text = [...own()].find((one) => one.name === name);
    if (!text) return false;
    if (fitsVersion(change, text.version)) return true;
    const is = `this process has version ${shortVersion(text.version)} of ${name}`;
    const other = `version ${shortVersion(version)} was written for ${shortVersion(change.undo.version)}`;
    reportMismatch(`${is}, and ${other}: tasks here keep their own text and are in no trial of it`);
    return false;
  };
}
