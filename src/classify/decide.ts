import { ERROR_CATEGORIES, type ErrorCategory } from '../contract/issue.js';
import { isSure } from './certainty.js';
import type { Facts } from './facts.js';
import { hasForm } from './form.js';
import { type Matching, RULES } from './reader.js';
import type { RuleRow } from './rules.js';
import { weighWords } from './weigh-words.js';

/** A failure with at least this weight outweighs a report of success. */
const CONTRADICTS = 50;

const FORMS: readonly RuleRow[] = /* @__PURE__ */ RULES.filter((row) => row[4]?.form !== undefined);

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

/**
 * Returns the deciding row. Structure comes first: a status, refined by codes and class names, then by words. With
 * several layers, the innermost sure one decides. Words must be compatible with the structural category of any layer.
 */
export function decide(layers: readonly Facts[], matching: Matching): RuleRow | undefined {
  const { decided, stated } = readRules(layers, matching);
  return isSure(stated) ? decided : weighWords(decided, layers, matching);
}

/** Returns the row that the rules decide on. Learned words are left out. */
export function decideByRules(layers: readonly Facts[], matching: Matching): RuleRow | undefined {
  return readRules(layers, matching).decided;
}

function readRules(layers: readonly Facts[], matching: Matching) {
  const { row: stated, layer: statedBy } = structuralRow(layers, matching);
  let decided: RuleRow | undefined;
  for (const facts of layers.toReversed()) {
    const settled = isSure(decided);
    if (facts === statedBy && stated && !settled && (!decided || stated[2] >= decided[2])) decided = stated;
    const said = surestRow(facts.messages, decided, stated, matching);
    if (!settled) decided = said;
  }
  return { decided, stated };
}

/** Returns what the statuses, codes and class names say, and the layer that says it: the innermost sure one. */
function structuralRow(
  layers: readonly Facts[],
  matching: Matching,
): { row: RuleRow | undefined; layer: Facts | undefined } {
  let row: RuleRow | undefined;
  let layer: Facts | undefined;
  for (const facts of layers.toReversed()) {
    if (facts.statuses.length + facts.signs.length === 0) continue;
    let known: RuleRow | undefined;
    for (const status of facts.statuses) known = surestRow([`http ${status}`], known, known, matching);
    const own = surestRow(facts.signs, known, known, matching);
    if (!own || isSure(row) || (row && own[2] < row[2])) continue;
    row = own;
    layer = facts;
  }
  return { row, layer };
}

/** Returns the surest row of the texts, or `before`. Skips rows that may not refine `known`. */
function surestRow(
  texts: readonly string[],
  before: RuleRow | undefined,
  known: RuleRow | undefined,
  matching: Matching,
): RuleRow | undefined {
  let found = before;
  for (const text of texts) found = surestPhrase(text, surestForm(text, found, known, matching), known, matching);
  return found;
}

function surestForm(
  text: string,
  before: RuleRow | undefined,
  known: RuleRow | undefined,
  { matched }: Matching,
): RuleRow | undefined {
  let found = before;
  for (const row of FORMS) {
    if (!row[4]?.form || !hasForm(text, row[4].form)) continue;
    matched.push(row);
    if (decidesAfter(found, row) && mayRefine(known, row)) found = row;
  }
  return found;
}

function surestPhrase(
  text: string,
  before: RuleRow | undefined,
  known: RuleRow | undefined,
  { find, matched, mayBeCancelled }: Matching,
): RuleRow | undefined {
  const { count, rules, from, to } = find(text);
  let found = before;
  let foundIn: WordSpan = { from: -1, to: -1 };
  /** Last word of the most recent report of success. A phrase inside it does not report a failure. */
  let covered = -1;
  for (let index = 0; index < count; index++) {
    const row = possibleRow(rules[index], mayBeCancelled);
    if (!row) continue;
    if (!matched.includes(row)) matched.push(row);
    const span = spanOf(from[index], to[index]);
    const isSuccess = row[4]?.success !== undefined;
    if (!isSuccess && span.to <= covered) continue;
    if (isSuccess) covered = Math.max(covered, span.to);
    const replaces = (isSuccess && holds(span, foundIn)) || decidesAfter(found, row);
    if (!replaces || !mayRefine(known, row)) continue;
    found = row;
    foundIn = span;
  }
  return found;
}

/** First and last word of a phrase. */
interface WordSpan {
  readonly from: number;
  readonly to: number;
}

function spanOf(from = 0, to = 0): WordSpan {
  return { from, to };
}

function holds(outer: WordSpan, inner: WordSpan): boolean {
  return outer.from <= inner.from && inner.to <= outer.to;
}

function possibleRow(rule = -1, mayBeCancelled = false): RuleRow | undefined {
  const row = RULES[rule];
  return row?.[0] === 'cancelled' && !mayBeCancelled ? undefined : row;
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

/**
 * Returns whether a row may refine or contradict the structural category. A category that is only a hint imposes no
 * limits.
 */
function mayRefine(known: RuleRow | undefined, row: RuleRow): boolean {
  if (!known || !isSure(known) || known[0] === row[0]) return true;
  return REFINED_BY[known[0]]?.includes(row[0]) ?? row[0] !== 'unknown';
}
