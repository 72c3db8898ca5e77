import type { Look, Paint } from './look.js';
import { columns, cut, padEnd, padStart, wrap } from './terminal-text.js';

/** Style of a text, or none. */
type Style = Parameters<Paint>[0] | undefined;
type Page = Pick<Look, 'width' | 'paint'>;

/** Puts `label` in front of the first line and indents the others to the same column. */
export function beside(label: string, lines: readonly string[]): string[] {
  return lines.map((line, index) => (index === 0 ? label : ' '.repeat(columns(label))) + line);
}

/** Wraps a text below a dim label, which takes `column` columns after `indent`. */
export function labelled(
  label: string,
  text: string,
  { width, paint }: Page,
  { indent = 0, column = 10 }: { readonly indent?: number; readonly column?: number } = {},
): string[] {
  return beside(' '.repeat(indent) + paint('dim', padEnd(label, column)), wrap(text, width - indent - column));
}

/** Wraps a text, indented, in one style. */
export function paragraph(text: string, { width, paint }: Page, indent = 0, style?: Style): string[] {
  return wrap(text, width - indent).map((line) => ' '.repeat(indent) + (style ? paint(style, line) : line));
}

/** Column of a table: heading, alignment, and the maximum width of a cell. */
export interface Column {
  readonly head: string;
  readonly align?: 'right';
  readonly max?: number;
}

/** Minimum width of the last column. If it does not fit, each row is written as a list. */
const MIN_LAST = 10;
const GAP = '  ';

/**
 * Renders rows with aligned columns. The last column gets the remaining width and wraps. On a page that is too narrow,
 * each row becomes its first cell and, below it, the other cells with their headings.
 */
export function table(
  heads: readonly Column[],
  rows: readonly { readonly cells: readonly string[]; readonly style?: Style }[],
  { width, paint }: Page,
): string[] {
  const widths = heads.slice(0, -1).map(({ head, max = width }, at) => {
    return Math.min(max, Math.max(columns(head), ...rows.map(({ cells }) => columns(cells[at] ?? ''))));
  });
  const left = widths.reduce((sum, each) => sum + each + GAP.length, 0);
  const last = width - left;
  const styled = (lines: readonly string[], style: Style) => (style ? lines.map((line) => paint(style, line)) : lines);
  const lines = ({ cells, style }: (typeof rows)[number]) => {
    if (last < MIN_LAST) return styled(asList(heads, cells, width), style);
    const [first = '', ...more] = wrap(cells.at(-1) ?? '', last);
    const fixed = widths.map((wide, at) => {
      const cell = cut(cells[at] ?? '', wide);
      return heads[at]?.align === 'right' ? padStart(cell, wide) : padEnd(cell, wide);
    });
    const rest = more.map((line) => ' '.repeat(left) + line);
    return styled([[...fixed, first].join(GAP).trimEnd(), ...rest], style);
  };
  const top = last < MIN_LAST ? [] : lines({ cells: heads.map(({ head }) => head), style: 'dim' });
  return [...top, ...rows.flatMap(lines)];
}

function asList(heads: readonly Column[], [first = '', ...others]: readonly string[], width: number): string[] {
  const facts = others.flatMap((cell, at) => (cell === '' ? [] : [`${heads[at + 1]?.head} ${cell}`]));
  return [...wrap(first, width), ...wrap(facts.join(', '), width - 4).map((line) => `    ${line}`)];
}
