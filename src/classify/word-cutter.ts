import { DIGIT, JOINER, kindOf, LOWER, SIGN, UPPER } from './characters.js';
import {
  BREAK,
  DROPPED,
  LOOSE_STATUS,
  NAME,
  NUMBER,
  OTHER_KEY,
  type PhraseTree,
  rootOf,
  STATUS,
  STATUS_NUMBER,
} from './phrase-tree.js';

/** A text as symbols, 0 for words that no phrase contains. Valid until the next text is cut. */
export interface CutText {
  readonly symbols: readonly number[];
  /** How many words there are. */
  readonly count: number;
}

/** What stands before the first word and after a break. */
const START = -1;
/** Words joined to a number of four digits or more. */
const ID = /^[a-z]{2,24}(?:[-_][a-z]{2,24}){0,3}[-_]\d{4,24}$/i;
const TAG = /^<(?:(style|script)\b|[/!]?[a-z]\w{0,9}(?:\/?>| [\w-]{1,20}=| html))/i;

/**
 * Gives the function that cuts a folded text into the words that phrases are made of, in one pass. Ids, paths, URLs, quoted
 * names and keys of JSON become a word that no phrase contains, so that `request id 84290` or `cfg/timeout.yaml` is not
 * taken for an error. Its buffers are used again for every text: this runs for every failed task.
 */
export function wordCutter(tree: PhraseTree): (text: string) => CutText {
  /** No HTTP status stands before a noun (`429 tests`); these are no nouns. */
  const nounNext =
    /^ +(?!(?:for|from|on|at|after|while|when|and|but|because|status|too|not|bad|un\w+|forbidden|internal|service|gateway|error|response|client|server|model|to|page|payment|request|no|gone)\b)\p{Ll}/u;
  const { spelling, wordAt, stemAt, signs, flagAt } = tree;
  const symbols: number[] = [];
  let text = '';
  let count = 0;
  /** Flag of the word before. */
  let last = START;
  const kindAt = (at: number) => kindOf(text.charCodeAt(at));

  const put = (symbol: number) => {
    const flag = flagAt[symbol] ?? 0;
    if (flag === DROPPED) return;
    symbols[count++] = symbol;
    last = symbol === BREAK ? START : flag;
  };

  /** Puts a name in the place of the words written since. */
  const rename = (first: number) => {
    count = first;
    put(NAME);
  };

  /** The end of an HTML tag, of a style or script with what is in it; the `<` itself where it opens no tag. */
  const skipTag = (at: number) => {
    const tag = TAG.exec(text.slice(at, at + 40));
    if (!tag) return at;
    put(BREAK);
    const end = text.indexOf('>', tag[1] ? Math.max(at, text.indexOf(`</${tag[1]}`, at)) : at);
    return end < 0 ? at : end;
  };

  const isStatus = (from: number, end: number) => {
    if (last === STATUS) return true;
    const next = text.slice(end, end + 16);
    if (nounNext.test(next)) return false;
    if (last === LOOSE_STATUS || last === START) return true;
    const opener =
      text
        .slice(Math.max(0, from - 3), from)
        .trimEnd()
        .at(-1) ?? '';
    if ('(['.includes(opener)) return /^[)\]]|^ \p{Lu}/u.test(next);
    return '>\u2192'.includes(opener) || (opener === ':' && /^:? ?[A-Z{]/.test(next));
  };

  const number = (start: number, from: number, end: number) => {
    let before = from > start ? (text[from - 1] ?? '') : ' ';
    if (before === '-') before = from - 1 > start ? (text[from - 2] ?? '') : ' '; // error -32602
    const joined = !" :='#".includes(before) || '/-%_'.includes(text[end] ?? ' ');
    const status = end - from === 3 && !joined && '45'.includes(text[from] ?? '') && isStatus(from, end);
    let node = status ? STATUS_NUMBER : NUMBER;
    if (!joined) for (let at = from; at < end; at++) node = spelling[node * 32 + (text.charCodeAt(at) & 31)] ?? 0;
    const isZero = end - from === 1 && text[from] === '0';
    put((wordAt[node] ?? 0) || (status || isZero ? 0 : (stemAt[NUMBER] ?? 0)));
  };

  /** The words of `camelCase` and plain words up to the next joiner; gives where they end. */
  const part = (start: number, from: number, end: number, key: boolean) => {
    const first = count;
    let at = from;
    let begin = from;
    let node = rootOf(text.charCodeAt(from));
    let known = node;
    let previous = 0;
    let digits = 0;
    for (; at < end; at++) {
      const unit = text.charCodeAt(at);
      const kind = kindOf(unit);
      if (kind === JOINER) {
        if (unit === 39 && kindAt(at + 1) === LOWER) continue; // don't
        break;
      }
      if (kind === DIGIT) digits++;
      else if (kind === UPPER && at > begin && (previous === LOWER || kindAt(at + 1) === LOWER)) {
        put(wordAt[node] || stemAt[known] || 0);
        node = rootOf(unit);
        begin = at;
      }
      node = spelling[node * 32 + (unit & 31)] ?? 0;
      if (node > 0) known = node;
      previous = kind;
    }
    if (digits === at - from) number(start, from, at);
    else if (digits > 0) rename(first);
    else {
      put(wordAt[node] || stemAt[known] || 0);
      const setting = text[at] === '=' && kindAt(at + 1) === DIGIT; // timeout=30
      if ((key || setting) && last !== STATUS && last !== OTHER_KEY) rename(first);
    }
    return at;
  };

  /** `"timeout": 30`: what a field is called says nothing about the error. */
  const isKey = (start: number, end: number) =>
    text[end] === '"'
      ? text[start - 1] === '"' && text[end + 1] === ':'
      : text[end - 1] === ':' && text[end - 2] === "'" && text[start] === "'";

  /** `certificate_7504069`, `order-20931`: a word with a long number behind it names one thing. */
  const isId = (start: number, end: number) =>
    kindAt(end - 1) === DIGIT && kindAt(start) !== DIGIT && ID.test(text.slice(start, end));

  /** `timeout` in "reading 'timeout'" is a name; in "error: 'timeout'" it is what happened. */
  const isQuotedName = (start: number, end: number) => {
    const open = text.charCodeAt(start) === 39 ? start : start - 1;
    const quote = text[open] ?? '';
    if ((quote !== "'" && quote !== '"' && quote !== '`') || kindAt(open + 1) !== LOWER) return false;
    const close = quote === "'" ? text.indexOf(quote, start + 1) : end;
    return close <= end && text[close] === quote && kindAt(text[open - 1] === ' ' ? open - 2 : open - 1) > JOINER;
  };

  /** Past the quoted value of a key. */
  const skipValue = (end: number) => {
    const open = end + (/^[":\s]{0,4}/.exec(text.slice(end, end + 5))?.[0].length ?? 0);
    const close =
      text[open - 1] === '"' ? text.indexOf('"', open) : text[open] === "'" ? text.indexOf("'", open + 1) : -1;
    return close < 0 ? end : close + 1;
  };

  const plainNumber = (start: number) => {
    let at = start;
    while (at < text.length && kindAt(at) === DIGIT) at++;
    if (at < text.length && (kindAt(at) > SIGN || text[at] === '"')) return -1;
    number(start, start, at);
    return at;
  };

  /** The common case, a word of letters before a blank, with the same result as `chunk`; gives where it ends, or -1. */
  const plainWord = (start: number) => {
    let unit = text.charCodeAt(start);
    let kind = kindOf(unit);
    if (kind < LOWER || kind > UPPER) return kind === DIGIT ? plainNumber(start) : -1;
    let node = rootOf(unit);
    let known = node;
    let at = start;
    const { length } = text;
    do {
      node = spelling[node * 32 + (unit & 31)] ?? 0;
      if (node > 0) known = node;
      at++;
      unit = at < length ? text.charCodeAt(at) : 32;
    } while (unit > 96 && unit < 123);
    kind = kindOf(unit);
    if (kind >= LOWER) return -1;
    if (kind > SIGN) {
      // `failed:` and `refused.` before a blank too.
      if ((unit !== 58 && unit !== 46) || (at + 1 < text.length && text.charCodeAt(at + 1) > 32)) return -1;
    } else if (unit === 34 || unit === 96) return -1;
    put(wordAt[node] || stemAt[known] || 0);
    if (unit === 46) put(BREAK);
    return kind > SIGN ? at + 1 : at;
  };

  /** What stands between two blanks or brackets: words, or the name of something. Gives where it ends. */
  const chunk = (start: number) => {
    const plain = plainWord(start);
    if (plain > 0) return plain;
    let end = start;
    let slashes = 0;
    let dot = 0;
    let named = false;
    for (; end < text.length; end++) {
      const unit = text.charCodeAt(end);
      const kind = kindOf(unit);
      if (kind <= SIGN) break;
      if (kind !== JOINER || end === start) continue;
      if (unit === 47) slashes++;
      else if (unit === 46) {
        if (kindAt(end + 1) > JOINER && kindAt(end - 1) > JOINER) dot = end + 1;
      } else if (unit === 64 || (unit === 92 && text[end - 1] === ':')) named = true; // a@b, C:\
    }
    const head = text[start] ?? '';
    if (slashes > 0 && /^(?:https?\/\d|models\/)/i.test(text.slice(start, start + 7))) {
      for (let at = start; text[at] !== '/'; ) at = part(start, at, end, false); // HTTP/1.1; Gemini's names of models
      return end;
    }
    named ||=
      slashes > 1 ||
      (slashes > 0 && dot > 0) ||
      (end - start > 1 && '/~'.includes(head)) ||
      (head === '.' && slashes > 0);
    // `config.timeoutMs` and `api.example.com` are names, `openai.RateLimitError` is a class.
    named ||= dot > 0 && kindAt(dot) !== UPPER;
    const key = isKey(start, end);
    if (named || (!key && (isQuotedName(start, end) || isId(start, end)))) put(NAME);
    else
      for (let at = start; at < end; ) {
        if (kindAt(at) === JOINER) at++;
        else at = part(start, at, end, key);
      }
    const tail = text[end - 1];
    if (tail === '.' || tail === '?') put(BREAK);
    return key && last === OTHER_KEY ? skipValue(end) : end;
  };

  return (source) => {
    text = source;
    count = 0;
    last = START;
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit === 32) continue;
      const kind = kindOf(unit);
      if (kind > SIGN) at = chunk(at) - 1;
      else if (kind === SIGN) put(signs[unit] ?? 0);
      else if (unit === 60) at = skipTag(at);
      else if (unit === 10 || unit === 33 || unit === 59 || unit === 0x3002)
        put(BREAK); // \n ! ; 。
      else if (unit === 44 && text[at - 1] === '"') put(BREAK); // between the items of JSON
    }
    return { symbols, count };
  };
}
