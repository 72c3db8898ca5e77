import type { Issue } from '../contract/issue.js';
import type { RootCause } from '../contract/pattern.js';
import type { RuleDraft } from './rule-draft.js';

/** Words that a template may use: the task as a clause, and the tool. Both are recorded text in quotation marks. */
export interface Words {
  /** `When you work on “deploy”`, or a clause without the name if it cannot be quoted. */
  readonly when: string;
  /** `“grep”`, or `the tool`. */
  readonly tool: string;
}

/** Rule that follows from the class of a failure. */
export type Template = Pick<RuleDraft, 'file' | 'why' | 'confidence'> & { readonly text: (words: Words) => string };

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

/** Templates by issue. */
export const BY_ISSUE: ReadonlyMap<Issue, Template> = new Map<Issue, Template>([
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
      why: 'it was returned before it was done',
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
export const BY_ENVIRONMENT: ReadonlyMap<Issue, Template> = new Map<Issue, Template>([
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
export const BY_CAUSE: Readonly<Partial<Record<RootCause, Template>>> = {
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
