import { exposedAnswers } from 'rsi-loop/improve';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Problem } from '../../../../integrations/bench/problem.js';
import { createRepository } from './repository.js';

const SUM: Problem = { id: 'sum', input: '12+-12', expected: '0' };
const LETTER: Problem = {
  id: 'letter',
  input: 'Write to Ada.',
  expected: 'Dear Ada,\nyour "order" of 3 May has left our house.',
};
const SLUG: Problem = {
  id: 'slug',
  input: 'Write slug(text).',
  check: { kind: 'code-tests', tests: [{ run: "slug('Hello, World')", expected: 'hello-world' }] },
};

const exposedIn = async (files: Readonly<Record<string, string>>, hide?: readonly string[]) => {
  const repository = createRepository(files);
  onTestFinished(() => repository.remove());
  const found = await exposedAnswers({ folder: repository.folder, ...(hide && { hide }) }, [SUM, LETTER, SLUG]);
  return found.map(({ path, problems }) => [path, ...problems]);
};

describe('answers that candidates can read', () => {
  it('are found by their texts in any tracked file, the worst file first', async () => {
    const problems = JSON.stringify([SUM, LETTER, SLUG], undefined, 2);
    expect(
      await exposedIn({
        'data/answers.json': problems,
        'notes/letters.md': `> Dear Ada,\n> your "order" of 3 May has left our house.\n`,
        'src/sum.csv': '12+-12,0\n13,5\n',
      }),
    ).toEqual([
      ['data/answers.json', 'sum', 'letter', 'slug'],
      ['notes/letters.md', 'letter'],
      ['src/sum.csv', 'sum'],
    ]);
  });

  it('are not those in folders with problems, in hidden files, or half of a question', async () => {
    const problems = JSON.stringify([SUM, LETTER, SLUG]);
    const files = { 'bench/all.json': problems, 'data/all.json': problems };
    expect(await exposedIn(files, ['bench/**', 'data/**'])).toEqual([]);
    expect(await exposedIn({ 'bench/all.json': problems })).toEqual([]);
    expect(await exposedIn({ 'src/other.csv': '12+-12,10\n112+-12,5\nhello-world\n' })).toEqual([]);
  });
});
