import { copyText } from '../lib/copy-text.js';
import { type ExportColumn, toCsv, toJson } from '../lib/export.js';
import { count, countOf } from '../lib/format.js';
import { usePage } from '../lib/page-context.js';
import { type Column, FEW_ROWS } from './table-layout.js';
import type { TableRows } from './use-table-rows.js';

interface TableToolsProps<Row> {
  readonly table: TableRows<Row>;
  /** Rows before searching. */
  readonly all: number;
  readonly allColumns: readonly Column<Row>[];
  readonly label: string;
}

/** Search and number of rows of a table that has more than a few, its columns, and copies. */
export function TableTools<Row>({ table, all, allColumns, label }: TableToolsProps<Row>) {
  const { say } = usePage();
  const { rows, columns, shown, folded, isChosen } = table;
  const isShort = all <= FEW_ROWS && !isChosen;
  const copy = async (write: (rows: readonly Row[], columns: readonly ExportColumn<Row>[]) => string, name: string) => {
    const exported = columns.map(({ title, value, kind }) => ({ title, value, isTime: kind === 'time' }));
    const copied = await copyText(write(rows, exported));
    say(copied ? `Copied ${countOf(rows.length, 'row')} as ${name}.` : 'The browser does not allow copying here.');
  };
  return (
    <div class={isShort ? 'tools short' : 'tools'}>
      {isShort ? null : (
        <>
          <input
            type="search"
            placeholder="Search ( / )"
            aria-label={`Search in ${label}`}
            value={table.search}
            onInput={({ currentTarget }) => table.searchFor(currentTarget.value)}
          />
          <span class="dim" role="status">
            {rows.length === all ? countOf(all, 'row') : `${count(rows.length)} of ${countOf(all, 'row')}`}
          </span>
        </>
      )}
      <span class="push" />
      <details class="menu">
        <summary>Columns{folded.length > 0 ? `, ${folded.length} more` : ''}</summary>
        <div class="menu-list">
          {allColumns.slice(1).map(({ key, title }) => (
            <label key={key}>
              <input
                type="checkbox"
                checked={shown.some((one) => one.key === key)}
                onChange={() => table.toggle(key)}
              />
              {title}
            </label>
          ))}
          <button type="button" onClick={() => copy(toCsv, 'CSV')}>
            Copy CSV
          </button>
          <button type="button" onClick={() => copy(toJson, 'JSON')}>
            Copy JSON
          </button>
        </div>
      </details>
    </div>
  );
}
