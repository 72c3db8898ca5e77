import { recordedText } from '../lib/recorded-text.js';

/** Run length that counts as copied: letters, and characters of scripts in which one character can be a word. */
const COPIED_LETTERS = 28;
const COPIED_SIGNS = 8;
/** Quotations of up to 60 characters. Longer ones do not count as quotations. */
const QUOTED = /[“"„«][^“”"„«»]{0,60}[”"“»]/gu;
const SIGNS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Returns whether both texts share a long run of letters, outside of short quotations. */
export function isCopied(text: string, recorded: string): boolean {
  const source = lettersOf(recordedText(recorded, 8_000));
  return text.split(QUOTED).some((part) => {
    const letters = [...lettersOf(part)];
    return letters.some((letter, at) => {
      const length = SIGNS.test(letter) ? COPIED_SIGNS : COPIED_LETTERS;
      return at + length <= letters.length && source.includes(letters.slice(at, at + length).join(''));
    });
  });
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}
