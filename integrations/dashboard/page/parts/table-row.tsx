import type { ComponentChild } from 'preact';
import { memo } from '../lib/memo.js';
import { useAddresses } from '../lib/page-context.js';
import { withRange } from '../lib/route.js';
import type { Column } from './table-layout.js';
import { Text } from './text.js';
import { When } from './when.js';

interface TableRowProps<Row> {
  readonly row: Row;
  readonly columns: readonly Column<Row>[];
  /** Columns on the second line, and its width. */
  readonly second: readonly Column<Row>[] | undefined;
  readonly secondPx: number;
  readonly index: number;
  readonly address: string | undefined;
  readonly isCurrent: boolean;
}

/** One row. Its first cell is its name and, if there is one, the link that the row opens. */
export const TableRow = memo(function TableRow<Row>(props: TableRowProps<Row>) {
  const { row, columns, second, index, address, isCurrent } = props;
  const { go, base, range } = useAddresses();
  const open = (event: MouseEvent) => {
    if (address === undefined || isOwnAction(event)) return;
    event.preventDefault();
    go(address);
  };
  return (
    <tr
      aria-rowindex={index + 2}
      data-index={index}
      class={`${address === undefined ? '' : 'opens'} ${isCurrent ? 'current' : ''}`}
      tabIndex={-1}
      onClick={open}
    >
      {columns.map((column, position) => {
        const content = contentOf(row, column);
        if (position > 0) {
          return (
            <td key={column.key} class={column.kind}>
              {content}
            </td>
          );
        }
        return (
          <th key={column.key} scope="row" class={column.kind}>
            <span class="clip">
              {address === undefined ? content : <a href={`${base}${withRange(address, range)}`}>{content}</a>}
            </span>
            {second === undefined ? null : (
              <span class="second clip dim" style={{ width: `${props.secondPx}px` }}>
                {second.map((one) => (
                  <SecondLine key={one.key} row={row} column={one} />
                ))}
              </span>
            )}
          </th>
        );
      })}
    </tr>
  );
});

/** Value of a column on the second line, with its title. Unknown ones and drawings are left out. */
function SecondLine<Row>({ row, column }: { readonly row: Row; readonly column: Column<Row> }) {
  if (column.kind === 'drawing' || column.value(row) === undefined) return null;
  return (
    <span>
      {column.title} {contentOf(row, column)}
    </span>
  );
}

function contentOf<Row>(row: Row, { cell, value, kind }: Column<Row>): ComponentChild {
  if (cell) return cell(row);
  const found = value(row);
  if (found === undefined) return <span class="dim">–</span>;
  if (kind === 'time' && typeof found === 'number') return <When atMs={found} />;
  return typeof found === 'string' ? <Text value={found} /> : `${found}`;
}

/** Clicks that the browser or a part of the row handles: other buttons, new tabs, selected text. */
function isOwnAction(event: MouseEvent): boolean {
  const withKey = event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  const onButton = event.target instanceof Element && event.target.closest('button, td a') !== null;
  return withKey || onButton || (getSelection()?.toString() ?? '') !== '';
}
