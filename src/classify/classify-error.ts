import type { ErrorCategory, Issue } from '../contract/issue.js';
import { PERMANENT } from '../contract/settings.js';
import { confidenceOf, isRetryable, isSure } from './certainty.js';
import { decide } from './decide.js';
import { type Facts, isAbort, readFacts } from './facts.js';
import { defaultReader, type Matching, matchingOf, type Reader } from './reader.js';
import { statedInText } from './retry-after.js';
import type { RuleRow } from './rules.js';
import { classOfToolWords } from './tool-words.js';

/** Classification of an error, with the reasons for it. */
export interface Classification {
  readonly category: ErrorCategory;
  /** Name under which failures are counted: the category, or a finer issue such as `missing_tool`. */
  readonly issue: Issue;
  /**
   * Confidence, 0 to 1; 0 if nothing matched. From 0.7 on the category is known; below, it is a guess from the topic.
   */
  readonly confidence: number;
  /** The same call may succeed shortly. */
  readonly retryable: boolean;
  /**
   * The same call will fail again: an expired certificate, a full disk, a wrong key. If neither this nor `retryable` is
   * set, it is unknown.
   */
  readonly permanent: boolean;
  /** Wait requested by the server. */
  readonly retryAfterMs?: number;
  /** Other matching categories, most likely first. */
  readonly alternatives: readonly { readonly category: ErrorCategory; readonly confidence: number }[];
  /** Id of the deciding rule, e.g. `rate_limit/wording`; `none` if nothing matched. */
  readonly rule: string;
}

/** User-defined rule. These rules precede the built-in ones; the first match decides. */
export interface ErrorRule {
  readonly id: string;
  readonly category: ErrorCategory;
  /** Tested against the names, codes and messages of the error, one per line. */
  readonly pattern: RegExp;
  /** Confidence, 0 to 1. Default 1. */
  readonly confidence?: number;
}

export interface ClassifyOptions {
  readonly rules?: readonly ErrorRule[];
}

/** Classifies an error. Never throws: an error without any known sign is `unknown`. */
export function classifyError(input: unknown, options: ClassifyOptions = {}): Classification {
  return classifyWith(defaultReader(), input, options);
}

/** Classifies like `classifyError`, with other word weights. */
export function classifyWith(reader: Reader, input: unknown, options: ClassifyOptions = {}): Classification {
  return classifyFacts(readFacts(input), options.rules, matchingOf(reader, true));
}

/**
 * Classifies the error of a failed task. Only an abort signal or a user-defined rule can make it `cancelled`, which
 * excludes the task from the counts. A sentence such as "the order was cancelled" never does.
 */
export function classifyFailure(input: unknown, options: ClassifyOptions = {}): Classification {
  const layers = readFacts(input);
  return classifyFacts(layers, options.rules, matchingOf(defaultReader(), layers.some(isAbort)));
}

/**
 * Returns only the issue of `classifyFailure`, for callers that have already read the error. `isHint`: the confidence
 * is below `KNOWN`.
 */
export function issueOf(
  layers: readonly Facts[],
  rules: readonly ErrorRule[],
): { readonly issue: Issue; readonly isHint: boolean } {
  const own = findOwn(rules, layers)?.category ?? classOfToolWords(layers);
  if (own !== undefined) return { issue: own, isHint: false };
  const decided = decide(layers, matchingOf(defaultReader(), layers.some(isAbort)));
  return { issue: issueOfRow(decided), isHint: !isSure(decided) };
}

/** Returns the issue that a user-defined rule gives. */
export function ownIssueOf(layers: readonly Facts[], rules: readonly ErrorRule[]): Issue | undefined {
  return findOwn(rules, layers)?.category;
}

function classifyFacts(layers: readonly Facts[], rules: readonly ErrorRule[] = [], matching: Matching): Classification {
  const decided = decide(layers, matching);
  const { matched } = matching;
  const own = findOwn(rules, layers) ?? ofToolWords(layers);
  const category = own?.category ?? decided?.[0] ?? 'unknown';
  const retryAfterMs = waitOf(layers, isRetryable(category) || category === 'quota_exceeded');
  const isKnown = own !== undefined || isSure(decided);
  const isPermanentRow = own === undefined && decided?.[4]?.permanent === true;
  const permanent = layers.some((facts) => facts.final) || (isKnown && PERMANENT.has(category)) || isPermanentRow;
  const said = {
    category,
    ...(own ? { issue: own.category, confidence: own.confidence ?? 1 } : ofRow(decided)),
    retryable: isRetryable(category) && isKnown && !permanent,
    permanent,
    alternatives: matched.length > 1 || own ? alternativesOf(matched, category) : [],
    rule: own?.id ?? (decided ? `${decided[0]}/${decided[1]}` : 'none'),
  };
  return retryAfterMs === undefined ? said : { ...said, retryAfterMs };
}

function ofRow(row: RuleRow | undefined): Pick<Classification, 'issue' | 'confidence'> {
  return { issue: issueOfRow(row), confidence: confidenceOf(row) };
}

function ofToolWords(layers: readonly Facts[]): Pick<ErrorRule, 'id' | 'category' | 'confidence'> | undefined {
  const category = classOfToolWords(layers);
  return category && { id: `${category}/tool-words`, category };
}

function issueOfRow(row: RuleRow | undefined): Issue {
  return row?.[4]?.issue ?? row?.[0] ?? 'unknown';
}

/** Returns the surest row of each other category, surest first. */
function alternativesOf(matched: readonly RuleRow[], category: ErrorCategory): Classification['alternatives'] {
  const others: RuleRow[] = [];
  for (const row of matched) {
    const known = others.findIndex((other) => other[0] === row[0]);
    if (row[0] === category || (others[known]?.[2] ?? 0) >= row[2]) continue;
    others[known < 0 ? others.length : known] = row;
  }
  if (others.length > 1) others.sort((one, other) => other[2] - one[2]);
  return others.map((row) => ({ category: row[0], confidence: confidenceOf(row) }));
}

function findOwn(rules: readonly ErrorRule[], layers: readonly Facts[]): ErrorRule | undefined {
  if (rules.length === 0) return undefined;
  const texts = layers.flatMap(({ statuses, signs, messages }) => [
    ...statuses.map((status) => `status ${status}`),
    ...signs,
    ...messages,
  ]);
  const text = texts.join('\n'); // bounded by `readFacts`
  return rules.find((rule) => text.search(rule.pattern) >= 0);
}

/**
 * Returns the innermost wait stated in a field or header. Otherwise, if waiting can help, returns the first wait stated
 * in words.
 */
function waitOf(layers: readonly Facts[], inWords: boolean): number | undefined {
  let wait: number | undefined;
  for (const facts of layers) wait = facts.retryAfterMs ?? wait;
  if (wait === undefined && inWords)
    for (const facts of layers) for (const text of facts.messages) wait ??= statedInText(text);
  return wait;
}
