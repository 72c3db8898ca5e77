import { type RuleFinder, ruleFinder } from './find-rules.js';
import { readPhrases } from './phrases.js';
import { RULES as ENGLISH_RULES, type RuleRow } from './rules.js';
import { LANGUAGE_RULES } from './rules-languages.js';
import { WordEvidence, type WordWeights } from './word-evidence.js';
import { WORD_WEIGHTS } from './word-weights.js';

/** All rules. The numbers that a `RuleFinder` returns are places in this list. */
export const RULES: readonly RuleRow[] = /* @__PURE__ */ ENGLISH_RULES.concat(LANGUAGE_RULES);

/** Rules and word weights used to read texts. */
export interface Reader {
  readonly find: RuleFinder;
  /** Builds the word table on first use, because many processes never need it. */
  readonly evidence: () => WordEvidence;
}

export function readerWith(weights: WordWeights): Reader {
  const phrases = readPhrases(
    RULES.map((row) => row[3]),
    weights.words,
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

/** Returns the reader with the built-in word weights. */
export function defaultReader(): Reader {
  ownReader ??= readerWith(WORD_WEIGHTS);
  return ownReader;
}

/** State of one classification. */
export interface Matching extends Reader {
  readonly mayBeCancelled: boolean;
  /** Every rule row that matched. */
  readonly matched: RuleRow[];
}

export function matchingOf({ find, evidence }: Reader, mayBeCancelled: boolean): Matching {
  return { find, evidence, mayBeCancelled, matched: [] };
}
