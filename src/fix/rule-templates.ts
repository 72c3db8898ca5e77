import type { Issue } from '../contract/issue.js';
import type { Pattern } from '../contract/pattern.js';
import { onlyNamedIn } from '../lib/named-in.js';
import { checkRule, quoted } from './check-rule.js';
import type { RuleDraft } from './rule-draft.js';
import { BY_CAUSE, BY_ENVIRONMENT, BY_ISSUE, type Words } from './rule-template-table.js';

/**
 * Returns the template rules for a pattern, best first: by issue, by root cause, else by the failure message.
 * Failures of the agent's environment get a rule only with `adviceOnly`, when no setting is ever read.
 */
export function rulesFromTemplates(pattern: Pattern, adviceOnly = false): readonly RuleDraft[] {
  // A trial of a rule counts failures, so only a rule that lowers them can be shown to help.
  if (pattern.kind !== 'failure') return [];
  if (ENVIRONMENT.has(pattern.issue)) return adviceOnly ? environmentRules(pattern) : [];
  const { cause, confidence } = pattern.rootCause;
  const byCause = BY_CAUSE[cause];
  const byIssue = BY_ISSUE.get(pattern.issue);
  // An issue that the caller named says more than an issue read from an answer. The latter decides only if none was
  // named.
  const isNamed = byIssue !== undefined && pattern.issue !== 'wrong_output';
  const isSure = byCause !== undefined && confidence >= SURE;
  const templates = isSure && !isNamed ? [byCause, byIssue] : [byIssue, byCause];
  const words = wordsOf(pattern);
  const drafts = templates
    .filter((template) => template !== undefined)
    .map(({ text, ...rest }) => ({ ...rest, text: worded(text, words) }));
  const stated = byExpectation(pattern, words);
  const named = byIssue === undefined ? byMessage(pattern, words) : undefined;
  // An exact expectation says more than a class of failures, unless the caller named that class.
  return [...(isNamed ? [...drafts, stated] : [stated, ...drafts]), named].filter((draft) => draft !== undefined);
}

const SURE = 0.5;

/** Issues that a rule for the agent cannot change. Limits, retries and routes are for these. */
const ENVIRONMENT: ReadonlySet<Issue> = new Set<Issue>([
  'rate_limit',
  'overloaded',
  'server_error',
  'network',
  'resource_exhausted',
  'cancelled',
  'model_fallback',
  'wrong_model_tier',
  'bad_routing',
  'cost_overrun',
  'slow_response',
]);

/** Returns rules that ask the agent itself to do what a limit, a wait or a retry would. */
function environmentRules(pattern: Pattern): readonly RuleDraft[] {
  const template = BY_ENVIRONMENT.get(pattern.issue);
  if (template === undefined) return [];
  const { text, ...rest } = template;
  return [{ ...rest, text: worded(text, wordsOf(pattern)) }];
}

function wordsOf({ task, where }: Pattern): Words {
  const name = quoted(task, 40);
  return {
    when: name === undefined ? NAMELESS.when : `When you work on ${name}`,
    tool: quoted(onlyNamedIn(where, 'tool') ?? '', 40) ?? NAMELESS.tool,
  };
}

const NAMELESS: Words = { when: 'Whenever you do this task', tool: 'the tool' };

/**
 * Returns the text with the names of its task and tool. Leaves the names out if they make it a text that may not be
 * sent: a rule about credentials for the task `send` reads as if it asked to send them.
 */
function worded(text: (words: Words) => string, words: Words): string {
  const named = text(words);
  return checkRule(named) === undefined ? named : text(NAMELESS);
}

/**
 * Returns a rule with the fact behind the failures: the result expected each time, and one that came instead.
 * It contains recorded text, so a person always decides.
 */
function byExpectation({ differences = [] }: Pattern, { when }: Words): RuleDraft | undefined {
  const [first] = differences;
  if (first?.expected === undefined || differences.some(({ expected }) => expected !== first.expected))
    return undefined;
  const expected = quoted(first.expected, MAX_FACT);
  const actual = quoted(first.actual, MAX_FACT);
  if (expected === undefined) return undefined;
  const instead = actual === undefined ? '' : `, where ${actual} came before`;
  return {
    text: `${when}, make sure that the result is ${expected}${instead}.`,
    file: 'AGENTS',
    why: 'this is what was expected each time',
    confidence: 0.5,
    by: RECORDED_WORDS,
  };
}

const MAX_FACT = 80;
/** Author of a rule that contains recorded text of the failures. Such a rule is never approved without a person. */
export const RECORDED_WORDS = 'the recorded failures';

/** Returns the fallback rule: a quotation of what the failures have in common. */
function byMessage({ template }: Pattern, { when }: Words): RuleDraft | undefined {
  const message = quoted(template);
  if (message === undefined) return undefined;
  return {
    text: `${when}, look first for the cause of ${message}, and remove it before you go on.`,
    file: 'AGENTS',
    why: 'these failures say the same each time',
    confidence: 0.3,
  };
}
