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

/** Name of an error, with the grounds for it. */
export interface Classification {
  readonly category: ErrorCategory;
  /** The name failures are counted under: the category, or a finer issue such as `missing_tool`. */
  readonly issue: Issue;
  /** 0 to 1; 0 if nothing matched. From 0.7 on the category is known, below it is a guess from the topic. */
  readonly confidence: number;
  /** The same call may succeed a moment later. */
  readonly retryable: boolean;
  /** The same call fails again: an expired certificate, a full disk, a wrong key. Neither this nor `retryable`: not known. */
  readonly permanent: boolean;
  /** The wait the other side asked for. */
  readonly retryAfterMs?: number;
  /** Other categories something pointed at, most likely first. */
  readonly alternatives: readonly { readonly category: ErrorCategory; readonly confidence: number }[];
  /** Which rule decided, e.g. `rate_limit/wording`; `none` where nothing matched. */
  readonly rule: string;
}

/** A rule of the user's own. They go in front of the built-in ones, the first that matches decides. */
export interface ErrorRule {
  readonly id: string;
  readonly category: ErrorCategory;
  /** Tried on names, codes and messages of the error, one a line. */
  readonly pattern: RegExp;
  /** 0 to 1. Default 1. */
  readonly confidence?: number;
}

export interface ClassifyOptions {
  readonly rules?: readonly ErrorRule[];
}

/** Returns whether errors of this category usually pass. `classifyError` knows causes that never do. */
export function isRetryable(category: ErrorCategory): boolean {
  return RETRYABLE.includes(category);
}

// Not `tool_failure` and `unknown`: nothing says that they pass.
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

/** A cause of this weight decides, whatever wraps it. */
const DECIDES = 45;
/** The least confidence at which a category is known, and the loop may act on it. */
export const KNOWN = 0.7;
/** A failure of this weight is believed beside a report of success. */
const CONTRADICTS = 50;

const RULES: readonly RuleRow[] = /* @__PURE__ */ ENGLISH_RULES.concat(LANGUAGE_RULES);
const FORMS: readonly RuleRow[] = /* @__PURE__ */ ENGLISH_RULES.filter((row) => row[4]?.form !== undefined);

/**
 * What codes and words may make of what structure says. The failure of a tool says only where it happened: there anything may
 * be the reason, except that nothing failed; an error of a server may have any reason but that somebody cancelled.
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

/** What texts are read with: the rules, and what single words speak for. */
export interface Reader {
  readonly find: RuleFinder;
  /** Builds the table of words on first use: many processes never need it. */
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

/** Built on first use, so that importing costs nothing; never changes after. */
let ownReader: Reader | undefined;

function reader(): Reader {
  ownReader ??= readerWith(WORD_WEIGHTS);
  return ownReader;
}

/** One error being classified. */
interface Run extends Reader {
  readonly mayBeCancelled: boolean;
  /** Every row that matches. */
  readonly matched: RuleRow[];
}

function runWith({ find, evidence }: Reader, mayBeCancelled: boolean): Run {
  return { find, evidence, mayBeCancelled, matched: [] };
}

/** Classifies an error. Never throws: an error without any known sign is `unknown`. */
export function classifyError(input: unknown, options: ClassifyOptions = {}): Classification {
  return classifyWith(reader(), input, options);
}

/** The same with other weights of words. */
export function classifyWith(reader: Reader, input: unknown, options: ClassifyOptions = {}): Classification {
  return classifyFacts(readFacts(input), options.rules, runWith(reader, true));
}

/**
 * Classifies the error of a failed task. Only an abort signal or a rule of the user's own makes it `cancelled`, which takes
 * the task out of the counts: a sentence such as "the order was cancelled" never does.
 */
export function classifyFailure(input: unknown, options: ClassifyOptions = {}): Classification {
  const layers = readFacts(input);
  return classifyFacts(layers, options.rules, runWith(reader(), layers.some(isAbort)));
}

/** Returns the issue of `classifyFailure` alone, for callers that have read the error. A hint is less than `KNOWN`. */
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

/** What decides is known; of what only hints, the weight says how likely it is. */
function confidenceOf(row: RuleRow | undefined): number {
  if (row === undefined) return 0;
  const weight = row[2];
  return isSure(row)
    ? Math.round(100 * (KNOWN + ((1 - KNOWN) * (weight - DECIDES)) / (100 - DECIDES))) / 100
    : weight / 100;
}

/**
 * Structure decides first: a status, then what codes and class names say more exactly, then what words say more exactly. Of
 * several layers the innermost that is sure decides; words are held to what structure says, wherever it stands.
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

/** By how much a rule outweighs words, in logarithms of odds. */
const LEAD = 2;
/** The same of general wording, which a program may print about anything. */
const LEAD_OF_GENERAL = 2.5;
const GENERAL = 88;
/** What says one thing only; no word outweighs it. */
const SURE = 92;
/** Of what is less probable than this, nothing is said, but of a sentence: those of services are mostly refusals. */
const LEAST_PROBABLE = 0.3;
/** The same of classes that settings mend. */
const LEAST_PROBABLE_TO_MEND = 0.4;
/** One word alone may be one of the trade (`token of the visit`), so it names only what most sentences and outputs are. */
const MIN_SUPPORT = 2;
const COMMON: ReadonlySet<ErrorCategory> = /* @__PURE__ */ new Set(['validation', 'tool_failure', 'unknown'] as const);
/** Rows for what only words speak for: guesses, however clear. */
const WORD_ROWS: readonly RuleRow[] = /* @__PURE__ */ ERROR_CATEGORIES.map((category) => [category, 'words', 40, '']);

/** The row that decided, or a guess if the words of the error outweigh it. */
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
    // A class that a rule knows gives way to nothing but the classes of most sentences and outputs.
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

/** Of a category with this score, no rule considered. */
function probability(scores: Float64Array, score: number): number {
  let sum = 0;
  for (const other of scores) sum += Math.exp(other - score);
  return 1 / sum;
}

/** The surest row of the texts, or the one before it; none that may not refine what is known. */
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
    /** Last word of the report of success read last: a phrase within it reports no failure. */
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

/** Tests that cost less come first: this runs for every text. */
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
 * Whether a row decides that is met after another one. The surer one does; but a report of success yields to any failure
 * beside it, and only one that overcame what went wrong ("retry 2 succeeded") takes back a failure before it.
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

/** Whether a row may make more exact what structure says, or contradicts it. What structure only hints at holds nobody. */
function mayRefine(known: RuleRow | undefined, row: RuleRow): boolean {
  if (!known || !isSure(known) || known[0] === row[0]) return true;
  return REFINED_BY[known[0]]?.includes(row[0]) ?? row[0] !== 'unknown';
}

/** The surest row of each other category, surest first. */
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

/** The innermost wait stated as a field or header; else, where waiting can help at all, the first stated in words. */
function waitOf(layers: readonly Facts[], inWords: boolean): number | undefined {
  let wait: number | undefined;
  for (const facts of layers) wait = facts.retryAfterMs ?? wait;
  if (wait === undefined && inWords)
    for (const facts of layers) for (const text of facts.messages) wait ??= statedInText(text);
  return wait;
}
