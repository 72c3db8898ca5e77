import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cosine, similarities, termsOf } from '../../src/lib/similarity.js';

const alike = (query: string, ...documents: string[]) => similarities(termsOf(query), documents.map(termsOf));

describe('how alike two texts are', () => {
  it('is 0 without a word in common, and grows with the rare words they share', () => {
    const [none = 1, common = 0, rare = 0, all = 0] = alike(
      'invoice parser rejects negative totals',
      'socket hang up',
      'parser failed on line 3',
      'negative totals in invoice 7',
      'the invoice parser rejects negative totals',
    );
    expect(none).toBe(0);
    expect(rare).toBeGreaterThan(common);
    expect(all).toBeGreaterThan(rare);
    expect(all).toBeLessThanOrEqual(1);
  });

  it('sees through plurals, humps, case, widths, stop words and ids', () => {
    expect([...termsOf('The readFileSync TIMEOUTS of job 8812345 are ＨＴＴＰ 503').keys()]).toEqual([
      'read',
      'file',
      'sync',
      'timeout',
      'job',
      'http',
      '503',
    ]);
  });

  it('compares languages that are written without blanks by pairs of characters', () => {
    const [same = 0, other = 1] = alike('接続がタイムアウトしました', '接続がタイムアウトした', '支払いが拒否された');
    expect(same).toBeGreaterThan(0.2);
    expect(other).toBe(0);
  });

  it('costs little whatever the text', () => {
    // Anything but linear work would run into the limit of the test.
    for (const text of [
      'a'.repeat(1e6),
      'aB'.repeat(1e6),
      ' '.repeat(1e6),
      '\u0301'.repeat(1e6),
      'aA '.repeat(1e6),
      '漢'.repeat(1e6),
    ]) {
      expect(termsOf(text).size).toBeLessThanOrEqual(200);
    }
    expect(similarities(termsOf(''), [termsOf('a b c')])).toEqual([0]);
    expect(similarities(termsOf('word'), [])).toEqual([]);
  });

  it('finds an error of the same class among the four best for two in three errors of the wild that it never saw', () => {
    const read = (name: string): { message: string; category: string }[] =>
      readFileSync(join(import.meta.dirname, '../classify/fixtures', name), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
        .filter(({ message }) => typeof message === 'string');
    const known = read('seen.jsonl');
    const documents = known.map(({ message }) => termsOf(message));
    const asked = read('held-out.jsonl').filter(({ category }) => known.some((one) => one.category === category));
    const found = asked.filter(({ message, category }) =>
      similarities(termsOf(message), documents)
        .map((similarity, index) => ({ similarity, category: known[index]?.category }))
        .sort((a, b) => b.similarity - a.similarity)
        .slice(0, 4)
        .some((one) => one.category === category),
    );
    console.log(`recalled an error of the same class among 4: ${found.length} of ${asked.length}`);
    expect(asked.length).toBeGreaterThan(200);
    expect(found.length / asked.length).toBeGreaterThan(0.6);
  });

  it('is the cosine for vectors', () => {
    expect(cosine([1, 0], [2, 0])).toBe(1);
    expect(cosine([1, 0], [0, 3])).toBe(0);
    expect(cosine([1, 1], [-1, -1])).toBeCloseTo(-1);
    expect(cosine([0, 0], [1, 1])).toBe(0);
  });
});
