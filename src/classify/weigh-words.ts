import { ERROR_CATEGORIES, type ErrorCategory } from '../contract/issue.js';
import { DECIDES, isRetryable } from './certainty.js';
import type { Facts } from './facts.js';
import type { Matching } from './reader.js';
import type { RuleRow } from './rules.js';
import type { WordEvidence } from './word-evidence.js';

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
export function weighWords(
  decided: RuleRow | undefined,
  layers: readonly Facts[],
  matching: Matching,
): RuleRow | undefined {
  if (decided && (decided[2] >= SURE || decided[4]?.issue || decided[1] === 'status')) return decided;
  const evidence = readWords(layers, matching);
  const { row, score } = heaviestRow(decided, evidence, matching.mayBeCancelled);
  if (row === decided || row === undefined) return decided;
  const isPlain = evidence.isSentence && COMMON.has(row[0]);
  const least = isRetryable(row[0]) ? LEAST_PROBABLE_TO_MEND : LEAST_PROBABLE;
  if (!isPlain && probability(evidence.scores, score) < least) return decided;
  matching.matched.push(row);
  return row;
}

function readWords(layers: readonly Facts[], { find, evidence: evidenceOf }: Matching): WordEvidence {
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
  return evidence;
}

/** Returns the row with the highest score from words, `decided` with its lead among them. */
function heaviestRow(
  decided: RuleRow | undefined,
  { scores, support, isSentence }: WordEvidence,
  mayBeCancelled: boolean,
): { row: RuleRow | undefined; score: number } {
  let best = decided;
  let most = Number.NEGATIVE_INFINITY;
  for (const [index, row] of WORD_ROWS.entries()) {
    if (row[0] === 'cancelled' && !mayBeCancelled) continue;
    if ((support[index] ?? 0) < leastSupport(row[0], isSentence, decided)) continue;
    const own = row[0] === decided?.[0] ? decided : row;
    const score = (scores[index] ?? 0) + leadOf(own);
    if (score <= most) continue;
    most = score;
    best = own;
  }
  return { row: best, score: most };
}

/** Returns the advantage of a row from rules. A row from words has none. */
function leadOf(row: RuleRow): number {
  if (row[1] === 'words') return 0;
  return row[2] < GENERAL ? LEAD : LEAD_OF_GENERAL;
}

/** Returns the support from words that a category needs beside the row that decided. */
function leastSupport(category: ErrorCategory, isSentence: boolean, decided: RuleRow | undefined): number {
  if (category === decided?.[0]) return 0;
  if (COMMON.has(category)) return isSentence ? 0 : 1;
  // A category known from a rule yields only to the common categories.
  return decided && decided[2] >= DECIDES ? Number.POSITIVE_INFINITY : MIN_SUPPORT;
}

/** Returns the probability of a category with this score, from words alone. */
function probability(scores: Float64Array, score: number): number {
  let sum = 0;
  for (const other of scores) sum += Math.exp(other - score);
  return 1 / sum;
}
