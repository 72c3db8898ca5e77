import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { CodeTestsCheck } from '../../../integrations/bench/problem.js';
import { shippedProblems } from '../../../integrations/bench/shipped-problems.js';
import { Suite } from '../../../integrations/bench/suite.js';
import { wrongSolutions } from './code/solutions.js';

const problems = await shippedProblems('code');
const FOLDER = join(import.meta.dirname, '../../../benchmarks/code');

describe('the shipped problems', () => {
  it('are 20 of writing code and 15 of mending bugs, from easy to hard', () => {
    const count = (tag: string) => problems.filter(({ tags }) => tags?.[0] === tag).length;
    expect([count('write'), count('mend')]).toEqual([20, 15]);
    const level = (name: string) => problems.filter(({ difficulty }) => difficulty === name).length;
    expect([level('easy'), level('medium'), level('hard')]).toEqual([12, 13, 10]);
  });

  it('are each in the file of their id, with 8 to 15 tests and three wrong solutions', () => {
    expect(problems.map(({ id }) => `${id}.json`)).toEqual(readdirSync(FOLDER).sort());
    for (const { id, input, check, tags } of problems) {
      const { tests } = check as CodeTestsCheck; // all have this check
      expect(tests.length, id).toBeGreaterThanOrEqual(8);
      expect(tests.length, id).toBeLessThanOrEqual(15);
      expect(String(input)).toMatch(
        tags?.[0] === 'mend' ? /^Mend this module.*```ts\n/s : /^Write this module.*export /s,
      );
      expect(wrongSolutions(id, String(input)).size, id).toBe(3);
    }
  });

  it('are accepted by a suite', () => {
    expect(new Suite('code', { problems, run: () => '' }).problems).toHaveLength(35);
  });
});
