import { OUTCOME_FIELDS, type OutcomeField } from 'rsi-loop/kit';

/**
 * JSON schemas of requests and responses. Requests are validated with them, and `/openapi.json` shows them.
 * They use only what JSON Schema draft 7 and OpenAPI 3.1 have in common.
 */
export type Schema = Readonly<Record<string, unknown>>;

const text = (description: string) => ({ type: 'string', description }) as const;
const name = (description: string) => ({ type: 'string', minLength: 1, maxLength: 200, description }) as const;
const count = (description: string) => ({ type: 'integer', description }) as const;
const list = (items: Schema, description = '') => ({ type: 'array', items, ...(description && { description }) });
/** Returns the schema of an object; the fields named are the most useful ones. */
const record = (description: string, properties: Readonly<Record<string, Schema>>) => ({
  type: 'object',
  description,
  additionalProperties: true,
  properties,
});

const ISSUES = list({ type: 'string' }, 'What went wrong, e.g. rate_limit; empty on a success.');

/** Fields of an outcome. They have no type here, because each accepts any form that the loop's parser reads. */
const FIELDS = /* @__PURE__ */ outcomeFields();

function outcomeFields(): Readonly<Record<string, Schema>> {
  const fields = Object.entries<OutcomeField>(OUTCOME_FIELDS);
  return Object.fromEntries(
    fields.map(([name, { about, unit, also }]) => {
      const inUnit = unit === undefined ? '' : ` In ${unit}.`;
      return [
        name,
        { description: `${about}${inUnit}${also === undefined ? '' : ` Also read as ${also.replaceAll(' ', ', ')}.`}` },
      ];
    }),
  );
}

export const OUTCOME: Schema = record('How a task ended. Other fields are kept as context.', FIELDS);
export const OUTCOMES: Schema = {
  anyOf: [OUTCOME, { type: 'array', minItems: 1, maxItems: 10_000, items: {}, description: 'Outcomes.' }],
};
export const LINES: Schema = { description: 'One outcome per line.' };
export const END: Schema = record('How the task ended: the fields of an outcome.', FIELDS);

const WARNINGS = list({
  type: 'object',
  properties: {
    index: count('Position of the outcome, from 0.'),
    field: text('As it was sent.'),
    value: text('Shortly, redacted.'),
    expected: text('What can be read there.'),
  },
});

export const RECEIVED: Schema = {
  type: 'object',
  description: 'Answered when the records are safe. id and issues for one outcome, the rest for several.',
  properties: {
    id: text('Of the outcome.'),
    issues: ISSUES,
    duplicate: { type: 'boolean', description: 'It had come before, and was not taken again.' },
    warnings: { ...WARNINGS, description: 'Fields that could not be read; the rest was taken.' },
    accepted: count('Outcomes taken.'),
    duplicates: count('Outcomes that had come before.'),
    refused: count('Outcomes that could not be recorded; errors lists the first 100.'),
    results: list(
      {
        type: 'object',
        properties: {
          index: count('Position in what was sent, from 0; blank lines do not count.'),
          id: text('Of the outcome.'),
          issues: ISSUES,
          duplicate: { type: 'boolean' },
        },
      },
      'The first 10,000 that were taken.',
    ),
    errors: { ...WARNINGS, description: 'Why outcomes were not taken, by index.' },
  },
};

const SCOPE_FIELDS = {
  model: name('The model that is asked first.'),
  tool: name('The tool that is called.'),
  source: name('Where it comes from.'),
  agent: name('The agent that does it.'),
  service: name('Service of the program, e.g. checkout.'),
  version: name('Release of the service, e.g. 1.4.2.'),
  region: name('Region that it runs in.'),
  host: name('Machine that it runs on.'),
};
const SESSION = name('Tasks of one session share the arm of a trial on rules.');

export const BEGIN: Schema = {
  type: 'object',
  required: ['task'],
  properties: {
    task: name('Name of the task.'),
    id: name('The id its outcome will carry; one is made when none is given.'),
    session: SESSION,
    ...SCOPE_FIELDS,
    features: {
      type: 'object',
      additionalProperties: name('One of a few values.'),
      description:
        'Facts about the request by name, at most 8, e.g. language. Changes are kept for values that they help.',
    },
    tags: list({ type: 'string' }, 'Labels that are known before the task, at most 32. Trials watch the first 8.'),
    prompts: {
      type: 'object',
      additionalProperties: name('Version that the program holds.'),
      description: 'Named texts that the program declared by POST /prompts: the version that it holds of each.',
    },
    parent: name('Id of the enclosing task.'),
    models: list({ type: 'string' }, 'Models that may be asked, best first. Several say that the task may run again.'),
    idempotent: {
      type: 'boolean',
      description:
        'Whether the task may run again after a failure. If absent: the setting of the loop, or the answer of a person.',
    },
    deadlineMs: {
      type: 'number',
      exclusiveMinimum: 0,
      maximum: 604_800_000,
      description:
        'How long it may take, at most 7 days. Default: three times what the slowest one took lately, at least 1 hour.',
    },
  },
};

const POLICY = record('Settings in force, e.g. "retries.network": 2.', {});
const ADVICE = list({ type: 'string' }, 'Behavioural rules for the session, each in its own words.');

export const BEGUN: Schema = {
  type: 'object',
  properties: {
    id: text('End the task by it.'),
    task: text('Name of the task.'),
    policy: POLICY,
    advice: ADVICE,
    prompts: {
      type: 'object',
      description: 'Each named text for the task: its version, and the text unless the program holds this version.',
      additionalProperties: {
        type: 'object',
        properties: { version: text('Hash of the text.'), text: text('The text to send.') },
      },
    },
    mayRepeat: {
      type: 'boolean',
      description: 'Whether the task may run again after a failure. Absent while it is unknown, which means no.',
    },
    arms: list(
      record('A trial the task is part of.', {
        fixId: text('The fix on trial.'),
        unit: text('What was drawn.'),
        arm: { type: 'string', enum: ['fix', 'control'] },
        share: { type: 'number', description: 'Probability of the fix arm.' },
      }),
      'Empty where no trial covers the task.',
    ),
  },
};

export const MARKER: Schema = {
  type: 'object',
  required: ['label'],
  properties: {
    kind: { ...name('What happened. Default: deploy.'), maxLength: 40 },
    label: name('In your words, e.g. checkout 1.4.2.'),
    by: name('Author. Default: http.'),
  },
};
export const MARKED: Schema = record('The marker as it is in the ledger.', {
  kind: text('What happened.'),
  label: text('Redacted.'),
  atMs: { type: 'number', description: 'Epoch milliseconds.' },
});

export const PROMPT: Schema = {
  type: 'object',
  required: ['name', 'text'],
  properties: {
    name: name('Name of the text, e.g. support.system.'),
    text: { type: 'string', minLength: 1, maxLength: 400_000, description: 'The text itself.' },
    replaces: name('Version that this text replaces, if the server knows another one under this name.'),
  },
};
export const DECLARED: Schema = {
  type: 'object',
  properties: { name: text('As sent.'), version: text('Hash of the text: name it when a task begins.') },
};

export const TASK_QUERY: Schema = {
  type: 'object',
  required: ['task'],
  properties: { task: name('Name of the task.'), ...SCOPE_FIELDS },
};
export const POLICY_ANSWER: Schema = { type: 'object', properties: { task: text('As asked.'), policy: POLICY } };
export const ADVICE_QUERY: Schema = {
  type: 'object',
  properties: { task: name('Left out: the rules of every task.'), session: SESSION, ...SCOPE_FIELDS },
};
export const ADVICE_ANSWER: Schema = { type: 'object', properties: { advice: ADVICE } };

const SCORE_FIELDS = {
  score: { type: 'number', description: '0 (broken) to 1 (healthy).' },
  low: { type: 'number', description: 'Lower end of the 95 % interval. It is 0 to 1 in the first two days.' },
  high: { type: 'number', description: 'Upper end.' },
  known: { type: 'boolean', description: 'False while there is nothing to judge by.' },
};
const BY_NAME = { type: 'object', additionalProperties: { type: 'object', properties: SCORE_FIELDS } };
export const HEALTH: Schema = {
  type: 'object',
  properties: {
    ...SCORE_FIELDS,
    byTask: BY_NAME,
    byModel: BY_NAME,
    bySource: BY_NAME,
    byService: BY_NAME,
    byVersion: BY_NAME,
    byRegion: BY_NAME,
    byHost: BY_NAME,
    sources: list({ type: 'string' }, 'Names of the attached sources, e.g. http.'),
    durability: { enum: ['store', 'memory'], description: 'Where records are. In memory they end with the process.' },
  },
};

export const PATTERNS: Schema = {
  type: 'object',
  properties: {
    patterns: list(
      record('Failures that belong together, the costliest first.', {
        id: text('Never changes.'),
        task: text('The task that fails.'),
        issue: text('What goes wrong.'),
        template: text('The message with its variable parts as <*>.'),
        count: count('Occurrences in the window.'),
      }),
    ),
  },
};

const FIX: Schema = record('A change proposed for a pattern.', {
  id: text('Use it to approve, reject or roll back the fix.'),
  task: text('The task it is for.'),
  target: text('What it changes, e.g. retries.network.'),
  status: text(
    'proposed, approved, trial, confirmed, rejected, rolled-back, applied-unverified, reopened, superseded, expired or void.',
  ),
  reason: text('Why this change, with numbers.'),
});
export const FIXES_QUERY: Schema = {
  type: 'object',
  properties: {
    status: {
      type: 'string',
      enum: [
        'proposed',
        'approved',
        'trial',
        'confirmed',
        'rejected',
        'rolled-back',
        'applied-unverified',
        'reopened',
        'superseded',
        'expired',
        'void',
      ],
    },
    task: name('Only fixes for this task.'),
  },
};
export const FIXES: Schema = { type: 'object', properties: { fixes: list(FIX) } };
export const FIX_ANSWER: Schema = { type: 'object', properties: { fix: FIX } };

export const ID_PARAMS: Schema = { type: 'object', required: ['id'], properties: { id: name('As it was given.') } };

export const decision = ({ needsReason }: { readonly needsReason: boolean }): Schema => ({
  type: 'object',
  required: needsReason ? ['by', 'reason'] : ['by'],
  properties: {
    by: { ...name('Who decides; recorded permanently in the ledger.'), pattern: '\\S' },
    reason: { type: 'string', minLength: 1, maxLength: 2_000, description: 'Why; recorded permanently in the ledger.' },
  },
});

export const EVENTS_QUERY: Schema = {
  type: 'object',
  properties: { kinds: text('Only these, with commas between them, e.g. verdict,fix-proposed.') },
};

export const HOOK: Schema = record('The body of a hook, as the agent writes it.', {});
export const HOOK_ANSWER: Schema = record('What the agent reads.', {});

export const TRACES: Schema = record('An OTLP trace export request in its JSON form.', {
  resourceSpans: { description: 'Spans by resource.' },
});
export const TRACES_ANSWER: Schema = {
  type: 'object',
  properties: {
    partialSuccess: {
      type: 'object',
      properties: {
        rejectedSpans: { type: 'string', description: 'How many could not be read.' },
        errorMessage: text('Why the first of them could not.'),
      },
    },
  },
};

export const PROBLEM: Schema = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail'],
  properties: {
    type: text('about:blank'),
    title: text('The name of the status.'),
    status: count('The HTTP status.'),
    detail: text('What failed, and what to do.'),
    field: text('The field, header or parameter that is meant.'),
    accepted: count('Of a stream that ended early: what was taken before, and is safe.'),
    errors: WARNINGS,
  },
};
