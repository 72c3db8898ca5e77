import { describe, expect, it } from 'vitest';
import { ruleFinder } from '../../src/classify/find-rules.js';
import { readPhrases } from '../../src/classify/phrases.js';

/** The rules found in a text, in the order they were met. */
function found(rules: readonly string[], text: string): readonly number[] {
  const { rules: met, count } = ruleFinder(readPhrases(rules))(text);
  return met.slice(0, count);
}

/** A word of its own for each number. */
function letters(index: number): string {
  return [...String(index)].map((digit) => 'bcdfghklmq'[Number(digit)]).join('');
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

  it('meet every phrase of a table of any size', () => {
    const phrases = Array.from({ length: 12_000 }, (_, index) => `${letters(index)} ${letters(index + 1)}`);
    const rules = Array.from({ length: 100 }, (_, rule) => phrases.slice(rule * 120, rule * 120 + 120).join(', '));
    const find = ruleFinder(readPhrases(rules));
    for (let index = 0; index < phrases.length; index += 7) {
      const { rules: met, count } = find(phrases[index] ?? '');
      expect([...met].slice(0, count)).toEqual([Math.floor(index / 120)]);
    }
  });
});
