import { describe, expect, it } from 'vitest';
import { plainView } from '../../src/observe/plain-view.js';

const ESC = '\u001b';

describe('a text as a person reads it', () => {
  it.each([
    ['colours', `${ESC}[31mred${ESC}[0m`, 'red'],
    ['colours with many numbers', `${ESC}[38;5;196mred${ESC}[39;49m`, 'red'],
    ['moves and erasures', `a${ESC}[2Kb${ESC}[1Ac${ESC}[?25ld`, 'abcd'],
    ['a sequence with blanks in it', `a${ESC}[1 qb`, 'ab'],
    ['sequences of two characters', `a${ESC}7b${ESC}8c${ESC}=d${ESC}>e${ESC}Mf`, 'abcdef'],
    ['the frame of a title', `${ESC}]0;title`, 'title'],
    ['the frame of a link', `${ESC}]8;;https://example.com`, ';https://example.com'],
    ['a lone escape', `a${ESC} b`, 'a b'],
    ['a sequence in one character', 'a\u009b31mb', 'ab'],
    ['the picture of an escape', 'a\u241b[31mb', 'ab'],
    ['an escape as a caret', 'a^[[31mb', 'ab'],
    ['an escape as \\u001b', 'a\\u001b[31mb\\u001B[0mc', 'abc'],
    ['an escape as \\x1b', 'a\\x1b[31mb\\x1B[0mc', 'abc'],
    ['an escape as \\u{1b}', 'a\\u{1b}[31mb\\u{1B}[0mc', 'abc'],
    ['an escape as \\033', 'a\\033[31mb', 'ab'],
    ['an escape as \\e', 'a\\e[31mb', 'ab'],
    ['an escape behind many backslashes', 'a\\\\\\\\x1b[31mb', 'ab'],
    ['an escape in percent', 'a%1b[31mb%1B%5b0mc%251b%255B0md', 'abcd'],
    ['an escape as an entity', 'a&#27;[31mb&#x1b;[0mc&#x1B;[0md', 'abcd'],
    ['colours without their escape', 'a[31mb[0mc[38;5;196md', 'abcd'],
  ])('has no %s', (_, text, plain) => {
    expect(plainView(text).text).toBe(plain);
  });

  it.each([
    ['a zero-width space', 'pass\u200bword'],
    ['a soft hyphen', 'pass\u00adword'],
    ['a byte order mark', 'pass\ufeffword'],
    ['a blank of Braille', 'pass\u2800word'],
    ['a filler of Hangul', 'pass\u3164word'],
    ['several of them', 'pa\u200bss\u200c\u200dword'],
    ['a variation selector', 'pass\ufe0fword'],
    ['a tag of a language', 'pass\u{e0041}word'],
    ['an escaped zero-width space', 'pass\\u200bword'],
    ['an escaped zero-width space in capitals', 'pass\\u200Bword'],
    ['an escaped joiner', 'pass\\u200Fword'],
    ['an escaped byte order mark', 'pass\\ufeffword'],
    ['an escaped byte order mark in capitals', 'pass\\uFEFFword'],
    ['an escaped soft hyphen', 'pass\\u00adword'],
    ['an escaped soft hyphen in capitals', 'pass\\u00ADword'],
    ['an escaped word joiner', 'pass\\\\u2060word'],
  ])('has no %s', (_, text) => {
    expect(plainView(text).text).toBe('password');
  });

  it.each([
    ['a letter in Unicode', 'p\\u0061ss', 'pass'],
    ['a letter in Unicode, behind two backslashes', 'p\\\\u0061ss', 'pass'],
    ['a letter in hexadecimal', 'p\\x61ss', 'pass'],
    ['a line break', 'a\\nb', 'a\nb'],
    ['a return', 'a\\rb', 'a\rb'],
    ['a tab', 'a\\tb', 'a\tb'],
    ['a slash', 'https:\\/\\/host', 'https://host'],
    ['a control character', 'a\\u0007b', 'a b'],
    ['a line break in Unicode', 'a\\u000ab\\u000dc', 'a\nb\nc'],
    ['a letter beyond ASCII', 'a\\u00e9b', 'a b'],
    ['the last character', 'a\\u007eb\\u007fc', 'a~b c'],
    ['percent', 'token%3Dabc%20d%2Fe', 'token=abc d/e'],
    ['percent twice', 'token%253Dabc%25252Fe', 'token=abc/e'],
    ['a line break in percent', 'a%0Ab%0dc%0ad%0De', 'a\nb\nc\nd\ne'],
    ['a tab in percent', 'a%09b', 'a b'],
    ['small letters in percent', '%7b%7d', '{}'],
    ['quotes', 'a=&quot;b&quot; c=&apos;d&apos;', 'a="b" c=\'d\''],
    ['brackets', '&lt;a&gt;', '<a>'],
    ['an ampersand', 'a&amp;b', 'a&b'],
    ['an entity twice', 'a&amp;quot;b', 'a"b'],
    ['signs by name', 'a&equals;b&colon;c', 'a=b:c'],
    ['an entity by number', 'p&#97;ss&#61;&#102;', 'pass=f'],
    ['an entity in hexadecimal', 'p&#x61;ss&#x3D;&#x3d;', 'pass=='],
    ['wide letters', 'ｐａｓｓｗｏｒｄ＝', 'password='],
    ['letters of mathematics', '𝐩𝑎𝓼𝕤', 'pass'],
  ])('means what its escapes mean: %s', (_, text, plain) => {
    expect(plainView(text).text).toBe(plain);
  });

  it.each([
    'an ordinary text, with (brackets) [1] and 100 % of it',
    'C:\\apps\\data',
    '50%off and %zz and %8a',
    'a & b; &unknown; &#1; &#12345;',
    'Größe, 大小, размер',
    '[12 m] [a31m]',
    '\\q \\u12 \\x1',
  ])('is %j as it is', (text) => {
    const view = plainView(text);
    expect([view.text, view.blanked, view.toOriginal(3)]).toEqual([text, text, 3]);
  });
});

describe('a position in the plain text', () => {
  it('is found in the original, before, between and after what was removed', () => {
    const view = plainView(`ab${ESC}[31mcd\u200bef%3Dgh`);
    expect(view.text).toBe('abcdef=gh');
    // The end of a part lies behind what was removed after it.
    expect([0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((at) => view.toOriginal(at))).toEqual([
      ...[0, 1, 7, 8, 10, 11, 12, 15, 16, 17],
    ]);
  });

  it('is found among many', () => {
    const text = 'a\u200b'.repeat(50);
    const view = plainView(text);
    expect(view.text).toBe('a'.repeat(50));
    for (let at = 0; at <= 50; at++) expect(view.toOriginal(at)).toBe(2 * at);
  });
});

describe('a text with blanks for what is invisible', () => {
  it('keeps all positions, and escapes as they are', () => {
    const text = `ab\u200b\u200bcd${ESC}[31mef%3Dgh`;
    expect(plainView(text).blanked).toBe('ab  cd     ef%3Dgh');
    expect(plainView(text).blanked).toHaveLength(text.length);
  });
});
