/** Numbers with fewer digits than this are always exact. */
const MANY_DIGITS = /\d{16}/;
/** Whole number of at least that many digits; not part of a fraction or an exponent. */
const LONG_INTEGER = /(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;

/**
 * Parses like `JSON.parse`, except that a whole number beyond 2^53 becomes a text of its digits. Span ids and times in
 * nanoseconds stay exact.
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

/** Applies the change only outside strings, which may hold any text. */
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

/** Returns the offset after the closing quote, or the end of the text if there is none. */
function endOfString(text: string, quote: number): number {
  for (let end = text.indexOf('"', quote + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return end + 1;
  }
  return text.length;
}

const BACKSLASH = 92;
