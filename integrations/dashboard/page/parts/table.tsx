import type { ComponentChild } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Column, isLong, ROW_PX, windowAt } from './table-layout.js';
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
  /** Whether to offer search, columns and copies. Default true. */
  readonly tools?: boolean;
  readonly empty?: ComponentChild;
}

/** Table that sorts, searches, hides columns and copies. Of long tables only the rows in sight exist. */
export function Table<Row>(props: TableProps<Row>) {
  const { label, rowKey, open, tools = true } = props;
  const table = useTableRows(props.name ?? '', props.rows, props.columns, props.order);
  const { rows, columns } = table;
  const scroller = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState(() => windowAt(0, 800, rows.length));
  const [from, to] = [Math.min(seen.from, rows.length), Math.min(seen.to, rows.length)];

  const look = () => {
    const { scrollTop, clientHeight } = scroller.current ?? { scrollTop: 0, clientHeight: 800 };
    scroller.current?.classList.toggle('more', hasMore(scroller.current));
    const next = windowAt(scrollTop, clientHeight, rows.length);
    if (next.from !== seen.from || next.to !== seen.to) setSeen(next);
  };
  useLayoutEffect(look, [rows]);
  const current = useRowKeys({ scroller, rows: rows.length, from, to });
  const width = widthOf(columns);
  const flexible = columns.find(({ isFlexible }) => isFlexible) ?? columns[0];

  return (
    <div class="table-frame">
      {tools ? <TableTools table={table} all={props.rows.length} allColumns={props.columns} label={label} /> : null}
      <section
        class={isLong(rows.length) ? 'rows long' : 'rows'}
        ref={scroller}
        onScroll={look}
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        tabIndex={0}
      >
        <table style={{ minWidth: `${width}px` }} aria-rowcount={rows.length + 1}>
          <colgroup>
            {columns.map(({ key, width: pixels }) => (
              <col key={key} style={key === flexible?.key ? undefined : { width: `${pixels}px` }} />
            ))}
          </colgroup>
          <thead>
            <tr aria-rowindex={1}>
              {columns.map((column) => (
                <HeadCell key={column.key} column={column} table={table} />
              ))}
            </tr>
          </thead>
          <tbody>
            <Spacer rows={from} columns={columns.length} />
            {rows.slice(from, to).map((row, index) => (
              <TableRow
                key={rowKey(row)}
                row={row}
                columns={columns}
                index={from + index}
                address={open?.(row)}
                isCurrent={current === from + index}
              />
            ))}
            <Spacer rows={rows.length - to} columns={columns.length} />
          </tbody>
        </table>
        {rows.length === 0 ? <div class="no-rows">{noRows(table.search, props.empty)}</div> : null}
      </section>
    </div>
  );
}

/** Least width of a table. On narrow screens the column that stays must leave place for the others. */
function widthOf(columns: readonly { readonly width: number }[]): number {
  const [first = 0, ...others] = columns.map(({ width }) => width);
  return others.reduce((sum, width) => sum + width, Math.min(first, innerWidth * 0.45));
}

/** Returns whether columns are out of sight on the right. */
function hasMore({ scrollLeft, clientWidth, scrollWidth }: HTMLElement): boolean {
  return scrollWidth - scrollLeft - clientWidth > 1;
}

function noRows(search: string, empty: ComponentChild): ComponentChild {
  return search === '' ? (empty ?? 'Nothing here yet.') : 'No row contains these words.';
}

/** Height of the rows that are not drawn. */
function Spacer({ rows, columns }: { readonly rows: number; readonly columns: number }) {
  if (rows <= 0) return null;
  return (
    <tr class="spacer">
      <td colSpan={columns} style={{ height: `${rows * ROW_PX}px` }} />
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
