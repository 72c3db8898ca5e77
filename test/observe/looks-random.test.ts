import { describe, expect, it } from 'vitest';
import {
  isCardNumber,
  looksLikeAwsSecret,
  looksLikeBasic,
  looksMixed,
  looksRandom,
} from '../../src/observe/looks-random.js';

/** Returns the digits with the one that makes them pass the Luhn check. */
function withCheckDigit(digits: string): string {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}
const card = (beginning: string) => withCheckDigit(beginning.padEnd(15, '0123456789'));

describe('a card number', () => {
  it('begins as those of the issuers do', () => {
    const beginnings = ['4', '51', '55', '22', '27', '34', '37', '30', '36', '38', '39', '60', '65'];
    expect(beginnings.filter((beginning) => !isCardNumber(card(beginning)))).toEqual([]);
    const others = ['0', '1', '50', '56', '20', '21', '28', '31', '32', '33', '35', '7', '8', '9', '14', '151'];
    expect(others.filter((beginning) => isCardNumber(card(beginning)))).toEqual([]);
  });

  it('passes the Luhn check, also if it is written in groups', () => {
    expect(isCardNumber('4111 1111 1111 1111')).toBe(true);
    expect(isCardNumber('3782-822463-10005')).toBe(true);
    expect(isCardNumber('4111111111111112')).toBe(false);
  });

  it('is not one digit again and again, as in examples of a form', () => {
    // These pass the check.
    expect(isCardNumber('6666666666666')).toBe(false);
    expect(isCardNumber('6666666666660')).toBe(false);
    expect(isCardNumber(withCheckDigit('666666666661'))).toBe(true);
  });
});

describe('a text that looks generated', () => {
  it.each([
    ['a1b2c3d4', true],
    ['deadbeef99', true],
    ['passwordOneTwo3', true],
    ['averylongwordwith1digit', true],
    ['sOmeRandOmLetTersHere', true],
    ['a1b2c3d', false],
    ['12345678', false],
    ['12.345,678:90%', false],
    ['password', false],
    ['password1', false],
    ['someVariableNameOnly', true],
    ['someVariablename', false],
    ['justAlongword', false],
    ['aVeryShortOne', false],
    ['sOmeRandOmLettEr', true],
    ['sOmeRandOmLetEr', false],
    ['sixteen-letters1', true],
    ['fifteen-letter1', false],
  ])('%j: %s', (text, isRandom) => {
    expect(looksRandom(text)).toBe(isRandom);
  });

  it('is mixed if digits or capitals appear again and again among its letters', () => {
    expect(['a1b2c3', 'x9y8z7', 'aBcDeFgHi'].map(looksMixed)).toEqual([true, true, true]);
    expect(['a1b2', 'version2', 'camelCaseName', 'release-2026'].map(looksMixed)).toEqual([false, false, false, false]);
  });
});

it('a Basic credential differs from a word', () => {
  expect(['dXNlcg=', 'dXNlcjpwYXNz', 'abc1', 'aBcDe'].map(looksLikeBasic)).toEqual([true, true, true, true]);
  expect(['authentication', 'Required', 'camelCase'].map(looksLikeBasic)).toEqual([false, false, false]);
});

it('an AWS secret has capitals, small letters and a digit, and no long word as a path has', () => {
  expect(looksLikeAwsSecret('wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY')).toBe(true);
  expect(looksLikeAwsSecret('ABCDEabcde1')).toBe(true);
  expect(['ABCDabcde1', 'ABCDEabcd1', 'ABCDEabcde', 'ABCDE1/components'].filter(looksLikeAwsSecret)).toEqual([]);
});
