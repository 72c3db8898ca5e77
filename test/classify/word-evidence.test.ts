import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { classifyWith } from '../../src/classify/classify-error.js';
import { readPhrases } from '../../src/classify/phrases.js';
import { readerWith } from '../../src/classify/reader.js';
import { Tokenizer } from '../../src/classify/tokenizer.js';
import { WordEvidence, type WordWeights } from '../../src/classify/word-evidence.js';
import { WORD_WEIGHTS } from '../../src/classify/word-weights.js';
import { ERROR_CATEGORIES, type ErrorCategory } from '../../src/contract/issue.js';
import { fixtureNames, readFixture } from './fixtures.js';
import { learnWords, packed } from './learn-words.js';

const WEIGHTS: WordWeights = {
  categories: [
    ['timeout', -1],
    ['auth', 0.5],
  ],
  ...packed([
    { word: '#', weights: '1a' },
    { word: ':short', weights: '1b' },
    { word: '^', weights: '', pairs: [['kelp', '5a']] },
    { word: 'kelp', weights: '4a1b', pairs: [['tide', '6b']] },
    { word: 'moss', weights: '3b' },
  ]),
};

/** Categories that the texts of one error speak for, less the share that each has before any word. */
function evidenceOf(...texts: readonly string[]) {
  const phrases = readPhrases([], WEIGHTS.words);
  const tokenizer = new Tokenizer(phrases);
  const evidence = new WordEvidence(WEIGHTS, phrases);
  evidence.start();
  for (const text of texts) {
    tokenizer.read(text);
    evidence.add(text, tokenizer.symbols, tokenizer.count);
  }
  const at = (category: ErrorCategory) => ERROR_CATEGORIES.indexOf(category);
  return {
    timeout: (evidence.scores[at('timeout')] ?? 0) + 1,
    auth: (evidence.scores[at('auth')] ?? 0) - 0.5,
    words: evidence.support[at('timeout')],
    isSentence: evidence.isSentence,
  };
}

describe('the words of an error', () => {
  it('add up in steps of one half, each once however often it is said', () => {
    expect(evidenceOf('we saw moss over there')).toMatchObject({ timeout: 0, auth: 1.5 });
    expect(evidenceOf('we saw moss, moss, moss over there', 'more moss over there')).toMatchObject({ auth: 1.5 });
    expect(evidenceOf('we saw moss over kelp there')).toMatchObject({ timeout: 2, auth: 2 });
  });

  it('count a pair only where the words are neighbours', () => {
    expect(evidenceOf('we saw kelp tide over there')).toMatchObject({ timeout: 2, auth: 3.5 });
    expect(evidenceOf('we saw kelp over tide there')).toMatchObject({ timeout: 2, auth: 0.5 });
    expect(evidenceOf('we saw tide kelp over there')).toMatchObject({ timeout: 2, auth: 0.5 });
  });

  it('count the first word of a sentence apart', () => {
    expect(evidenceOf('kelp over there again')).toMatchObject({ timeout: 4.5 });
    expect(evidenceOf('we saw that over there\nkelp over there')).toMatchObject({ timeout: 4.5 });
  });

  it('say nothing after a negation', () => {
    expect(evidenceOf('we saw no moss over there')).toMatchObject({ auth: 0 });
  });

  it('count numbers and layouts, but not as words', () => {
    expect(evidenceOf('we saw over 17 there')).toMatchObject({ timeout: 0.5, words: 0 });
    expect(evidenceOf('over there')).toMatchObject({ auth: 0.5 });
    expect(evidenceOf('we saw kelp over there').words).toBe(1);
  });

  it('tell a sentence from the output of a program', () => {
    expect(evidenceOf('There was kelp').isSentence).toBe(true);
    expect(evidenceOf('there: KELP').isSentence).toBe(false);
  });

  it('start afresh with each error', () => {
    const phrases = readPhrases([], WEIGHTS.words);
    const tokenizer = new Tokenizer(phrases);
    const evidence = new WordEvidence(WEIGHTS, phrases);
    const scores = () => {
      evidence.start();
      tokenizer.read('kelp tide 17');
      evidence.add('kelp tide 17', tokenizer.symbols, tokenizer.count);
      return [...evidence.scores];
    };
    expect(scores()).toEqual(scores());
  });
});

describe('weights of words', () => {
  const rows = ['the kelp broke', 'old kelp again', 'kelp here now'].map((message) => ({
    message,
    category: 'timeout' as const,
  }));
  const others = ['the moss broke', 'old moss again', 'moss here now'].map((message) => ({
    message,
    category: 'auth' as const,
  }));
  const learned = learnWords([...rows, ...others]);

  it('go to the words that tell categories apart; words that all have speak for each alike', () => {
    const names = learned.words.split(/[ |]/);
    const codesOf = (word: string) => learned.weights.split(' ')[names.indexOf(word)] ?? '';
    const letterOf = (category: ErrorCategory) => String.fromCharCode(97 + ERROR_CATEGORIES.indexOf(category));
    expect(codesOf('kelp')).toMatch(new RegExp(`^[2-9]${letterOf('timeout')}$`));
    expect(codesOf('moss')).toMatch(new RegExp(`^[2-9]${letterOf('auth')}$`));
    expect(codesOf('broke')).toBe(`1${letterOf('timeout')}${letterOf('auth')}`);
  });

  it('are the same for the same rows', () => {
    expect(learnWords([...rows, ...others])).toEqual(learned);
  });

  it('give a guess below 0.7, neither retryable nor permanent', () => {
    const guess = { confidence: 0.4, retryable: false, permanent: false };
    const text = 'moss over kelp, kelp over moss';
    expect(classifyWith(readerWith(WEIGHTS), text)).toMatchObject({ rule: 'auth/words', ...guess });
    const passing = { ...WEIGHTS, words: 'kelp moss', weights: '9a 9a' };
    expect(classifyWith(readerWith(passing), text)).toMatchObject({ rule: 'timeout/words', ...guess });
  });

  it('are those that the labelled messages give: `npm run campaign -- classify --learn` writes them anew', () => {
    expect(WORD_WEIGHTS).toEqual(learnWords(fixtureNames.flatMap(readFixture)));
  }, 60_000);

  it('are learned from every file of labelled messages', () => {
    const files = readdirSync(join(import.meta.dirname, 'fixtures')).filter((file) => file.endsWith('.jsonl'));
    expect(fixtureNames.map((name) => `${name}.jsonl`).sort()).toEqual(files.sort());
  });
});
