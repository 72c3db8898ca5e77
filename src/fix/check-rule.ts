import { recordedText } from '../lib/recorded-text.js';
import { showValue } from '../lib/text.js';

/** Maximum length of a rule, in UTF-16 units. */
export const MAX_RULE = 300;
const MIN_RULE = 15;
const MAX_QUOTE = 60;

/**
 * Returns why a text may not become a rule; `undefined` if it may. A rule is one plain sentence of at most 300
 * characters, in any language, without addresses, code or disguised letters. A short list of English words rejects the
 * most obvious requests to bypass rules. No list of words can separate harmful sentences from good ones.
 * Rules worded by a model or a record therefore always wait for a person.
 */
export function checkRule(text: unknown): string | undefined {
  if (typeof text !== 'string') return `it is ${showValue(text)}: give a text`;
  if (text.length > MAX_RULE) return `it has ${text.length} characters: give at most ${MAX_RULE}`;
  if (widthOf(text) < MIN_RULE) return `it has ${text.length} characters: say what to do, in at least ${MIN_RULE}`;
  if (text !== recordedText(text)) return 'it holds a line break, or characters that cannot be seen';
  // Full-width punctuation is normal in its languages. Every other character with a plainer form is a disguise.
  const plain = text
    .replace(WIDE_PUNCTUATION, (mark) => mark.normalize('NFKC'))
    .replace(SENTENCE_ENDS, '. ')
    .trimEnd();
  const letters = plain.replace(DECOMPOSED_BY_DESIGN, '');
  if (letters !== letters.normalize('NFKC')) return 'it holds look-alikes of letters: write plain ones';
  if (!BEGINS.test(plain)) return 'it does not begin with a capital letter';
  if (!ENDS.test(plain)) return 'it does not end with a full stop';
  if (/[.!?]["'”’)]*\s|[!?]./u.test(plain)) return 'it has more than one sentence';
  if (/[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]\p{M}/u.test(plain))
    return 'it holds marks over its letters';
  return findSuspect(plain);
}

/** Returns what in a sentence a person should look at: disguised letters, an address, code, a request of a known sort. */
export function findSuspect(plain: string): string | undefined {
  if (mixesScripts(plain)) return 'it mixes scripts within a word';
  forbidden ??= allForbidden();
  const found = forbidden.find(({ pattern }) => pattern.test(plain))?.what;
  return found && `it holds ${found}`;
}

const WIDE_PUNCTUATION = /[\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f]/g;
/** Sentence ends of other scripts. */
const SENTENCE_ENDS = /(?![.!?])\p{Sentence_Terminal}/gu;
/** Ellipsis, and the Thai and Lao vowel AM: compatibility forms that people write every day. */
const DECOMPOSED_BY_DESIGN = /[…\u0e33\u0eb3]/g;
/** Scripts in which a character says about twice as much. */
const WIDE_LETTERS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
/** Capital, or a letter of a script without capitals. */
const BEGINS = /^[\p{Lu}\p{Lt}\p{Lo}]/u;
/** Thai and Lao have no full stop. */
const ENDS = /(?:[.!]|[\p{Script=Thai}\p{Script=Lao}])$/u;

const widthOf = (text: string) => text.length + (text.match(WIDE_LETTERS)?.length ?? 0);

/**
 * Returns recorded text in quotation marks, for use inside a rule; `undefined` if nothing usable is left.
 * Text that would be rejected as a rule is not quoted either.
 */
export function quoted(text: string, max = MAX_QUOTE): string | undefined {
  const plain = recordedText(text)
    .replace(/<\*>/g, '…')
    .replace(/["“”„«»‘’']/g, '')
    .replace(/(?<![.!?;])[.!?;]+(?=\s|$)/g, '')
    .trim();
  const cut = plain.length > max ? `${plain.slice(0, max - 1).replace(/\s\S*$/, '')}…` : plain;
  if (!/[\p{L}\p{N}]{2}/u.test(cut)) return undefined;
  const inside = `Check “${cut}” before you go on.`;
  return checkRule(inside) === undefined ? `“${cut}”` : undefined;
}

interface Forbidden {
  readonly what: string;
  readonly pattern: RegExp;
}

/** Gap between two words: spaces and punctuation, and up to four other words. */
const GAP = String.raw`[\s\p{P}]{1,4}(?:\p{L}+[\s\p{P}]{1,4}){0,4}?`;
/** A negation before a match is allowed: `Never skip the tests` and `do not ignore the exit code` are good rules. */
const NOT_FORBIDDEN = String.raw`(?<!(?:(?<!\p{L})(?:never|not)|n['’]t)\s[^,:;]{0,40})(?<!\p{L})`;
const words = (...names: string[]) => new RegExp(`${NOT_FORBIDDEN}(?:${names.join('|')})(?!\\p{L})`, 'iu');
/** Matches one of the first words followed closely by one of the second. */
const pairs = (first: string, second: string) =>
  new RegExp(`${NOT_FORBIDDEN}(?:${first})${GAP}(?:${second})(?!\\p{L})`, 'iu');

/** Built on first use, so that importing costs nothing. Never changes afterwards. */
let forbidden: readonly Forbidden[] | undefined;

/**
 * Returns the forbidden shapes and about forty English words. Longer lists reject good rules and are still easy to
 * paraphrase.
 */
const allForbidden = (): readonly Forbidden[] => [
  { what: 'an address', pattern: /:\/\/|\bwww\.|\b(?:mailto|javascript|data|file|ftp)\s*:|@\w|\]\s*\(/i },
  {
    what: 'an address',
    pattern:
      /\b[a-z0-9-]{2,}\.(?:com|net|org|io|dev|app|ai|co|sh|xyz|info|biz|ru|cn|uk|de|eu|me|to|ly|gg|site|online|top|zip|example)\b/i,
  },
  { what: 'an address', pattern: /\b\d{1,3}(?:\.\d{1,3}){3}\b/ },
  { what: 'code', pattern: /[`<>{}|\\$=~^#*]|&&|\(\)|;|--\w|\/\/|\.\.\// },
  {
    what: 'code',
    pattern:
      /\b(?:rm -|sudo|chmod|chown|curl|wget|eval|exec|base64|powershell|bash -c|sh -c|drop table|delete from|import os|npm i|npm install|pip install|git push)\b/i,
  },
  { what: 'code', pattern: /[A-Za-z0-9+/]{40,}|\w\(/ },
  {
    what: 'a word that sets rules or safety aside',
    pattern: words(
      'ignor(?:e|es|ed|ing)',
      'disregard(?:s|ed|ing)?',
      'overrid(?:e|es|den|ing)',
      'bypass(?:es|ed|ing)?',
      'disabl(?:e|es|ed|ing)',
      'pretend(?:s|ed|ing)?',
      'jailbreak(?:s|ed|ing)?',
    ),
  },
  {
    what: 'a word that sets rules or safety aside',
    pattern: pairs('turn|switch', 'off'),
  },
  {
    what: 'a word that sets rules or safety aside',
    pattern: pairs('without|skip(?:s|ping)?', 'approvals?|permission|confirmation|review|tests?|checks?'),
  },
  {
    what: 'a claim about who speaks',
    pattern: words('you are now', 'system prompt', 'developer mode', '(?:new|previous) instructions?'),
  },
  {
    what: 'a request to give something away',
    pattern: pairs('send|upload|share|reveal', 'passwords?|secrets?|tokens?|keys?|credentials?'),
  },
  {
    what: 'an act that cannot be undone',
    pattern: pairs('delete|erase|wipe|drop', 'all|every|everything|backups?'),
  },
  { what: 'a grant of rights', pattern: words('auto-?approv\\p{L}*', 'always (?:approve|accept|trust)') },
];

/** Returns whether a word mixes scripts: `іgnore` with a Cyrillic first letter is not the word it looks like. */
function mixesScripts(text: string): boolean {
  return (text.match(/\p{L}+/gu) ?? []).some((word) => SCRIPTS.filter((script) => script.test(word)).length > 1);
}

const SCRIPTS = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
];
