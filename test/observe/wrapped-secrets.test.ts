import { describe, expect, it } from 'vitest';
import type { Span } from '../../src/observe/span.js';
import { findWrapped } from '../../src/observe/wrapped-secrets.js';

const GITHUB = `ghp_${'aZ3k9Q'.repeat(6)}`;
const base64 = (text: string) => Buffer.from(text).toString('base64');
const hex = (text: string) => Buffer.from(text).toString('hex');

function found(text: string): string[] {
  const spans: Span[] = [];
  findWrapped(text, spans);
  expect(spans.every(({ name }) => name === 'wrapped')).toBe(true);
  return spans.map(({ start, end }) => text.slice(start, end));
}

describe('a secret in an encoded text', () => {
  it.each([
    ['base64', base64(`key ${GITHUB}`)],
    ['base64 with padding', base64(`keys ${GITHUB}`)],
    ['base64 with two signs of padding', base64(`a keys ${GITHUB}.`)],
    ['base64 for addresses', Buffer.from(`~~~??? ${GITHUB}`).toString('base64url')],
    ['base64 with letters of all kinds', base64(`{"a":"~~?>??","key":"${GITHUB}"}`)],
    ['hexadecimal', hex(GITHUB)],
    ['capital hexadecimal', hex(GITHUB).toUpperCase()],
    ['hexadecimal with its mark', `0x${hex(GITHUB)}`],
    ['a name in base64', base64('{"password":"swordfish"}')],
    ['a name in hexadecimal', hex('{"password":"swordfish"}')],
    ['lines in base64', base64(`user\r\n\tpassword: "swordfish"\n`)],
  ])('hides nothing: the whole run of %s is found', (_, run) => {
    expect(found(run)).toEqual([run]);
    expect(found(`body ${run} was sent`)).toEqual([run]);
    expect(found(`[${run}] and (${run})`)).toEqual([run, run]);
  });

  it('is found behind bytes that are no text, if the text begins before them', () => {
    expect(found(base64(`keys: \u0001\u0002 ${GITHUB}`))).toHaveLength(1);
  });

  it('is found although the run was cut in the middle of a group', () => {
    for (const cut of [1, 2, 3, 4]) expect(found(base64(`key ${GITHUB} end`).slice(0, -cut))).toHaveLength(1);
  });

  it('may begin with a tab or a line break', () => {
    for (const first of ['\t', '\n', '\r', ' ', '~']) expect(found(base64(`${first}${GITHUB}`))).toHaveLength(1);
  });
});

describe('an encoded text without a secret', () => {
  it.each([
    ['ordinary words', base64('the quick brown fox jumps over it')],
    ['ordinary words in hexadecimal', hex('the quick brown fox jumps')],
    ['the bytes of a picture', base64(`\u0001\u0002${GITHUB}`)],
    ['bytes after text', base64(`key\u0007 ${GITHUB}`)],
    ['bytes in the second group', base64(`keys\u007f ${GITHUB}`)],
    ['hexadecimal with a byte that is no text', `${hex(GITHUB)}00`],
    ['a checksum', '0123456789abcdef0123456789abcdef01234567'],
    ['a long word', 'thisIsAVeryLongIdentifierOfAClass'],
    ['a short run', base64('password=a1').slice(0, 22)],
    ['hexadecimal of both cases', `${hex(GITHUB).slice(0, -2)}aB`],
  ])('is left alone: %s', (_, run) => {
    expect(found(run)).toEqual([]);
  });

  it('is read only in its first 8,192 characters', () => {
    const filler = 'word '.repeat(2_000);
    expect(found(base64(`${GITHUB} ${filler}`))).toHaveLength(1);
    expect(found(base64(`${filler} ${GITHUB}`))).toEqual([]);
    expect(found(hex(`${filler} ${GITHUB}`))).toEqual([]);
  });
});
