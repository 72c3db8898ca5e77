/** Words that negate a rule. */
const NEGATIONS: ReadonlySet<string> = new Set([
  'never',
  'not',
  "don't",
  'dont',
  'no',
  'avoid',
  'without',
  'stop',
  'refrain',
  'cannot',
  "mustn't",
]);
/** Words that do not show what a rule is about. */
const SMALL: ReadonlySet<string> = new Set(
  'a an and any are as at be before by do does each every first for from has have if in into is it its of on only or out that the their them then these they this to until use using was what when whenever which while with you your always must should please work make'.split(
    ' ',
  ),
);
/** Share of common words at which two rules ask for the same, and at which they are about the same. */
const SAME = 0.75;
const ABOUT_THE_SAME = 0.5;
/** Words that a rule needs to contradict another. A shorter rule is about too little. */
const MIN_WORDS = 2;

/** Maximum texts whose words are cached. There are fewer patterns, so a text compared in every cycle is parsed once. */
const MAX_KEPT = 5_000;

/** Compares rules by their words. Caches the words, because each rule is compared with many others in every cycle. */
export class RuleComparison {
  readonly #kept = new Map<string, Words>();
  /** Number of each word. Sorted numbers allow comparing two rules in one pass. */
  readonly #numbers = new Map<string, number>();

  /**
   * Returns whether two rules ask for the same in almost the same words. If they quote a task or tool, it must match.
   */
  saysTheSame(one: string, other: string): boolean {
    this.#makeRoom();
    const [a, b] = [this.#wordsOf(one), this.#wordsOf(other)];
    if (a.isNegated !== b.isNegated) return false;
    const common = inBoth(a.words, b.words);
    if (common === 0 || common / (a.words.length + b.words.length - common) < SAME) return false;
    return quotesAlike(a.quotes, b.quotes);
  }

  /**
   * Returns the rules that seem to ask for the opposite: about the same, with one negation more or less. Only a hint
   * for the person who decides, because words alone cannot show more.
   */
  contradicted(rule: string, existing: readonly string[]): readonly string[] {
    this.#makeRoom();
    const about = this.#wordsOf(rule);
    return existing.filter((text) => {
      const other = this.#wordsOf(text);
      const fewer = Math.min(about.words.length, other.words.length);
      if (fewer < MIN_WORDS) return false;
      return other.isNegated !== about.isNegated && inBoth(about.words, other.words) / fewer >= ABOUT_THE_SAME;
    });
  }

  /** Clears a full cache. Called only between comparisons, because both texts must use the same word numbers. */
  #makeRoom(): void {
    if (this.#kept.size < MAX_KEPT) return;
    this.#kept.clear();
    this.#numbers.clear();
  }

  #wordsOf(text: string): Words {
    const kept = this.#kept.get(text);
    if (kept) return kept;
    const all = text.toLowerCase().match(/[\p{L}\p{N}_']+/gu) ?? [];
    const topical = all.filter((word) => !SMALL.has(word) && !NEGATIONS.has(word)).map(stem);
    const numbers = [...new Set(topical)].map((word) => this.#numberOf(word));
    const words = {
      words: Uint32Array.from(numbers).sort(),
      isNegated: all.filter((word) => NEGATIONS.has(word)).length % 2 === 1,
      quotes: text.match(QUOTED) ?? [],
    };
    this.#kept.set(text, words);
    return words;
  }

  #numberOf(word: string): number {
    const number = this.#numbers.get(word) ?? this.#numbers.size;
    this.#numbers.set(word, number);
    return number;
  }
}

/** Returns the list items of a Markdown file outside of code blocks, because people write rules as lists. */
export function rulesIn(markdown: string): readonly string[] {
  let fence: string | undefined;
  const rules: string[] = [];
  for (const line of markdown.split(/\r?\n/).slice(0, MAX_LINES)) {
    const mark = /^ {0,3}(```|~~~)/.exec(line)?.[1];
    if (mark !== undefined && (fence === undefined || fence === mark)) fence = fence === undefined ? mark : undefined;
    const item =
      fence === undefined && mark === undefined
        ? /^\s{0,8}(?:[-*+]|\d{1,3}[.)])\s+(.{3,600})$/.exec(line)?.[1]
        : undefined;
    if (item !== undefined) rules.push(item.replace(/<!--.*?(?:-->|$)/g, '').trim());
  }
  return rules;
}

const MAX_LINES = 5_000;

interface Words {
  /** Sorted numbers of the words that show what it is about. */
  readonly words: Uint32Array;
  readonly isNegated: boolean;
  /** Tasks and tools it names, as templates quote them. */
  readonly quotes: readonly string[];
}

const QUOTED = /“[^”]{1,80}”/g;

/** Returns whether one rule quotes all that the other quotes. A rule without quotations is about everything. */
function quotesAlike(one: readonly string[], other: readonly string[]): boolean {
  const [fewer, more] = one.length < other.length ? [one, other] : [other, one];
  return fewer.every((quote) => more.includes(quote));
}

/** Returns a simple word stem, the same for `file` and `files`, for `run` and `running`, for `write` and `writing`. */
function stem(word: string): string {
  return word
    .replace(/(?<=...)s$/, '')
    .replace(/(?<=...)ing$/, '')
    .replace(/(?<=...)e$/, '')
    .replace(/(.)\1$/, '$1');
}

function inBoth(one: Uint32Array, other: Uint32Array): number {
  let both = 0;
  for (let i = 0, j = 0; i < one.length && j < other.length; ) {
    const step = (one[i] ?? 0) - (other[j] ?? 0);
    if (step === 0) both++;
    if (step <= 0) i++;
    if (step >= 0) j++;
  }
  return both;
}
