import { describe, expect, it } from 'vitest';
import { ruleFinder } from '../../src/classify/find-rules.js';
import { growTree } from '../../src/classify/phrase-tree.js';
import { RULES } from '../../src/classify/rules.js';
import { LANGUAGE_RULES } from '../../src/classify/rules-languages.js';

/** The rules found in a text, in the order they were met. */
function found(rules: readonly string[], text: string): readonly number[] {
  return ruleFinder(growTree(rules))(text).rules;
}

describe('phrases', () => {
  it('take a word for its plural too, a plural for nothing else', () => {
    const rules = ['red apple', 'sour grapes'];
    expect(found(rules, 'red apples')).toEqual([0]);
    expect(found(rules, 'sour grapes')).toEqual([1]);
    expect(found(rules, 'sour grape')).toEqual([]);
    expect(found(['apple', 'apples'], 'two apples')).toEqual([1, 0]);
    expect(found(['apple', 'apples'], 'one apple')).toEqual([0]);
  });

  it('take a stem for every word that begins with it, beside the word itself and shorter stems', () => {
    expect(found(['grow*', 'growing', 'gro*'], 'growing')).toEqual([1, 0, 2]);
    expect(found(['grow*', 'growing', 'gro*'], 'grower')).toEqual([0, 2]);
    expect(found(['grow*'], 'gro')).toEqual([]);
  });

  it('reach over six words at `..`, not over the end of a sentence', () => {
    expect(found(['cat .. mat'], 'cat sat down one two three four mat')).toEqual([0]);
    expect(found(['cat .. mat'], 'cat sat down one two three four five mat')).toEqual([]);
    expect(found(['cat .. mat'], 'cat sat. mat')).toEqual([]);
  });

  it('tell numbers and statuses apart', () => {
    const rules = ['# bees', '#137 bees', '!503'];
    expect(found(rules, '12 bees')).toEqual([0]);
    expect(found(rules, '137 bees')).toEqual([1, 0]);
    expect(found(rules, 'status 503')).toEqual([2]);
    expect(found(rules, '1370000000 bees')).toEqual([0]);
    expect(found(['#1 bees', '#137 bees'], '13 bees')).toEqual([]);
  });

  it('give a phrase of two rules to the earlier one', () => {
    expect(found(['a|b c', 'b|d c'], 'b c')).toEqual([0]);
    expect(found(['blue|green c', 'green|grey c'], 'green c, grey c')).toEqual([0, 1]);
  });

  it('fill no table of the tree more than half', () => {
    const { wordAt, ruleAt, alsoAt } = growTree([...RULES, ...LANGUAGE_RULES].map((row) => row[3]));
    expect(wordAt.findLastIndex((symbol) => symbol > 0)).toBeLessThan(wordAt.length / 2);
    expect(ruleAt.findLastIndex((rule) => rule >= 0)).toBeLessThan(ruleAt.length / 2);
    expect(Math.max(...wordAt)).toBeLessThan(alsoAt.length / 2);
  });
});
