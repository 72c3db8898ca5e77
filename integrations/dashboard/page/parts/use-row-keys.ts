import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useKeys } from '../lib/use-keys.js';

interface RowKeysOptions {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly rows: number;
  readonly from: number;
  readonly to: number;
  /** Height of a row. */
  readonly rowPx: number;
}

/** Moves through the rows of a table with `j` and `k`. Returns the current row, or -1. */
export function useRowKeys({ scroller, rows, from, to, rowPx }: RowKeysOptions): number {
  const [current, setCurrent] = useState(-1);
  const isMoving = useRef(false);

  useKeys(({ key }) => {
    const step = STEPS[key];
    if (step === undefined || rows === 0 || !isAddressed(scroller.current)) return false;
    const start = focusedRow(scroller.current) ?? current;
    const next = Math.min(rows - 1, Math.max(0, start + step));
    isMoving.current = true;
    reveal(scroller.current, next, rowPx);
    setCurrent(next);
    return true;
  });

  // The row may be drawn only after the table has scrolled.
  useLayoutEffect(() => {
    if (!isMoving.current || current < from || current >= to) return;
    const row = scroller.current?.querySelector<HTMLElement>(`tr[data-index="${current}"]`);
    if (!row) return;
    isMoving.current = false;
    (row.querySelector('a') ?? row).focus({ preventScroll: true });
    if (scroller.current && scroller.current.scrollHeight <= scroller.current.clientHeight) {
      row.scrollIntoView({ block: 'nearest' });
    }
  }, [current, from, to]);
  return current;
}

const STEPS: Readonly<Record<string, number>> = { j: 1, k: -1 };

/** The keys belong to the table with the focus, otherwise to the first one of the screen. */
function isAddressed(own: HTMLElement | null): boolean {
  const focused = document.activeElement?.closest('.rows');
  return own !== null && own === (focused ?? document.querySelector('main .rows'));
}

function focusedRow(own: HTMLElement | null): number | undefined {
  const row = document.activeElement?.closest<HTMLElement>('tr[data-index]');
  return row && own?.contains(row) ? Number(row.dataset.index) : undefined;
}

function reveal(own: HTMLElement | null, index: number, rowPx: number): void {
  if (!own) return;
  const head = own.querySelector('thead')?.clientHeight ?? 0;
  const top = index * rowPx;
  if (top < own.scrollTop) own.scrollTop = top;
  const bottom = top + rowPx + head;
  if (bottom > own.scrollTop + own.clientHeight) own.scrollTop = bottom - own.clientHeight;
}
