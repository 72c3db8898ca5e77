import { describe, expect, it } from 'vitest';
import { findShapes } from '../../src/observe/find-shapes.js';
import type { Span } from '../../src/observe/span.js';

const GITHUB = `ghp_${'aZ3k9Q'.repeat(6)}`;
const OPENAI = `sk-${'aZ3k9Q'.repeat(6)}`;
const TWILIO = `SK${'0a1b2c3d'.repeat(4)}`;
/** Forty mixed characters of base64, as Amazon hands them out. */
const AWS = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYzEXAMPLEK1';
const CARD = '4111 1111 1111 1111';

/** Returns each secret that is found, with its name. */
function found(text: string): string[] {
  const spans: Span[] = [];
  findShapes(text, spans);
  return spans.map(({ start, end, name }) => `${name} ${text.slice(start, end)}`).sort();
}

describe('a secret that is known by its shape', () => {
  it.each([
    ['alone', GITHUB, [`github-token ${GITHUB}`]],
    ['between words', `used ${GITHUB} twice`, [`github-token ${GITHUB}`]],
    ['after a letter beyond ASCII', `é${GITHUB}é`, [`github-token ${GITHUB}`]],
    ['twice', `${GITHUB} ${GITHUB}`, [`github-token ${GITHUB}`, `github-token ${GITHUB}`]],
    ['beside another one', `${GITHUB} ${OPENAI}`, [`github-token ${GITHUB}`, `openai-key ${OPENAI}`]],
    ['after a word that begins in the same way', `gha ghs gh ${GITHUB}`, [`github-token ${GITHUB}`]],
    ['with a prefix of two letters', `sid ${TWILIO}`, [`twilio-key ${TWILIO}`]],
    ['at the very end of a prefix', 'ghp_', []],
    ['too short', 'ghp_aZ3k9Q', []],
  ])('is found %s', (_, text, secrets) => {
    expect(found(text)).toEqual(secrets);
  });

  it.each(['a', 'z', 'A', 'Z', '0', '9'])('is none inside a word: %s before its prefix', (letter) => {
    expect(found(`${letter}${OPENAI}`)).toEqual([]);
  });

  it.each(['`', '{', '@', '[', '/', ':', ' ', '"'])('is found after %s', (sign) => {
    expect(found(`${sign}${OPENAI}`)).toEqual([`openai-key ${OPENAI}`]);
  });

  it('is found if the same prefix came before inside a word', () => {
    expect(found(`task-1 my${OPENAI} ${OPENAI}`)).toEqual([`openai-key ${OPENAI}`]);
  });

  it('may have a prefix in the middle of a word', () => {
    expect(found(`my${GITHUB}`)).toEqual([`github-token ${GITHUB}`]);
  });
});

describe('credentials in an address', () => {
  it('end before the host', () => {
    expect(found('redis://:p4ss@cache:6379/0')).toEqual(['url-credentials :p4ss@']);
    expect(found('see https://example.com and https://ada:p4ss@example.com')).toEqual(['url-credentials ada:p4ss@']);
  });

  it('are none in an address without a user', () => {
    expect(found('https://example.com:8080/a/b')).toEqual([]);
    expect(found('ada@example.com wrote to https://example.com:8080/a')).toEqual([]);
  });
});

describe('a secret without a prefix', () => {
  it('is a token of three parts', () => {
    const token = `M${'aZ3k9Q'.repeat(4)}.aZ3k9Q.${'aZ3k9Q'.repeat(5)}`;
    expect(found(`bot ${token}`)).toEqual([`discord-token ${token}`]);
    expect(found(token.replaceAll('.', ','))).toEqual([]);
  });

  it('is a run of exactly forty mixed characters', () => {
    expect(found(AWS)).toEqual([`aws-secret ${AWS}`]);
    expect(found(`key ${AWS} used`)).toEqual([`aws-secret ${AWS}`]);
    expect(found(AWS.slice(1))).toEqual([]);
    expect(found(`${AWS}z`)).toEqual([]);
    expect(found('0123456789abcdef0123456789abcdef01234567')).toEqual([]);
  });

  it('is at least three lines of a key', () => {
    const line = 'aZ3k9QxY'.repeat(8);
    const key = `${line}\n${line}\n${line}\n`;
    expect(found(`${key}aZ3k9Q==`)).toEqual([`private-key ${key}aZ3k9Q==`]);
    expect(found(`${line}\n${line}\n`)).toEqual([]);
    expect(found(`${line.slice(1)}\n${line.slice(1)}\n${line.slice(1)}\n`)).toEqual([]);
  });
});

describe('a card number', () => {
  it('has 13 to 19 digits, with blanks or dashes between them', () => {
    expect(found(`paid with ${CARD}`)).toEqual([`card ${CARD}`]);
    expect(found(`paid with ${CARD.replaceAll(' ', '-')}`)).toEqual([`card ${CARD.replaceAll(' ', '-')}`]);
    expect(found('4222222222222')).toEqual(['card 4222222222222']);
    expect(found('4111 1111 1111')).toEqual([]);
    expect(found('4111 1111 1111 1112')).toEqual([]);
  });
});

describe('a text for the search of encoded secrets', () => {
  const hasRun = (text: string) => findShapes(text, []);

  it('has 23 characters of base64 in a row', () => {
    expect(hasRun('a'.repeat(23))).toBe(true);
    expect(hasRun(`the text ${'aZ3+/-_'.repeat(4)} ends`)).toBe(true);
    expect(hasRun('a'.repeat(22))).toBe(false);
    expect(hasRun(`${'a'.repeat(22)} ${'a'.repeat(22)}`)).toBe(false);
    expect(hasRun(`${'a'.repeat(22)}é${'a'.repeat(22)}`)).toBe(false);
    expect(hasRun(`${'a'.repeat(23)} b`)).toBe(true);
  });
});
