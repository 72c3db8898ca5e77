import { type Fix, type Issue, type Outcome, type RuleChange, redact } from 'rsi-loop';
import { recordedText } from 'rsi-loop/parts';

/** What a model may be trained with, a line of JSON each. */
export type TrainingFormat = 'preference' | 'sft';

/** `{prompt, chosen, rejected}`, as trainers of preferences take it. */
interface Preference {
  readonly prompt: string;
  readonly chosen: string;
  readonly rejected: string;
  readonly metadata: object;
}

/** A chat that ends with the answer to learn, as trainers on examples take it. */
interface Example {
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly content: string }[];
  readonly metadata: object;
}

type RuleFix = Fix & { readonly change: RuleChange };

/** A person or a trial stands behind these. */
const IN_FORCE: ReadonlySet<string> = new Set(['confirmed', 'applied-unverified']);
/** A person or a trial spoke against these. */
const REJECTED: ReadonlySet<string> = new Set(['refused', 'rolled-back']);

/** Rules in force, beside those that were turned down for the same failures. */
export function trainingOfRules(fixes: readonly Fix[], format: TrainingFormat): readonly (Preference | Example)[] {
  const rules = fixes.filter((fix): fix is RuleFix => fix.change.kind === 'rule');
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

/** Failures of the world around the agent: no other answer would have helped, so there is nothing to learn from them. */
const OUTAGES: ReadonlySet<Issue> = new Set<Issue>(
  'rate_limit quota_exceeded overloaded timeout network auth permission model_not_found resource_exhausted cancelled server_error'.split(
    ' ',
  ),
);
/** Says what an answer should be like, and is none itself. */
const WISH =
  /\b(?:should(?:n't)?|must(?:n't)?|ought to|needs? to|has to|have to|supposed to|expected to|instead of|rather than|please)\b|^(?:to|no|not|don't|do not|never|always|at least|at most|some|any)\b/i;

/** A failure that somebody corrected: `expected` is the answer, and for preferences `actual` is the one that came instead. */
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

/** What was recorded may hold anything: no hidden characters, cut, redacted. */
function text(recorded: string): string {
  return recordedText(redact(recorded));
}

function name(recorded: string): string {
  return JSON.stringify(text(recorded));
}
