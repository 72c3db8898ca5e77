import { classifyError, describeError } from 'rsi-loop';
import { describe, expect, it } from 'vitest';
import { readFacts } from '../../src/classify/facts.js';
import { ruleFinder } from '../../src/classify/find-rules.js';
import { readPhrases } from '../../src/classify/phrases.js';
import { RULES } from '../../src/classify/rules.js';
import { LANGUAGE_RULES } from '../../src/classify/rules-languages.js';
import { hostileObjects, hostileTexts } from './hostile.js';

describe('hostile input', () => {
  it('always gets an answer', () => {
    const deepJson = '{"a":'.repeat(100_000);
    for (const input of [
      ...hostileObjects(),
      ...hostileTexts(100_000),
      deepJson,
      `${deepJson}1${'}'.repeat(100_000)}`,
      '['.repeat(100_000),
    ]) {
      expect(typeof classifyError(input).category).toBe('string');
      expect(typeof describeError(input).message).toBe('string');
      expect(JSON.stringify(describeError(input)).length).toBeLessThan(20_000);
    }
  });

  it('is cut before it is looked at', () => {
    for (const input of [...hostileObjects(), 'x'.repeat(1_000_000)]) {
      const units = readFacts(input)
        .flatMap((facts) => [...facts.signs, ...facts.messages])
        .reduce((sum, text) => sum + text.length, 0);
      expect(units).toBeLessThan(100_000);
    }
  });

  it('costs steps in proportion to its length', () => {
    const tree = readPhrases([...RULES, ...LANGUAGE_RULES].map((row) => row[3]));
    let steps = 0;
    const find = ruleFinder({
      ...tree,
      step: (node, code) => {
        steps++;
        return tree.step(node, code);
      },
    });
    const cost = (text: string) => {
      steps = 0;
      find(text);
      return steps;
    };
    const [short, long] = [hostileTexts(1500), hostileTexts(6000)];
    short.forEach((text, index) => {
      expect([text.slice(0, 12), cost(long[index] ?? '') <= 4.4 * cost(text) + 200]).toEqual([text.slice(0, 12), true]);
    });
  });
});
