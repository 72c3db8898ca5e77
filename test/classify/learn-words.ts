import { fold } from '../../src/classify/characters.js';
import { readFacts } from '../../src/classify/facts.js';
import { BREAK, NEGATOR, type Phrases, readPhrases } from '../../src/classify/phrases.js';
import { Tokenizer } from '../../src/classify/tokenizer.js';
import { FIRST_LETTER, SHAPES, WEIGHT_STEP, type WordWeights } from '../../src/classify/word-evidence.js';
import { ERROR_CATEGORIES } from '../../src/contract/issue.js';
import type { Labelled } from './score.js';

/** How many words, pairs and shapes get a weight. */
const KEPT = 2_000;
const ROUNDS = 15;
/** Pull of every weight towards 0 (L2), and length of a step of AdaGrad. */
const SHRINK = 1e-3;
const RATE = 0.3;

/**
 * Learns what single words speak for: multinomial logistic regression without negative weights over words, pairs of
 * neighbours and shapes. The same rows give the same weights.
 */
export function learnWords(rows: readonly Labelled[]): WordWeights {
  const readFeatures = featureReader();
  const examples = rows.map((row) => ({
    features: readFeatures(row.input ?? row.message),
    category: ERROR_CATEGORIES.indexOf(row.category),
  }));
  const counts = new Map<string, number>();
  for (const { features } of examples) for (const name of features) counts.set(name, (counts.get(name) ?? 0) + 1);
  const met = [...counts].filter(([, count]) => count > 1);
  const all = learn(
    examples,
    met.map(([name]) => name),
  );
  const size = (name: string, count: number) => Math.hypot(...(all.get(name) ?? [])) * count ** 0.35;
  const kept = met
    .map(([name, count]) => ({ name, size: size(name, count) }))
    .sort((one, other) => other.size - one.size)
    .slice(0, KEPT);
  return asTable(
    learn(
      examples,
      kept.map(({ name }) => name),
    ),
  );
}

interface Example {
  readonly features: ReadonlySet<string>;
  readonly category: number;
}

/** Weights by feature and category; `''` holds what each category has before any word. */
function learn(examples: readonly Example[], names: readonly string[]): ReadonlyMap<string, Float64Array> {
  const width = ERROR_CATEGORIES.length;
  const weights = new Map(['', ...names].map((name) => [name, new Float64Array(width)]));
  const squares = new Map([...weights.keys()].map((name) => [name, new Float64Array(width).fill(1e-8)]));
  const known: Found[] = examples.map(({ features, category }) => ({
    names: ['', ...[...features].filter((name) => weights.has(name))],
    category,
  }));
  const random = seededRandom();
  for (let round = 0; round < ROUNDS; round++) {
    for (let index = known.length - 1; index > 0; index--) {
      const other = Math.floor(random() * (index + 1));
      [known[index], known[other]] = [known[other] as Found, known[index] as Found]; // both within the list
    }
    for (const one of known) step(one, weights, squares);
  }
  return weights;
}

interface Found {
  readonly names: readonly string[];
  readonly category: number;
}

function step(
  { names, category }: Found,
  weights: ReadonlyMap<string, Float64Array>,
  squares: ReadonlyMap<string, Float64Array>,
): void {
  const width = ERROR_CATEGORIES.length;
  const odds = new Float64Array(width);
  for (const name of names)
    weights.get(name)?.forEach((weight, index) => {
      odds[index] = (odds[index] ?? 0) + weight;
    });
  const most = Math.max(...odds);
  const powers = odds.map((value) => Math.exp(value - most));
  const sum = powers.reduce((total, value) => total + value, 0);
  for (const name of names) {
    const row = weights.get(name);
    const square = squares.get(name);
    if (!row || !square) continue;
    for (let index = 0; index < width; index++) {
      const pull = name === '' ? 0 : SHRINK * (row[index] ?? 0);
      const slope = (powers[index] ?? 0) / sum - (index === category ? 1 : 0) + pull;
      square[index] = (square[index] ?? 0) + slope * slope;
      const next = (row[index] ?? 0) - (RATE * slope) / Math.sqrt(square[index] ?? 1);
      row[index] = name === '' ? next : Math.max(0, next);
    }
  }
}

function asTable(weights: ReadonlyMap<string, Float64Array>): WordWeights {
  const always = weights.get('');
  /** Codes by the first word and the second, which is empty for the word alone. */
  const heads = new Map<string, Map<string, string>>();
  for (const [name, row] of weights) {
    const [first = '', second = ''] = name.split('_');
    const codes = codesOf(row);
    if (name === '' || codes === '') continue;
    const pairs = heads.get(first) ?? new Map<string, string>();
    heads.set(first, pairs.set(second, codes));
  }
  return {
    categories: ERROR_CATEGORIES.map((category, index) => [category, Math.round(100 * (always?.[index] ?? 0)) / 100]),
    ...packed(
      [...heads].sort(byName).map(([first, pairs]) => ({
        word: first,
        weights: pairs.get('') ?? '',
        pairs: [...pairs].filter(([second]) => second !== '').sort(byName),
      })),
    ),
  };
}

/** Words and weights as `WordWeights` holds them. */
export function packed(
  words: readonly { word: string; weights: string; pairs?: readonly (readonly [second: string, weights: string])[] }[],
): Pick<WordWeights, 'words' | 'weights'> {
  return {
    words: words.map(({ word, pairs = [] }) => [word, ...pairs.map(([second]) => second)].join('|')).join(' '),
    weights: words.flatMap(({ weights, pairs = [] }) => [weights, ...pairs.map(([, own]) => own)]).join(' '),
  };
}

/** The steps of each weight, the heaviest first, with the letters of the categories of this weight. */
function codesOf(row: Float64Array): string {
  const steps = [...row].map((weight) => Math.min(9, Math.round(weight / WEIGHT_STEP)));
  const levels = [...new Set(steps)].filter((level) => level > 0).sort((one, other) => other - one);
  const letters = (level: number) =>
    steps.map((own, index) => (own === level ? String.fromCharCode(FIRST_LETTER + index) : '')).join('');
  return levels.map((level) => `${level}${letters(level)}`).join('');
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}

/** The file that holds the weights. */
export function asSource({ categories, words, weights }: WordWeights): string {
  const rows = categories.map(([category, always]) => `    ['${category}', ${always}],\n`);
  return `import type { WordWeights } from './word-evidence.js';

/**
 * Weights learned from \`test/classify/fixtures\` by \`npm run campaign -- classify --learn\`. Change those, not this. In
 * \`words\`, \`^\` is the start of a sentence, \`#\` a number, \`!429\` an HTTP status, \`@\` a name, \`:place\` a layout.
 */
export const WORD_WEIGHTS: WordWeights = {
  categories: [
${rows.join('')}  ],
  words: ${asLiteral(words)},
  weights: ${asLiteral(weights)},
};
`;
}

/** A string literal in lines of at most 120 characters. */
function asLiteral(text: string): string {
  const lines = text.match(/.{1,110}(?:[ |]|$)/g) ?? [];
  return lines.map((line) => `\n    '${line}'`).join(' +');
}

/** Reads the words, pairs of neighbours and shapes of an error, as `WordEvidence` does, known or not. */
function featureReader(): (input: unknown) => ReadonlySet<string> {
  const base = readPhrases([]);
  const names = ['', '', '', '@'];
  const numbers = new Map<string, number>();
  const flagAt = [...base.flagAt.slice(0, 4)];
  const numberOf = (name: string, flag = 0) => {
    const number = numbers.get(name) ?? names.push(name) - 1;
    numbers.set(name, number);
    flagAt[number] = flag;
    return number;
  };
  const phrases: Phrases = {
    ...base,
    hashSymbol: () => 0,
    wordSymbol: (word) => numberOf(word, base.flagAt[base.wordSymbol(word)]),
    anyNumber: numberOf('#'),
    numberSymbol: (value) => (value === 0 ? 0 : numberOf('#')),
    statusSymbol: (status) => numberOf(`!${status}`),
    flagAt: flagAt as unknown as Uint8Array, // grows, and is only read by index
  };
  const tokenizer = new Tokenizer(phrases);
  return (input) => {
    const found = new Set<string>();
    for (const { statuses, signs, messages } of readFacts(input)) {
      for (const text of [...statuses.map((status) => `http ${status}`), ...signs, ...messages]) {
        for (const [name, shape] of SHAPES) if (shape.test(text)) found.add(name);
        tokenizer.read(fold(text));
        let before = '^';
        let negated = false;
        for (const symbol of tokenizer.symbols.slice(0, tokenizer.count)) {
          const name = names[symbol] ?? '';
          if (name !== '' && !negated) found.add(name);
          if (name !== '' && before !== '') found.add(`${before}_${name}`);
          before = symbol === BREAK ? '^' : name;
          negated = flagAt[symbol] === NEGATOR;
        }
      }
    }
    return found;
  };
}

function seededRandom(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
}
