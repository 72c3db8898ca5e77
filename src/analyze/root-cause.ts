import { KNOWN } from '../classify/certainty.js';
import type { Issue } from '../contract/issue.js';
import type { RootCause, RootCauseFinding } from '../contract/pattern.js';
import { LIMIT_OF_CALL } from '../lib/limit-of-call.js';
import type { BehaviourCounts } from './behaviour.js';
import { causeInWords } from './cause-words.js';

/** Facts about a pattern, used to find its cause. */
export interface RootCauseInput {
  readonly issue: Issue;
  /** Confidence of the issue, 0 to 1. Default 1: the caller named it, or a code did. */
  readonly issueConfidence?: number;
  readonly behaviour: BehaviourCounts;
  /** Issues from other sources that precede this pattern more often than chance. */
  readonly precededBy: readonly Issue[];
  /** Up to 3 different texts in which people or programs described the failures. */
  readonly texts: readonly string[];
}

interface IssueRule {
  readonly issues: readonly Issue[];
  /** Words that all texts must contain. Default: none. */
  readonly say?: string;
  readonly cause: RootCause;
  readonly confidence: number;
  readonly why: string;
}

/** Failures of the environment. They are checked first, because the agent's reasoning could not prevent them. */
const ENVIRONMENT: readonly IssueRule[] = [
  {
    issues: ['rate_limit', 'quota_exceeded', 'overloaded', 'server_error', 'network', 'auth', 'permission'],
    cause: 'tool_failure',
    confidence: 0.95,
    why: 'the service failed; the agent did not cause it',
  },
  {
    issues: ['timeout'],
    say: LIMIT_OF_CALL,
    cause: 'tool_failure',
    confidence: 0.8,
    why: 'the limit that the caller passes ended it',
  },
  {
    issues: ['timeout', 'resource_exhausted', 'tool_failure', 'empty_response', 'model_not_found', 'model_fallback'],
    cause: 'tool_failure',
    confidence: 0.8,
    why: 'the call failed outside the agent',
  },
];

/** Issues that themselves indicate how the agent failed. */
const NAMED: readonly IssueRule[] = [
  {
    issues: ['context_loss', 'session_reset', 'compaction_lost_context', 'memory_miss', 'hydration_fail', 'wal_miss'],
    cause: 'context_loss',
    confidence: 0.9,
    why: 'something the agent had known was gone',
  },
  {
    issues: ['skill_gap', 'missing_tool'],
    cause: 'knowledge_gap',
    confidence: 0.85,
    why: 'the agent lacked a skill or a tool',
  },
  {
    issues: ['loop', 'repeated_mistake'],
    cause: 'reasoning_error',
    confidence: 0.75,
    why: 'the agent did again what had failed',
  },
  {
    issues: ['over_confirmation'],
    cause: 'instruction_ambiguity',
    confidence: 0.6,
    why: 'the agent asked where it should have acted',
  },
  { issues: ['context_length'], cause: 'context_loss', confidence: 0.6, why: 'the context did not fit the model' },
];

const RESETS: ReadonlySet<Issue> = new Set(['session_reset', 'compaction_lost_context', 'hydration_fail']);
/** Issues that occur when agents guess unknown names and arguments. */
const GUESSES: ReadonlySet<Issue> = new Set(['not_found', 'validation']);
/** Minimum count and share of occurrences before a behaviour is significant: 3 times and in at least half. */
const MIN_SEEN = 3;
const MIN_SHARE = 0.5;

/** Confidence from which a rule-based cause counts as certain. Below it, a model is asked if available. */
export const SURE_CAUSE = 0.7;

/**
 * Finds the cause of a pattern by rules. Checks in order: the environment, preceding issues, the issue itself, the
 * agent's behaviour, and the words of the failures. Finally checks for repetition. Returns `undetermined` if no rule
 * gives a clear answer.
 */
export function findRootCause(input: RootCauseInput): RootCauseFinding {
  const isGuess = (input.issueConfidence ?? 1) < KNOWN;
  return (
    (isGuess ? byWords(input) : undefined) ??
    byIssue(ENVIRONMENT, input) ??
    afterReset(input) ??
    byIssue(NAMED, input) ??
    byBehaviour(input) ??
    byWords(input) ??
    byRepetition(input) ?? { cause: 'undetermined', confidence: 0, evidence: [] }
  );
}

/** Returns the cause that belongs to an issue, never with more confidence than the issue itself has. */
function byIssue(rules: readonly IssueRule[], input: RootCauseInput): RootCauseFinding | undefined {
  const { issue, issueConfidence = 1, texts } = input;
  const rule = rules.find(({ issues, say }) => issues.includes(issue) && (say === undefined || isSaid(say, texts)));
  if (rule === undefined) return undefined;
  const confidence = Math.min(rule.confidence, issueConfidence);
  return { cause: rule.cause, confidence, evidence: [`${issue}: ${rule.why}`] };
}

function isSaid(words: string, texts: readonly string[]): boolean {
  return texts.length > 0 && texts.every((text) => text.includes(words));
}

function afterReset({ precededBy }: RootCauseInput): RootCauseFinding | undefined {
  const reset = precededBy.find((issue) => RESETS.has(issue));
  return reset && { cause: 'context_loss', confidence: 0.8, evidence: [`follows ${reset} more often than chance`] };
}

function byBehaviour({ behaviour }: RootCauseInput): RootCauseFinding | undefined {
  const { claimed, asked } = behaviour;
  if (isOften(claimed, behaviour)) {
    return observed('overconfidence', claimed, behaviour, 'failed although the agent said it was done');
  }
  if (isOften(asked, behaviour))
    return observed('instruction_ambiguity', asked, behaviour, 'ended with a question back');
  return undefined;
}

/** Requires agreement of more than half of the different texts, because one may describe something else. */
function byWords({ texts }: RootCauseInput): RootCauseFinding | undefined {
  const found = texts.flatMap((text) => causeInWords(text) ?? []);
  for (const { cause } of found) {
    const agreeing = found.filter((other) => other.cause === cause);
    if (agreeing.length * 2 <= texts.length) continue;
    const said = agreeing.map(({ words }) => `"${words}"`).join(', ');
    const evidence = `${agreeing.length} of ${texts.length} different texts say so: ${said}`;
    return { cause, confidence: agreeing.length > 1 ? 0.6 : 0.5, evidence: [evidence] };
  }
  return undefined;
}

function byRepetition({ issue, behaviour }: RootCauseInput): RootCauseFinding | undefined {
  if (isOften(behaviour.repeated, behaviour)) {
    return observed(
      'reasoning_error',
      behaviour.repeated,
      behaviour,
      'came again within 10 minutes of the same session',
    );
  }
  if (!GUESSES.has(issue)) return undefined;
  return { cause: 'knowledge_gap', confidence: 0.5, evidence: [`${issue}: names or arguments that do not exist`] };
}

function isOften(count: number, { seen }: BehaviourCounts): boolean {
  return count >= MIN_SEEN && count >= MIN_SHARE * seen;
}

function observed(cause: RootCause, count: number, { seen }: BehaviourCounts, what: string): RootCauseFinding {
  // Less certain than a status code, because agents' self-reports are weak evidence: 0.35, up to 0.7 if all cases
  // agree.
  return { cause, confidence: Math.min(0.7, 0.35 + 0.35 * (count / seen)), evidence: [`${count} of ${seen} ${what}`] };
}
