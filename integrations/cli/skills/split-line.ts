import { LoopError } from 'rsi-loop';

/** Part of a word: in single quotes, in double quotes with escapes, or without quotes. */
const PART = /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|([^\s'"\\]+)/y;

/**
 * Splits a line into words, as a shell does with quotes and backslashes.
 * @throws LoopError `invalid-input` for a quote that is not closed.
 */
export function splitLine(line: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  let at = 0;
  while (at < line.length) {
    if (/\s/.test(line.charAt(at))) {
      if (word !== undefined) words.push(word);
      word = undefined;
      at++;
      continue;
    }
    PART.lastIndex = at;
    const part = PART.exec(line);
    if (!part) throw new LoopError('invalid-input', `a quote is not closed: ${line.slice(at, at + 40)}`);
    const [all, single, double, escaped, plain] = part;
    word = (word ?? '') + (single ?? double?.replace(/\\(["\\])/g, '$1') ?? escaped ?? plain ?? '');
    at += all.length;
  }
  return word === undefined ? words : [...words, word];
}
