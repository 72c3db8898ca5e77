import type { Issue } from '../contract/issue.js';
import type { Pattern, RootCause } from '../contract/pattern.js';
import { onlyNamedIn } from '../lib/named-in.js';
import { quoted } from './check-rule.js';
import type { RuleDraft } from './rule-draft.js';

/** Words that a template may use: the task as a clause, and the tool. Both are recorded text in quotation marks. */
interface Words {
  /** `When you work on “deploy”`, or a clause without the name if it cannot be quoted. */
  readonly when: string;
  /** `“deploy”`, or `this task`. */
  readonly task: string;
  /** `“grep”`, or `the tool`. */
  readonly tool: string;
}

type Template = Pick<RuleDraft, 'file' | 'why' | 'confidence'> & { readonly text: (words: Words) => string };

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
  const tells = byCause !== undefined && confidence >= SURE;
  const templates = tells && !isNamed ? [byCause, byIssue] : [byIssue, byCause];
  const words = wordsOf(pattern);
  const drafts = templates
    .filter((template) => template !== undefined)
    .map(({ text, ...rest }) => ({ ...rest, text: text(words) }));
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
  return [{ ...rest, text: text(wordsOf(pattern)) }];
}

function wordsOf({ task, where }: Pattern): Words {
  const name = quoted(task, 40);
  const only = onlyNamedIn(where, 'tool');
  const tool = only === undefined ? undefined : quoted(only, 40);
  return {
    when: name === undefined ? 'Whenever you do this task' : `When you work on ${name}`,
    task: name ?? 'this task',
    tool: tool ?? 'the tool',
  };
}

const remember: Template = {
  file: 'AGENTS',
  confidence: 0.7,
  why: 'what the agent had known was gone when it was needed',
  text: ({ when }) =>
    `${when}, write decisions, open steps and file names into the notes before each long step, and read the notes first when a session begins or was compacted.`,
};

const lookUp: Template = {
  file: 'TOOLS',
  confidence: 0.6,
  why: 'names or arguments were guessed',
  text: ({ when }) =>
    `${when}, list what exists and take names, paths and arguments from that list instead of guessing.`,
};

const otherWay: Template = {
  file: 'TOOLS',
  confidence: 0.6,
  why: 'the same call was made again though nothing had changed',
  text: ({ when, tool }) =>
    `${when} and ${tool} fails, read its error, change the input by what it says, and after a second failure choose another way.`,
};

const compare: Template = {
  file: 'AGENTS',
  confidence: 0.5,
  why: 'the result differed from what was asked for',
  text: ({ when }) =>
    `${when}, compare the result with each point of the request before you hand it over, and correct what differs.`,
};

const sayMissing: Template = {
  file: 'TOOLS',
  confidence: 0.6,
  why: 'something the task needs is not there',
  text: ({ when }) =>
    `${when} and a tool or skill for it is missing, say at once which one and what it should do, and go on with what can be done.`,
};

const BY_ISSUE: ReadonlyMap<Issue, Template> = new Map<Issue, Template>([
  [
    'auth',
    {
      file: 'TOOLS',
      confidence: 0.6,
      why: 'another call with the same credentials is refused again',
      text: ({ when }) =>
        `${when} and the credentials are refused, stop at once, name the one that is missing or expired, and ask a person to renew it.`,
    },
  ],
  [
    'permission',
    {
      file: 'TOOLS',
      confidence: 0.6,
      why: 'another call without the permission is refused again',
      text: ({ when }) =>
        `${when}, find out first what you are allowed to do, and ask a person for a missing permission instead of trying again.`,
    },
  ],
  [
    'quota_exceeded',
    {
      file: 'TOOLS',
      confidence: 0.6,
      why: 'a used-up quota comes back with time, not with more calls',
      text: ({ when }) =>
        `${when} and the quota is used up, stop calling, say when it comes back, and go on with work that needs none of it.`,
    },
  ],
  [
    'validation',
    {
      file: 'TOOLS',
      confidence: 0.6,
      why: 'the arguments did not fit what was called',
      text: ({ when }) =>
        `${when}, compare every argument with the schema before the call, and after a refusal correct the argument that the error names.`,
    },
  ],
  [
    'content_filter',
    {
      file: 'AGENTS',
      confidence: 0.4,
      why: 'the same words are blocked again',
      text: ({ when }) =>
        `${when} and an answer is blocked, reword the request once in neutral words, and tell the person when it is blocked again.`,
    },
  ],
  [
    'model_not_found',
    {
      file: 'TOOLS',
      confidence: 0.6,
      why: 'a model that is not there is not there at the next call either',
      text: ({ when }) =>
        `${when}, take the model from the list of the provider, and report a model that is not found by its name.`,
    },
  ],
  ['not_found', lookUp],
  [
    'context_length',
    {
      file: 'AGENTS',
      confidence: 0.6,
      why: 'the input did not fit the model',
      text: ({ when }) =>
        `${when}, take in only the parts of the input that it needs, and work through long material piece by piece.`,
    },
  ],
  [
    'parse_error',
    {
      file: 'AGENTS',
      confidence: 0.5,
      why: 'the answer could not be read',
      text: ({ when }) =>
        `${when}, answer in the requested format and nothing else, and read it from the first to the last character before you hand it over.`,
    },
  ],
  [
    'empty_response',
    {
      file: 'AGENTS',
      confidence: 0.4,
      why: 'nothing came where an answer was expected',
      text: ({ when }) =>
        `${when}, always end with an answer, and say in one sentence what is missing when you have none.`,
    },
  ],
  [
    'timeout',
    {
      file: 'TOOLS',
      confidence: 0.5,
      why: 'it took longer than it may',
      text: ({ when }) =>
        `${when}, split it into steps that end within the time limit, and run what takes longer in the background.`,
    },
  ],
  ['tool_failure', otherWay],
  ['context_loss', remember],
  ['session_reset', remember],
  ['compaction_lost_context', remember],
  ['memory_miss', remember],
  ['hydration_fail', remember],
  ['wal_miss', remember],
  ['wrong_output', compare],
  [
    'incomplete_task',
    {
      file: 'AGENTS',
      confidence: 0.6,
      why: 'it was handed over before it was done',
      text: ({ when }) =>
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
      why: 'the agent asked where the request was clear',
      text: ({ when }) =>
        `${when} and the request is clear, carry it out, and ask back only before a step that cannot be undone.`,
    },
  ],
  [
    'repeated_mistake',
    {
      file: 'AGENTS',
      confidence: 0.6,
      why: 'a second try repeated the first',
      text: ({ when }) =>
        `${when} a second time, say what went wrong the first time and what you change before you begin.`,
    },
  ],
  [
    'loop',
    {
      file: 'AGENTS',
      confidence: 0.6,
      why: 'steps were repeated that brought nothing new',
      text: ({ when }) =>
        `${when} and two steps in a row bring nothing new, stop, write down what was tried, and choose a different approach.`,
    },
  ],
]);

const waitAndRepeat: Template = {
  file: 'TOOLS',
  confidence: 0.5,
  why: 'such failures often pass by themselves',
  text: ({ when }) =>
    `${when} and the service breaks or cannot be reached, wait ten seconds, and repeat the call at most twice, only if doing it twice does no harm.`,
};

const callLess: Template = {
  file: 'TOOLS',
  confidence: 0.6,
  why: 'a limit passes with time, and more calls only meet it again',
  text: ({ when }) =>
    `${when} and a call is limited or the service is overloaded, wait as long as the answer says, or else a minute, and make the remaining calls one after another.`,
};

/** Templates for agents that take advice and whose calls the loop does not run. */
const BY_ENVIRONMENT: ReadonlyMap<Issue, Template> = new Map<Issue, Template>([
  ['rate_limit', callLess],
  ['overloaded', callLess],
  ['resource_exhausted', callLess],
  ['server_error', waitAndRepeat],
  ['network', waitAndRepeat],
]);

/**
 * Templates by root cause. The cause is partly read from text that anyone may have written, so files do not depend on
 * it.
 */
const BY_CAUSE: Readonly<Partial<Record<RootCause, Template>>> = {
  reasoning_error: {
    ...compare,
    text: ({ when }) =>
      `${when}, write down what each step rests on, and compare the result with the request before you build on it.`,
  },
  knowledge_gap: lookUp,
  tool_failure: otherWay,
  instruction_ambiguity: {
    file: 'AGENTS',
    confidence: 0.5,
    why: 'the request could be read in more than one way',
    text: ({ when }) =>
      `${when}, state in one sentence how you understand the request, and ask at the beginning when two readings lead to different results.`,
  },
  context_loss: remember,
  overconfidence: {
    file: 'AGENTS',
    confidence: 0.6,
    why: 'it was called done though it had failed',
    text: ({ when }) =>
      `${when}, say that it is done only after you have run or read what proves it, and name that proof.`,
  },
};

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
