import { ERROR_CATEGORIES, type ErrorCategory, type Issue } from '../contract/issue.js';
import { PERMANENT } from '../contract/settings.js';
import { type Facts, isAbort, readFacts } from './facts.js';
import { type RuleFinder, ruleFinder } from './find-rules.js';
import { readPhrases } from './phrases.js';
import { statedInText } from './retry-after.js';
import { RULES as ENGLISH_RULES, type Form, type RuleRow } from './rules.js';
import { LANGUAGE_RULES } from './rules-languages.js';
import { WordEvidence, type WordWeights, weighedWords } from './word-evidence.js';
import { WORD_WEIGHTS } from './word-weights.js';

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

/** Returns whether errors of this category are usually transient. `classifyError` also knows causes that never are. */
export function isRetryable(category: ErrorCategory): boolean {
  return RETRYABLE.includes(category);
}

// Excludes `tool_failure` and `unknown`: no evidence says that they are transient.
const RETRYABLE: readonly ErrorCategory[] = [
  'rate_limit',
  'overloaded',
  'timeout',
  'network',
  'empty_response',
  'parse_error',
  'resource_exhausted',
  'server_error',
];

/** A cause with at least this weight decides, even if wrapped by other errors. */
const DECIDES = 45;
/** Minimum confidence for a known category, on which the loop may act. */
export const KNOWN = 0.7;
/** A failure with at least this weight outweighs a report of success. */
const CONTRADICTS = 50;

const RULES: readonly RuleRow[] = /* @__PURE__ */ ENGLISH_RULES.concat(LANGUAGE_RULES);
const FORMS: readonly RuleRow[] = /* @__PURE__ */ ENGLISH_RULES.filter((row) => row[4]?.form !== undefined);

/**
 * Categories with which codes and words may refine the structural category. Categories not listed, such as
 * `tool_failure`, accept any but `unknown`: a tool's failure only says where it happened. A `server_error` accepts any
 * reason but `cancelled` and `unknown`.
 */
const REFINED_BY: { readonly [Category in ErrorCategory]?: readonly ErrorCategory[] } = {
  rate_limit: ['quota_exceeded', 'overloaded', 'context_length', 'resource_exhausted'],
  quota_exceeded: [],
  overloaded: [],
  timeout: ['overloaded'],
  network: ['overloaded'],
  auth: [],
  permission: ['auth', 'quota_exceeded', 'rate_limit', 'content_filter', 'model_not_found'],
  model_not_found: [],
  not_found: ['model_not_found', 'tool_failure'],
  context_length: ['rate_limit', 'validation', 'resource_exhausted'],
  content_filter: [],
  validation: [
    'context_length',
    'content_filter',
    'model_not_found',
    'quota_exceeded',
    'auth',
    'permission',
    'parse_error',
    'not_found',
    'empty_response',
    'rate_limit',
    'tool_failure',
  ],
  resource_exhausted: ['rate_limit'],
  cancelled: ['timeout', 'network', 'tool_failure', 'resource_exhausted'],
  server_error: /* @__PURE__ */ ERROR_CATEGORIES.filter(
    (category) => category !== 'cancelled' && category !== 'unknown',
  ),
};

/** Rules and word weights used to read texts. */
export interface Reader {
  readonly find: RuleFinder;
  /** Builds the word table on first use, because many processes never need it. */
  readonly evidence: () => WordEvidence;
}

export function readerWith(weights: WordWeights): Reader {
  const phrases = readPhrases(
    RULES.map((row) => row[3]),
    weighedWords(weights),
  );
  let evidence: WordEvidence | undefined;
  return {
    find: ruleFinder(phrases),
    evidence: () => {
      evidence ??= new WordEvidence(weights, phrases);
      return evidence;
    },
  };
}

/** Built on first use to keep importing free. Never changes afterwards. */
let ownReader: Reader | undefined;

function reader(): Reader {
  ownReader ??= readerWith(WORD_WEIGHTS);
  return ownReader;
}

/** State of one classification. */
interface Run extends Reader {
  readonly mayBeCancelled: boolean;
  /** Every rule row that matched. */
  readonly matched: RuleRow[];
}

function runWith({ find, evidence }: Reader, mayBeCancelled: boolean): Run {
  return { find, evidence, mayBeCancelled, matched: [] };
}

/** Classifies an error. Never throws: an error without any known sign is `unknown`. */
export function classifyError(input: unknown, options: ClassifyOptions = {}): Classification {
  return classifyWith(reader(), input, options);
}

/** Classifies like `classifyError`, with other word weights. */
export function classifyWith(reader: Reader, input: unknown, options: ClassifyOptions = {}): Classification {
  return classifyFacts(readFacts(input), options.rules, runWith(reader, true));
}

/**
 * Classifies the error of a failed task. Only an abort signal or a user-defined rule can make it `cancelled`, which
 * excludes the task from the counts. A sentence such as "the order was cancelled" never does.
 */
export function classifyFailure(input: unknown, options: ClassifyOptions = {}): Classification {
  const layers = readFacts(input);
  return classifyFacts(layers, options.rules, runWith(reader(), layers.some(isAbort)));
}

/**
 * Returns only the issue of `classifyFailure`, for callers that have already read the error. `isHint`: the confidence
 * is below `KNOWN`.
 */
export function issueOf(
  layers: readonly Facts[],
  rules: readonly ErrorRule[],
): { readonly issue: Issue; readonly isHint: boolean } {
  const own = findOwn(rules, layers)?.category;
  if (own !== undefined) return { issue: own, isHint: false };
  const decided = decide(layers, runWith(reader(), layers.some(isAbort)));
  return { issue: issueOfRow(decided), isHint: !isSure(decided) };
}

function classifyFacts(layers: readonly Facts[], rules: readonly ErrorRule[] = [], run: Run): Classification {
  const decided = decide(layers, run);
  const { matched } = run;
  const own = findOwn(rules, layers);
  const category = own?.category ?? decided?.[0] ?? 'unknown';
  const retryAfterMs = waitOf(layers, isRetryable(category) || category === 'quota_exceeded');
  const isKnown = own !== undefined || isSure(decided);
  const permanent =
    layers.some((facts) => facts.final) ||
    (isKnown && PERMANENT.has(category)) ||
    (own === undefined && decided?.[4]?.permanent === true);
  const said = {
    category,
    issue: own?.category ?? issueOfRow(decided),
    confidence: own ? (own.confidence ?? 1) : confidenceOf(decided),
    retryable: isRetryable(category) && isKnown && !permanent,
    permanent,
    alternatives: matched.length > 1 || own ? alternativesOf(matched, category) : [],
    rule: own?.id ?? (decided ? `${decided[0]}/${decided[1]}` : 'none'),
  };
  return retryAfterMs === undefined ? said : { ...said, retryAfterMs };
}

function issueOfRow(row: RuleRow | undefined): Issue {
  return row?.[4]?.issue ?? row?.[0] ?? 'unknown';
}

/** Returns the confidence: at least `KNOWN` for a sure row, otherwise the row's weight as a probability. */
function confidenceOf(row: RuleRow | undefined): number {
  if (row === undefined) return 0;
  const weight = row[2];
  return isSure(row)
    ? Math.round(100 * (KNOWN + ((1 - KNOWN) * (weight - DECIDES)) / (100 - DECIDES))) / 100
    : weight / 100;
}

/**
 * Returns the deciding row. Structure comes first: a status, refined by codes and class names, then by words. With
 * several layers, the innermost sure one decides. Words must be compatible with the structural category of any layer.
 */
function decide(layers: readonly Facts[], run: Run): RuleRow | undefined {
  let stated: RuleRow | undefined;
  let statedAt = -1;
  for (let index = layers.length - 1; index >= 0; index--) {
    const facts = layers[index];
    if (!facts || facts.statuses.length + facts.signs.length === 0) continue;
    let known: RuleRow | undefined;
    for (const status of facts.statuses) known = surest([`http ${status}`], known, known, run);
    const row = surest(facts.signs, known, known, run);
    if (!row || isSure(stated) || (stated && row[2] < stated[2])) continue;
    stated = row;
    statedAt = index;
  }

  let decided: RuleRow | undefined;
  for (let index = layers.length - 1; index >= 0; index--) {
    const settled = isSure(decided);
    if (index === statedAt && stated && !settled && (!decided || stated[2] >= decided[2])) decided = stated;
    const said = surest(layers[index]?.messages ?? [], decided, stated, run);
    if (!settled) decided = said;
  }
  return isSure(stated) ? decided : weigh(decided, layers, run);
}

/** Advantage of a rule over words, in log odds. */
const LEAD = 2;
/** The same for general wording, which programs print in many situations. */
const LEAD_OF_GENERAL = 2.5;
const GENERAL = 88;
/** Weight of unambiguous rules, which words never outweigh. */
const SURE = 92;
/**
 * Minimum probability of a guess from words. Does not apply to common categories in a sentence, because sentences from
 * services are mostly rejections.
 */
const LEAST_PROBABLE = 0.3;
/** The same for retryable categories, which settings can fix. */
const LEAST_PROBABLE_TO_MEND = 0.4;
/**
 * Minimum support from words. A single word may be domain vocabulary (`token of the visit`), so it suffices only for
 * common categories.
 */
const MIN_SUPPORT = 2;
const COMMON: ReadonlySet<ErrorCategory> = /* @__PURE__ */ new Set(['validation', 'tool_failure', 'unknown'] as const);
/** Rows for results from words alone: always guesses, however clear. */
const WORD_ROWS: readonly RuleRow[] = /* @__PURE__ */ ERROR_CATEGORIES.map((category) => [category, 'words', 40, '']);

/** Returns the row that decided, or a guess if the words of the error outweigh it. */
function weigh(
  decided: RuleRow | undefined,
  layers: readonly Facts[],
  { find, evidence: evidenceOf, mayBeCancelled, matched }: Run,
): RuleRow | undefined {
  if (decided && (decided[2] >= SURE || decided[4]?.issue || decided[1] === 'status')) return decided;
  const evidence = evidenceOf();
  evidence.start();
  for (const { signs, messages } of layers) {
    for (const texts of [signs, messages]) {
      for (const text of texts) {
        const { symbols, words } = find(text);
        evidence.add(text, symbols, words);
      }
    }
  }
  const { scores, support, isSentence } = evidence;
  const lead = (decided?.[2] ?? 0) < GENERAL ? LEAD : LEAD_OF_GENERAL;
  const isKnown = (decided?.[2] ?? 0) >= DECIDES;
  let best = decided;
  let most = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < WORD_ROWS.length; index++) {
    const row = WORD_ROWS[index];
    if (!row || (row[0] === 'cancelled' && !mayBeCancelled)) continue;
    const isDecided = decided?.[0] === row[0];
    // A category known from a rule yields only to the common categories.
    if (!isDecided && isKnown && !COMMON.has(row[0])) continue;
    const least = !COMMON.has(row[0]) ? MIN_SUPPORT : isSentence ? 0 : 1;
    if (!isDecided && (support[index] ?? 0) < least) continue;
    const score = (scores[index] ?? 0) + (isDecided ? lead : 0);
    if (score <= most) continue;
    most = score;
    best = isDecided ? decided : row;
  }
  if (best === decided) return best;
  const isPlain = isSentence && best !== undefined && COMMON.has(best[0]);
  const least = best && isRetryable(best[0]) ? LEAST_PROBABLE_TO_MEND : LEAST_PROBABLE;
  if (!isPlain && probability(scores, most) < least) return decided;
  if (best) matched.push(best);
  return best;
}

/** Returns the probability of a category with this score, from words alone. */
function probability(scores: Float64Array, score: number): number {
  let sum = 0;
  for (const other of scores) sum += Math.exp(other - score);
  return 1 / sum;
}

/** Returns the surest row of the texts, or `before`. Skips rows that may not refine `known`. */
function surest(
  texts: readonly string[],
  before: RuleRow | undefined,
  known: RuleRow | undefined,
  { find, matched, mayBeCancelled }: Run,
): RuleRow | undefined {
  let found = before;
  for (const text of texts) {
    const { count, rules, from, to } = find(text);
    for (const row of FORMS) {
      if (!row[4]?.form || !hasForm(text, row[4].form)) continue;
      matched.push(row);
      if (decidesAfter(found, row) && mayRefine(known, row)) found = row;
    }
    /** Last word of the most recent report of success. A phrase inside it does not report a failure. */
    let covered = -1;
    let foundAt = -1;
    let foundTo = -1;
    for (let index = 0; index < count; index++) {
      const row = RULES[rules[index] ?? -1];
      const at = from[index] ?? 0;
      const end = to[index] ?? at;
      if (!row || (row[0] === 'cancelled' && !mayBeCancelled)) continue;
      if (!matched.includes(row)) matched.push(row);
      const isSuccess = row[4]?.success !== undefined;
      if (!isSuccess && end <= covered) continue;
      if (isSuccess) covered = Math.max(covered, end);
      const holdsFound = isSuccess && at <= foundAt && foundTo <= end;
      if ((holdsFound || decidesAfter(found, row)) && mayRefine(known, row)) {
        found = row;
        foundAt = at;
        foundTo = end;
      }
    }
  }
  return found;
}

/** Returns whether a text has this form. Cheaper tests come first, because this runs for every text. */
function hasForm(text: string, { line, starts, place, text: within }: Form): boolean {
  if (within?.test(text) || (place && namesPlace(text) && place.test(text))) return true;
  if (!line) return false;
  for (let at = 0; ; ) {
    if (starts ? starts.includes(text.charAt(at)) : text[text.indexOf(' ', at) - 1] === ':') {
      line.lastIndex = at;
      if (line.test(text)) return true;
    }
    at = text.indexOf('\n', at) + 1;
    if (at === 0) return false;
  }
}

function namesPlace(text: string): boolean {
  for (const mark of ':(') {
    for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) {
      const unit = text.charCodeAt(at + 1);
      if (unit > 47 && unit < 58) return true;
    }
  }
  return false;
}

/**
 * Returns whether a row replaces an earlier match. The row with the greater weight wins, and the later one on a tie. A
 * report of success yields to any clear failure beside it. Only a report of recovery ("retry 2 succeeded") overrides an
 * earlier failure.
 */
function decidesAfter(found: RuleRow | undefined, row: RuleRow): boolean {
  if (!found) return true;
  if (row[4]?.success) return row[4].success === 'overcome' || found[2] < CONTRADICTS;
  if (found[4]?.success) return row[2] >= CONTRADICTS;
  return row[2] >= found[2];
}

function isSure(row: RuleRow | undefined): boolean {
  return row !== undefined && row[2] >= DECIDES;
}

/**
 * Returns whether a row may refine or contradict the structural category. A category that is only a hint imposes no
 * limits.
 */
function mayRefine(known: RuleRow | undefined, row: RuleRow): boolean {
  if (!known || !isSure(known) || known[0] === row[0]) return true;
  return REFINED_BY[known[0]]?.includes(row[0]) ?? row[0] !== 'unknown';
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
