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
export function windowAt(scrollPx: number, heightPx: number, rows: number): Window {
  if (rows <= ALL_ROWS) return { from: 0, to: rows };
  const first = Math.floor(scrollPx / ROW_PX / MARGIN) * MARGIN;
  const seen = Math.ceil(heightPx / ROW_PX);
  return { from: Math.max(0, first - MARGIN), to: Math.min(rows, first + seen + 2 * MARGIN) };
}

export function isLong(rows: number): boolean {
  return rows > ALL_ROWS;
}
