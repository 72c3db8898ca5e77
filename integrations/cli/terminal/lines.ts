import { columns, cut } from './text.js';

/** Narrower than this, lines are left to the terminal to wrap; wider, they would be hard to read. */
const MIN_WIDTH = 60;
const MAX_WIDTH = 120;
/** Where output goes to a file or a pipe. */
const USUAL_WIDTH = 80;

/** Columns to write for. */
export function widthOf({ columns: wide = USUAL_WIDTH }: { readonly columns?: number }): number {
  return Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, wide));
}

/**
 * The text in lines of at most `width` columns, broken at its spaces. A word that fits in no line is cut, or with `whole`
 * sticks out: paths and commands are there to be copied.
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
