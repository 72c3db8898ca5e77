import { columns, cut } from './text.js';

/** Minimum line width. On narrower terminals the terminal wraps; lines above the maximum are hard to read. */
const MIN_WIDTH = 60;
const MAX_WIDTH = 120;
/** Width for output to a file or a pipe. */
const USUAL_WIDTH = 80;

/** Returns the number of columns to write for. */
export function widthOf({ columns: wide = USUAL_WIDTH }: { readonly columns?: number }): number {
  return Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, wide));
}

/**
 * Breaks text at spaces into lines of at most `width` columns. Cuts a word that fits no line. With `whole` the word
 * sticks out instead, so that paths and commands can be copied.
 */
export function wrap(text: string, width: number, { whole = false }: { readonly whole?: boolean } = {}): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1) ?? ''} ${word}`;
    if (lines.length > 0 && columns(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(whole ? word : cut(word, width));
  }
  return lines;
}
