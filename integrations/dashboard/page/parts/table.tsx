import type { ComponentChild } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useWidth } from '../chart/use-width.js';
import { type Column, isLong, leastWidths, PHONE_PX, ROW_PX, TWO_LINES_PX, windowAt } from './table-layout.js';
import { TableRow } from './table-row.js';
import { TableTools } from './table-tools.js';
import { useRowKeys } from './use-row-keys.js';
import { useTableRows } from './use-table-rows.js';

export interface TableProps<Row> {
  /** Prefix of its parameters in the address; empty for the main table of a screen. */
  readonly name?: string;
  /** Name for screen readers. */
  readonly label: string;
  readonly rows: readonly Row[];
  /** Must be the same array on each draw. */
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string;
  /** Address that a row opens. */
  readonly open?: (row: Row) => string;
  /** Order as in the address, such as `-count`. */
  readonly order?: string;
  /** Whether to offer columns and copies, and a search in long tables. Default true. */
  readonly tools?: boolean;
  readonly empty?: ComponentChild;
}

/** Table that sorts, searches, hides columns and copies. Of long tables only the rows in sight exist. */
export function Table<Row>(props: TableProps<Row>) {
  const { label, rowKey, open, tools = true } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const framePx = useWidth(scroller) || innerWidth;
  const table = useTableRows(props.name ?? '', props.rows, props.columns, props.order, framePx);
  const { rows, shown, folded } = table;
  const second = framePx < PHONE_PX && folded.length > 0 ? folded : undefined;
  const rowPx = second ? TWO_LINES_PX : ROW_PX;
  const [seen, setSeen] = useState(() => windowAt(0, 800, rows.length));
  const [from, to] = [Math.min(seen.from, rows.length), Math.min(seen.to, rows.length)];

  const look = () => {
    const { scrollTop, clientHeight } = scroller.current ?? { scrollTop: 0, clientHeight: 800 };
    const next = windowAt(scrollTop, clientHeight, rows.length, rowPx);
    if (next.from !== seen.from || next.to !== seen.to) setSeen(next);
  };
  useLayoutEffect(look, [rows, rowPx]);
  const current = useRowKeys({ scroller, rows: rows.length, from, to, rowPx });
  const widths = leastWidths(shown, framePx);
  const flexible = shown.find(({ isFlexible }) => isFlexible) ?? shown[0];

  return (
    <div class="table-frame">
      {tools ? <TableTools table={table} allColumns={props.columns} label={label} all={props.rows.length} /> : null}
      <section
        class={`rows ${isLong(rows.length) ? 'long' : ''} ${second ? 'two' : ''}`}
        ref={scroller}
        onScroll={look}
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        tabIndex={0}
      >
        <table style={{ minWidth: `${widths.reduce((sum, one) => sum + one, 0)}px` }} aria-rowcount={rows.length + 1}>
          <colgroup>
            {shown.map(({ key }, at) => (
              <col key={key} style={key === flexible?.key ? undefined : { width: `${widths[at]}px` }} />
            ))}
          </colgroup>
          <thead>
            <tr aria-rowindex={1}>
              {shown.map((column) => (
                <HeadCell key={column.key} column={column} table={table} />
              ))}
            </tr>
          </thead>
          <tbody>
            <Spacer px={from * rowPx} columns={shown.length} />
            {rows.slice(from, to).map((row, index) => (
              <TableRow
                key={rowKey(row)}
                row={row}
                columns={shown}
                second={second}
                secondPx={framePx - 20}
                index={from + index}
                address={open?.(row)}
                isCurrent={current === from + index}
              />
            ))}
            <Spacer px={(rows.length - to) * rowPx} columns={shown.length} />
          </tbody>
        </table>
        {rows.length === 0 ? <div class="no-rows">{noRows(table.search, props.empty)}</div> : null}
      </section>
    </div>
  );
}

function noRows(search: string, empty: ComponentChild): ComponentChild {
  return search === '' ? (empty ?? 'Nothing here yet.') : 'No row contains these words.';
}

/** Height of the rows that are not drawn. */
function Spacer({ px, columns }: { readonly px: number; readonly columns: number }) {
  if (px <= 0) return null;
  return (
    <tr class="spacer">
      <td colSpan={columns} style={{ height: `${px}px` }} />
    </tr>
  );
}

interface HeadCellProps<Row> {
  readonly column: Column<Row>;
  readonly table: ReturnType<typeof useTableRows<Row>>;
}

function HeadCell<Row>({ column, table }: HeadCellProps<Row>) {
  const { order, sortBy } = table;
  const isSorted = order?.key === column.key;
  const direction = order?.descending ? 'descending' : 'ascending';
  return (
    <th scope="col" class={column.kind} aria-sort={isSorted ? direction : undefined}>
      <button type="button" onClick={() => sortBy(column)}>
        {column.title}
        <span class="arrow" aria-hidden="true">
          {isSorted ? (order?.descending ? '↓' : '↑') : ''}
        </span>
      </button>
    </th>
  );
}
