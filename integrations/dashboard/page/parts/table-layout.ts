import type { ComponentChild } from 'preact';
import type { Value } from '../lib/export.js';

/** Column of a table. */
export interface Column<Row> {
  readonly key: string;
  readonly title: string;
  /** Value to sort, search and copy by. */
  readonly value: (row: Row) => Value;
  /** Content of the cell. Default: the value. */
  readonly cell?: (row: Row) => ComponentChild;
  /** Pixels. A flexible column takes what is left, at least this. Default: the first one. */
  readonly width: number;
  readonly isFlexible?: boolean;
  /** Whether it is shown only if the reader asks for it. */
  readonly isOptional?: boolean;
  /** Numbers and times begin with the largest when sorted, and are right-aligned. */
  readonly kind?: 'number' | 'time' | 'drawing';
}

export const ROW_PX = 32;
/** Height of a row with a second line. */
export const TWO_LINES_PX = 52;
/** Width below which columns without a place are on a second line. */
export const PHONE_PX = 480;
/** Rows up to which a list needs no search and no filters. */
export const FEW_ROWS = 8;
/** Rows above which only those in sight are drawn. */
const ALL_ROWS = 60;
/** Rows drawn above and below those in sight; the window moves in steps of this many rows. */
const MARGIN = 8;

/** Part of the rows that is drawn. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

/** Returns the rows to draw at a scroll position, in steps so that most scrolling redraws nothing. */
export function windowAt(scrollPx: number, heightPx: number, rows: number, rowPx = ROW_PX): Window {
  if (rows <= ALL_ROWS) return { from: 0, to: rows };
  const first = Math.floor(scrollPx / rowPx / MARGIN) * MARGIN;
  const seen = Math.ceil(heightPx / rowPx);
  return { from: Math.max(0, first - MARGIN), to: Math.min(rows, first + seen + 2 * MARGIN) };
}

export function isLong(rows: number): boolean {
  return rows > ALL_ROWS;
}

/** Returns the least width of each column: the first and the flexible one give way to the others. */
export function leastWidths(
  columns: readonly Pick<Column<unknown>, 'width' | 'isFlexible'>[],
  framePx: number,
): readonly number[] {
  return columns.map(({ width, isFlexible }, at) =>
    Math.min(width, at === 0 ? Math.max(130, 0.3 * framePx) : isFlexible ? 160 : width),
  );
}

/**
 * Splits columns into those with a place in the frame and the others. Earlier columns are more important. The first one,
 * the flexible one and those that the reader asked for always have a place.
 */
export function fitColumns<Row>(
  columns: readonly Column<Row>[],
  framePx: number,
  asked: readonly string[],
): readonly [shown: readonly Column<Row>[], folded: readonly Column<Row>[]] {
  const widths = leastWidths(columns, framePx);
  const isKept = ({ key, isFlexible }: Column<Row>, at: number) => at === 0 || isFlexible || asked.includes(key);
  const kept = columns.map(isKept);
  let leftPx = kept.reduce((left, own, at) => (own ? left - (widths[at] ?? 0) : left), framePx);
  const fits = columns.map((_, at) => {
    if (kept[at]) return true;
    leftPx -= widths[at] ?? 0;
    return leftPx >= 0;
  });
  return [columns.filter((_, at) => fits[at]), columns.filter((_, at) => !fits[at])];
}
