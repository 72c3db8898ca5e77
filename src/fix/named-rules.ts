import type { RuleFile } from '../contract/change.js';
import type { Issue, NamedIssue } from '../contract/issue.js';

/** Rule for failures that a caller named itself. `when` is a clause with the task: `When you work on “deploy”`. */
export interface NamedRule {
  readonly file: RuleFile;
  readonly confidence: number;
  readonly text: (when: string) => string;
}

const remember: NamedRule = {
  file: 'AGENTS',
  confidence: 0.7,
  text: (when) =>
    `${when}, write decisions, open steps and file names into the notes before each long step, and read the notes first when a session begins or was compacted.`,
};

const sayMissing: NamedRule = {
  file: 'TOOLS',
  confidence: 0.6,
  text: (when) =>
    `${when} and a tool or skill for it is missing, say immediately which one and what it should do, and go on with what can be done.`,
};

/**
 * Rules by the issues that callers and detectors name. A name says what went wrong in the caller's own words. Classes of
 * errors are not here: one class holds failures that need opposite rules.
 */
export const NAMED_RULES: ReadonlyMap<Issue, NamedRule> = new Map<NamedIssue, NamedRule>([
  ['context_loss', remember],
  ['session_reset', remember],
  ['compaction_lost_context', remember],
  ['memory_miss', remember],
  ['hydration_fail', remember],
  ['wal_miss', remember],
  [
    'wrong_output',
    {
      file: 'AGENTS',
      confidence: 0.5,
      text: (when) =>
        `${when}, compare the result with each point of the request before you hand it over, and correct what differs.`,
    },
  ],
  [
    'incomplete_task',
    {
      file: 'AGENTS',
      confidence: 0.6,
      text: (when) =>
        `${when}, go through the request item by item before you call it done, and finish every item that is open.`,
    },
  ],
  ['missing_tool', sayMissing],
  ['skill_gap', sayMissing],
  [
    'over_confirmation',
    {
      file: 'SOUL',
      confidence: 0.6,
      text: (when) =>
        `${when} and the request is clear, carry it out, and ask back only before a step that cannot be undone.`,
    },
  ],
  [
    'repeated_mistake',
    {
      file: 'AGENTS',
      confidence: 0.6,
      text: (when) => `${when} a second time, say what went wrong the first time and what you change before you begin.`,
    },
  ],
  [
    'loop',
    {
      file: 'AGENTS',
      confidence: 0.6,
      text: (when) =>
        `${when} and two steps in a row bring nothing new, stop, write down what was tried, and choose a different approach.`,
    },
  ],
]);
