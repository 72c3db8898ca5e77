import { recordedText } from '../lib/recorded-text.js';
import type { Request } from './check-rule-languages.js';
import { foreignRequest } from './foreign-request.js';

/** Longest rule, in UTF-16 units. */
export const MAX_RULE = 300;
const MIN_RULE = 15;
const MAX_QUOTE = 60;

/**
 * Why a text may not become a rule, or undefined when it may: one plain sentence of at most 300 characters, without
 * addresses, code, or any word that asks to ignore, switch off or give away something, in English or nine other languages.
 * Every rule goes through it, whoever wrote it. It refuses too much rather than too little: a person can write into the
 * file whatever they like.
 */
export function checkRule(text: unknown): string | undefined {
  if (typeof text !== 'string') return `it is a ${typeof text}: give a text`;
  if (text.length > MAX_RULE) return `it has ${text.length} characters: give at most ${MAX_RULE}`;
  if (widthOf(text) < MIN_RULE) return `it has ${text.length} characters: say what to do, in at least ${MIN_RULE}`;
  if (text !== recordedText(text)) return 'it holds a line break, or characters that cannot be seen';
  // Wide punctuation is what these languages are written with; whatever else has a plainer form is a disguise.
  const plain = text
    .replace(WIDE_PUNCTUATION, (mark) => mark.normalize('NFKC'))
    .replaceAll('。', '. ')
    .trimEnd();
  const letters = plain.replaceAll('…', '');
  if (letters !== letters.normalize('NFKC')) return 'it holds look-alikes of letters: write plain ones';
  if (!BEGINS.test(plain)) return 'it does not begin with a capital letter';
  if (!/[.!]$/.test(plain)) return 'it does not end with a full stop';
  if (/[.!?]["'”’)]*\s|[!?]./u.test(plain)) return 'it has more than one sentence';
  if (/[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]\p{M}/u.test(plain))
    return 'it holds marks over its letters';
  if (mixesScripts(plain)) return 'it mixes scripts within a word';
  forbidden ??= allForbidden();
  const found = forbidden.find(({ pattern }) => pattern.test(plain))?.what;
  if (found !== undefined) return `it holds ${found}`;
  const request = foreignRequest(plain);
  return request && `it holds ${REQUESTS[request]}`;
}

const WIDE_PUNCTUATION = /[\uff01\uff08\uff09\uff0c\uff1a\uff1b\uff1f]/g;
/** Scripts without capitals whose requests are known. */
const WIDE_LETTERS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
const BEGINS = /^[\p{Lu}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Wide letters say about twice as much as others. */
const widthOf = (text: string) => text.length + (text.match(WIDE_LETTERS)?.length ?? 0);

const SET_ASIDE = 'a word that sets rules or safety aside';
const WHO_SPEAKS = 'a claim about who speaks';
const GIVE_AWAY = 'a request to give something away';
const DESTROY = 'an act that cannot be undone';
const GRANT = 'a grant of rights';

const REQUESTS: Readonly<Record<Request, string>> = {
  'set aside': SET_ASIDE,
  'who speaks': WHO_SPEAKS,
  'give away': GIVE_AWAY,
  destroy: DESTROY,
  grant: GRANT,
};

/**
 * A piece of recorded text in quotation marks, for use inside a rule; undefined where nothing usable is left of it. What
 * would not pass as a rule may not stand in one either.
 */
export function quoted(text: string, max = MAX_QUOTE): string | undefined {
  const plain = recordedText(text)
    .replace(/<\*>/g, '…')
    .replace(/["“”„«»‘’']/g, '')
    .replace(/[.!?;]+(?=\s|$)/g, '')
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

/** Between two words: blanks, or what somebody puts there so that they are not recognised. */
const GAP = String.raw`[\s\p{P}]{1,4}(?:\p{L}+[\s\p{P}]{1,4}){0,4}?`;
const words = (...names: string[]) => new RegExp(String.raw`(?<!\p{L})(?:${names.join('|')})(?!\p{L})`, 'iu');
/** One of the first words and, soon after it, one of the second. */
const pairs = (first: string, second: string) =>
  new RegExp(String.raw`(?<!\p{L})(?:${first})${GAP}(?:${second})(?!\p{L})`, 'iu');

/** Built on first use, so that importing costs nothing; never changes after. */
let forbidden: readonly Forbidden[] | undefined;

const allForbidden = (): readonly Forbidden[] => [
  {
    what: 'words meant for the loop and not for the agent',
    pattern: words(
      '(?:this|the|every|any|all) (?:patterns?|fix(?:es)?|proposals?|trials?|verdicts?)',
      'root cause to',
      'confidence to',
      '(?:has|have|is|was) approved',
      'apply (?:it|this|them) now',
      'yes to (?:every|all|any)\\p{L}*',
      'nobody (?:sees|notices|knows)',
      'classif\\p{L}+ (?:this|it|the)',
      'rsi',
    ),
  },
  {
    what: 'a setting of the loop',
    pattern: pairs(
      'set|change|raise|lower|increase|decrease|double|remove',
      'retries|time-?outs?|limits?|breakers?|concurrency|budgets?|settings?|thresholds?',
    ),
  },
  { what: 'an address', pattern: /:\/\/|\bwww\.|\b(?:mailto|javascript|data|file|ftp)\s*:|@\w|\]\s*\(/i },
  {
    what: 'an address',
    pattern:
      /\b[a-z0-9-]{2,}\.(?:com|net|org|io|dev|app|ai|co|sh|xyz|info|biz|ru|cn|uk|de|eu|me|to|ly|gg|site|online|top|zip)\b/i,
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
    what: SET_ASIDE,
    pattern: words(
      'ignor(?:e|es|ed|ing)',
      'disregard(?:s|ed|ing)?',
      'forget(?:s|ting)?',
      'overrid(?:e|es|den|ing)',
      'overrul(?:e|es|ed|ing)',
      'bypass(?:es|ed|ing)?',
      'circumvent(?:s|ed|ing)?',
      'disabl(?:e|es|ed|ing)',
      'deactivat(?:e|es|ed|ing)',
      'suppress(?:es|ed|ing)?',
      'jailbreak(?:s|ed|ing)?',
      'unrestricted',
      'uncensored',
      'pretend(?:s|ed|ing)?',
      'roleplay',
    ),
  },
  { what: SET_ASIDE, pattern: pairs('turn|switch|shut', 'off|down') },
  {
    what: SET_ASIDE,
    pattern: pairs(
      'without|skip|skips|skipping|omit|no|never|not|avoid',
      'ask|asking|approval|approvals|confirm|confirmation|confirming|permission|permissions|review|reviews|reviewing|check|checks|checking|test|tests|testing|verify|verification|verifying|validation|validating|safety|guardrails?|policy|policies|rules?|instructions?|guidelines?|telling|tell|report|reporting|log|logging',
    ),
  },
  { what: WHO_SPEAKS, pattern: pairs('you', 'are now') },
  {
    what: WHO_SPEAKS,
    pattern: words(
      'system prompt',
      'developer mode',
      'admin mode',
      'system message',
      'as an? (?:ai|admin|root|developer)',
      'act as',
      'new instructions?',
      'previous instructions?',
      'prior instructions?',
      'above instructions?',
      'earlier instructions?',
    ),
  },
  {
    what: GIVE_AWAY,
    pattern: pairs(
      'send|sends|post|upload|forward|email|mail|share|reveal|leak|print|show|expose|exfiltrate|publish|transmit|output|repeat|echo',
      'passwords?|secrets?|tokens?|keys?|credentials?|cookies?|prompt|instructions|environment|env|data to|contents? to|files? to|everything to',
    ),
  },
  {
    what: GIVE_AWAY,
    pattern: words('exfiltrat\\p{L}*', 'backdoors?', 'malware', 'ransomware'),
  },
  {
    what: DESTROY,
    pattern: pairs(
      'delete|deletes|erase|wipe|destroy|drop|remove|format|truncate|overwrite|kill',
      'all|every|everything|any|files?|folders?|director(?:y|ies)|database|databases|tables?|repositor(?:y|ies)|disk|disks|branch|branches|backups?|logs?|tests?|history|rules?',
    ),
  },
  {
    what: DESTROY,
    pattern: words('force[- ]push(?:es|ed|ing)?', 'merge(?:s|d)? without', 'disclos\\p{L}*'),
  },
  {
    what: GRANT,
    pattern: pairs(
      'grant|give|allow|approve|accept|enable|trust',
      'all|every|everything|any|full|root|admin|itself|yourself|automatically|always',
    ),
  },
  {
    what: GRANT,
    pattern: words(
      'always (?:approve|accept|allow|agree|comply|obey|trust)',
      'auto-?approv\\p{L}*',
      'no matter what',
      'obey',
      'comply with any',
    ),
  },
];

/** `іgnore` with a Cyrillic first letter is not the word it looks like. */
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
