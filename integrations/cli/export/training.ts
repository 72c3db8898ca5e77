import { type FixOf, type Issue, type Outcome, type RuleChange, redact } from 'rsi-loop';
import { recordedText } from 'rsi-loop/kit';

/** Format of training data, one JSON object per line. */
export type TrainingFormat = 'preference' | 'sft';

/** Preference example `{prompt, chosen, rejected}`, as preference trainers expect it. */
interface Preference {
  readonly prompt: string;
  readonly chosen: string;
  readonly rejected: string;
  readonly metadata: object;
}

/** Chat that ends with the answer to learn, as supervised trainers expect it. */
interface Example {
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: string }[];
  readonly metadata: object;
}

/** Statuses that a person or a trial supports. */
const IN_FORCE: ReadonlySet<string> = new Set(['confirmed', 'applied-unverified']);
/** Statuses that a person or a trial decided against. */
const REJECTED: ReadonlySet<string> = new Set(['rejected', 'rolled-back']);

/** Pairs rules in force with rules that were rejected for the same failures. */
export function trainingOfRules(
  rules: readonly FixOf<RuleChange>[],
  format: TrainingFormat,
): readonly (Preference | Example)[] {
  return rules
    .filter(({ status }) => IN_FORCE.has(status))
    .flatMap((rule): (Preference | Example)[] => {
      const { id, task, issue, status, change } = rule;
      const prompt = `Which rule should an agent follow at the task ${name(task)}, which fails with ${name(issue)}?`;
      const metadata = { kind: 'rule', id, task, issue, status };
      if (format === 'sft') return [chat(prompt, change.text, metadata)];
      const others = rules.filter((other) => other.patternId === rule.patternId && REJECTED.has(other.status));
      return others
        .filter((other) => other.change.text !== change.text)
        .map((other) => ({
          prompt,
          chosen: text(change.text),
          rejected: text(other.change.text),
          metadata: { ...metadata, rejected: other.id },
        }));
    });
}

/** Failures outside the agent. No other answer would have helped, so there is nothing to learn from them. */
const OUTAGES: ReadonlySet<Issue> = new Set<Issue>(
  'rate_limit quota_exceeded overloaded timeout network auth permission model_not_found resource_exhausted cancelled server_error'.split(
    ' ',
  ),
);
/** Wording that describes what an answer should be like and is not an answer itself. */
const WISH =
  /\b(?:should(?:n't)?|must(?:n't)?|ought to|needs? to|has to|have to|supposed to|expected to|instead of|rather than|please)\b|^(?:to|no|not|don't|do not|never|always|at least|at most|some|any)\b/i;

/**
 * Returns training data for a failure that a person corrected. `expected` is the right answer; preferences use `actual`
 * as the rejected one.
 */
export function trainingOf(outcome: Outcome, format: TrainingFormat): Preference | Example | undefined {
  const { id, task, success, issues, expected, actual, context, atMs } = outcome;
  if (success || expected === undefined || expected.trim() === '') return undefined;
  if (WISH.test(expected) || issues.some((issue) => OUTAGES.has(issue))) return undefined;
  const facts = context === undefined ? '' : `\n\n${text(JSON.stringify(context))}`;
  const prompt = `Task: ${name(task)}${facts}`;
  const metadata = { kind: 'correction', id, task, issues, atMs };
  if (format === 'sft') return chat(prompt, expected, metadata);
  if (actual === undefined || actual === expected) return undefined;
  return { prompt, chosen: text(expected), rejected: text(actual), metadata };
}

function chat(prompt: string, answer: string, metadata: object): Example {
  const user = { role: 'user', content: prompt } as const;
  return { messages: [user, { role: 'assistant', content: text(answer) }], metadata };
}

/** Sanitises recorded text: removes hidden characters, shortens and redacts. */
function text(recorded: string): string {
  return recordedText(redact(recorded));
}

function name(recorded: string): string {
  return JSON.stringify(text(recorded));
}
