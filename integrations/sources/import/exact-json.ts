/** Fewer digits than this always fit into a number. */
const MANY_DIGITS = /\d{16}/;
/** A whole number of so many digits; not the tail of a fraction or an exponent, and not the beginning of one. */
const LONG_INTEGER = /(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;

/**
 * `JSON.parse`, except that a whole number beyond 2^53 comes as its digits, a text: ids of spans and times in nanoseconds
 * stay what they are.
 * @throws SyntaxError as `JSON.parse` does.
 */
export function parseExact(text: string): unknown {
  const exact = MANY_DIGITS.test(text) ? outsideOfStrings(text, quoteLongIntegers) : text;
  try {
    return JSON.parse(exact);
  } catch (error) {
    if (!NO_NUMBER.test(text)) throw error;
    return JSON.parse(outsideOfStrings(exact, (piece) => piece.replace(NO_NUMBERS, 'null')));
  }
}

const NO_NUMBER = /NaN|Infinity/;
const NO_NUMBERS = /-?(?:NaN|Infinity)/g;

function quoteLongIntegers(piece: string): string {
  return MANY_DIGITS.test(piece) ? piece.replace(LONG_INTEGER, quoteUnsafe) : piece;
}

/** Changes only what stands outside of strings, in which there may be any text. */
function outsideOfStrings(text: string, change: (piece: string) => string): string {
  const pieces: string[] = [];
  let from = 0;
  while (from < text.length) {
    const quote = text.indexOf('"', from);
    const outside = quote < 0 ? text.slice(from) : text.slice(from, quote);
    pieces.push(change(outside));
    if (quote < 0) break;
    const end = endOfString(text, quote);
    pieces.push(text.slice(quote, end));
    from = end;
  }
  return pieces.join('');
}

function quoteUnsafe(digits: string): string {
  return Number.isSafeInteger(Number(digits)) ? digits : `"${digits}"`;
}

/** Behind the closing quote; the end of the text when there is none. */
function endOfString(text: string, quote: number): number {
  for (let end = text.indexOf('"', quote + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return end + 1;
  }
  return text.length;
}

const BACKSLASH = 92;
