/** Words that turn a rule round. */
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
/** Words that say nothing about what a rule is about. */
const SMALL: ReadonlySet<string> = new Set(
  'a an and any are as at be before by do does each every first for from has have if in into is it its of on only or out that the their them then these they this to until use using was what when whenever which while with you your always must should please work make'.split(
    ' ',
  ),
);
/** Share of words two rules have in common to be about the same. */
const SAME = 0.75;
const ABOUT_THE_SAME = 0.5;
/** A rule of fewer words than this is about too little to contradict one. */
const MIN_WORDS = 2;

/** Texts whose words are kept: more than there are patterns, so that what is asked in every cycle is taken apart once. */
const MAX_KEPT = 5_000;

/** Compares rules by their words. A rule is compared with many others, again in every cycle: its words are kept. */
export class RuleComparison {
  readonly #kept = new Map<string, Words>();
  /** Words by number: two rules are compared by walking over both lists once. */
  readonly #numbers = new Map<string, number>();

  /** Whether two rules ask for the same, in almost the same words, and of the same task or tool where they quote one. */
  saysTheSame(one: string, other: string): boolean {
    this.#makeRoom();
    const [a, b] = [this.#wordsOf(one), this.#wordsOf(other)];
    if (a.isNegated !== b.isNegated) return false;
    const common = inBoth(a.words, b.words);
    if (common === 0 || common / (a.words.length + b.words.length - common) < SAME) return false;
    return quotesAlike(a.quotes, b.quotes);
  }

  /**
   * The rules that seem to ask for the opposite: about the same, with a negation more or less. A hint for whoever decides,
   * as words cannot tell more.
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

  /** Between comparisons only: two texts can be compared while their words are counted by the same numbers. */
  #makeRoom(): void {
    if (this.#kept.size < MAX_KEPT) return;
    this.#kept.clear();
    this.#numbers.clear();
  }

  #wordsOf(text: string): Words {
    const kept = this.#kept.get(text);
    if (kept) return kept;
    const all = text.toLowerCase().match(/[\p{L}\p{N}_']+/gu) ?? [];
    const telling = all.filter((word) => !SMALL.has(word) && !NEGATIONS.has(word)).map(stem);
    const numbers = [...new Set(telling)].map((word) => this.#numberOf(word));
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

/** What stands as items of lists in a Markdown file, outside of code: what people write rules as. */
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
  /** Numbers of the words that tell what it is about, rising. */
  readonly words: Uint32Array;
  readonly isNegated: boolean;
  /** The tasks and tools it names, as templates quote them. */
  readonly quotes: readonly string[];
}

const QUOTED = /“[^”]{1,80}”/g;

/** What a rule quotes is what it is about; one that quotes nothing is about everything. */
function quotesAlike(one: readonly string[], other: readonly string[]): boolean {
  const [fewer, more] = one.length < other.length ? [one, other] : [other, one];
  return fewer.every((quote) => more.includes(quote));
}

/** Enough to see `files` and `file`, `running` and `run` as one. */
function stem(word: string): string {
  if (word.length > 5 && word.endsWith('ing')) return word.slice(0, -3).replace(/(.)\1$/, '$1');
  if (word.length > 4 && word.endsWith('es')) return word.slice(0, -2);
  return word.length > 3 && word.endsWith('s') ? word.slice(0, -1) : word;
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
