import { describe, expect, it } from 'vitest';
import { columns, cut, padEnd, plain, plainJson } from '../../../integrations/cli/terminal/terminal-text.js';

const ESC = '\u001b';

describe('text from outside on a terminal', () => {
  it('loses its escape sequences', () => {
    expect(plain(`${ESC}[31mred${ESC}[0m ${ESC}]8;;http://evil${ESC}\\link${ESC}]8;;${ESC}\\ ${ESC}[2J`)).toBe(
      'red link',
    );
  });

  it('shows characters that act on the terminal or hide text as dots', () => {
    for (const unsafe of [
      '\u0007',
      '\u0008',
      '\u009b',
      '\u202e',
      '\u2066',
      '\u200b',
      '\u{e0041}',
      '\ud800',
      '\ufeff',
    ]) {
      expect(plain(`a${unsafe}b`), unsafe.codePointAt(0)?.toString(16)).toMatch(/^a[· ]b$/);
    }
  });

  it('stays on one line', () => {
    expect(plain('first\nsecond\r\n\tthird\u2028fourth')).toBe('first second third fourth');
  });

  it('keeps letters of every script and emoji', () => {
    const text = 'Ошибка 検索 खोज هەڵە 👩‍👩‍👧 é';
    expect(plain(text)).toBe(text);
  });

  it('does not let marks pile up into other lines', () => {
    expect(plain(`z${'\u0301'.repeat(50)}`)).toBe(`z${'\u0301'.repeat(4)}`);
  });

  it('is cut and padded by the columns it takes, never inside a character', () => {
    expect(columns('検索')).toBe(4);
    expect(padEnd('検索', 6)).toBe('検索  ');
    expect(cut('検索検索', 6)).toBe('検索…');
    expect(columns(cut('検索検索', 6))).toBeLessThanOrEqual(6);
    expect(cut('ab👩‍👩‍👧cd', 4)).toBe('ab…');
    expect(cut('short', 5)).toBe('short');
  });

  it.each([
    ['fetch_page · network …', 22],
    ['한국어', 6],
    ['❤', 1],
    ['❤️', 2],
    ['🇩🇪', 2],
    ['1️⃣', 2],
    ['नमस्ते', 3],
    [`${ESC}[31mred${ESC}[0m`, 3],
    ['a\u200db', 2],
  ])('takes as many columns as a terminal shows: %s', (text, expected) => {
    expect(columns(text)).toBe(expected);
  });

  it('looks at no more of a huge text than could be shown', () => {
    expect(plain(`${ESC}[`.repeat(1_000_000)).length).toBeLessThanOrEqual(4_000);
  });
});

describe('JSON for machines', () => {
  it('parses to the same value and holds no character that acts on a terminal', () => {
    const value = { text: `a\u009b31m\u202eb\u{e0041}${ESC}c`, list: [1, null, '検索'] };
    const json = plainJson(value);
    expect(JSON.parse(json)).toEqual(value);
    for (const unsafe of ['\u009b', '\u202e', '\u{e0041}', ESC]) expect(json).not.toContain(unsafe);
    expect(json).toContain('検索');
  });
});
