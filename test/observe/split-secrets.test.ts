import { describe, expect, it } from 'vitest';
import type { Span } from '../../src/observe/span.js';
import { findSplit } from '../../src/observe/split-secrets.js';

const HEAD = 'ghp_aZ3k9QaZ3k9QaZ3k9Q';
const TAIL = 'aZ3k9QaZ3k9QaZ3k9Q';

/** Returns the parts of a text that are found as one secret. */
function found(text: string): string[] {
  const spans: Span[] = [];
  findSplit(text, spans);
  return [...new Set(spans.map(({ start, end }) => text.slice(start, end)))];
}

describe('a secret in two parts', () => {
  it.each([
    ['a line break', '\n'],
    ['a line break of Windows', '\r\n'],
    ['an old line break', '\r'],
    ['blanks and a line break', ' \t\n  '],
    ['a quoted line', '\n> '],
    ['a line of a table', '\n| '],
    ['joined texts', `" + "`],
    ['joined texts over two lines', `" +\n  "`],
    ['joined texts with a dot', `' . '`],
    ['items of a list', `","`],
    ['escaped items', `\\",\\"`],
    ['backticks', '` + `'],
  ])('is found across %s', (_, between) => {
    const text = `used ${HEAD}${between}${TAIL} here`;
    expect(found(text)).toContain(`${HEAD}${between}${TAIL}`);
  });

  it.each([
    ['a blank', ' '],
    ['a comma', ', '],
    ['a word', '\nand then '],
    ['one quote', '"'],
  ])('is none across %s', (_, between) => {
    expect(found(`used ${HEAD}${between}${TAIL} here`)).toEqual([]);
  });

  it('needs eight characters before the break, and four after it', () => {
    expect(found('sk-proj-\naZ3k9QaZ3k9QaZ3k9Q')).toEqual(['sk-proj-\naZ3k9QaZ3k9QaZ3k9Q']);
    expect(found('sk-proj\n-aZ3k9QaZ3k9QaZ3k9Q')).toEqual([]);
    expect(found(`${HEAD}aZ3k9QaZ3k9\nZ3k9`)).toEqual([`${HEAD}aZ3k9QaZ3k9\nZ3k9`]);
    expect(found(`${HEAD}aZ3k9QaZ3k9\nZ3k`)).toEqual([]);
  });

  it('has a digit next to the break', () => {
    expect(found('github_pat_abcdefghijkl\nmnopqrstuvwxyz')).toEqual([]);
    expect(found('github_pat_abcdefghijk1\nmnopqrstuvwxyz')).not.toEqual([]);
    expect(found('github_pat_abcdefghijkl\nmnopqrstuvwxy1')).not.toEqual([]);
  });

  it('is not found again if it is whole on one side', () => {
    expect(found('AKIAABCDEFGHIJKLMN17\n1234 tasks')).toEqual([]);
    expect(found(`exit code 1234567\n${HEAD}${TAIL}`)).toEqual([]);
  });
});

describe('a secret in three parts', () => {
  it('is found across both breaks, with the text around it left alone', () => {
    const parts = ['ghp_aZ3k9QaZ3', 'k9QaZ3k9QaZ3k', '9QaZ3k9QaZ3k9'];
    const text = `it used "${parts.join('" + "')}" today`;
    expect(found(text)).toContain(parts.join('" + "'));
    expect(found(`first 1234567\nline ${parts.join('\n')}\nthen`)).toContain(parts.join('\n'));
  });

  it('ends before a line that is a plain word', () => {
    const text = `used ${HEAD}\n  ${TAIL} then\n  stopped`;
    expect(found(text)).toEqual([`${HEAD}\n  ${TAIL}`]);
    expect(found(`${HEAD}\n${TAIL}\nstopped`)).toContain(`${HEAD}\n${TAIL}`);
    expect(found(`${HEAD}\n${TAIL}\nstopped`)).not.toContain(`${HEAD}\n${TAIL}\nstopped`);
  });

  it.each(['a1bcd', 'ab+cd', 'abcde/', 'abcDef', 'abcdefghijkl'])('goes on with a line such as %s', (part) => {
    const name = 'sk-proj-aZ3k9QaZ3k9Q';
    const text = `${name}\naZ3k9QaZ3k9Q\n${part}`;
    const ends = found(text).map((one) => one.endsWith(part));
    expect(ends.includes(true)).toBe(!/[+/]/.test(part));
  });
});

describe('a secret of a fixed length', () => {
  const KEY = 'AKIAABCDEFGH\nIJKLMN17';

  it('is found with text on the next line and on the one before', () => {
    expect(found(KEY)).toEqual([KEY]);
    expect(found(`${KEY}\n12345678 tasks`)).toEqual([KEY]);
    expect(found(`in region1\n${KEY}`)).toEqual([KEY]);
    expect(found(`key1 ${KEY}\n12345678\n${KEY} key2\n12345678`)).toEqual([KEY]);
    expect(found(`in region1\nthe key ${KEY} of 12345678`)).toEqual([KEY]);
  });

  it('is left to the other searches if it is whole before a break, or after it', () => {
    expect(found(`${HEAD}${TAIL}\n-12345 tasks`)).toEqual([]);
    expect(found('12345678.\nAKIAABCDEFGHIJKLMN17')).toEqual([]);
    expect(found('AKIAABCDEFGHIJKLMN17\n.12345678')).toEqual([]);
  });

  it('is searched in the first 256 breaks of a listing', () => {
    const listing = (lines: number) => `${'item1234 value5678\n'.repeat(lines)}${KEY}\n12345678 tasks`;
    expect(found(listing(255))).toEqual([KEY]);
    expect(found(listing(256))).toEqual([]);
  });

  it('is searched in 256 characters on each side of a break', () => {
    const long = 'a1'.repeat(200);
    expect(found(`${long}.AKIAABCDEFGH\nIJKLMN17.${long}`)).toEqual([KEY]);
  });
});

describe('a long listing', () => {
  it('is searched pair by pair in its first 256 breaks, and as a whole', () => {
    const line = 'item1234 value5678';
    const rest = `${HEAD}\n${TAIL}`;
    for (const lines of [10, 300]) {
      const text = `${`${line}\n`.repeat(lines)}${rest}\nend`;
      expect(found(text).some((one) => one.includes(HEAD))).toBe(true);
    }
  });
});
