import { copyText } from '../lib/copy-text.js';
import { type ExportColumn, toCsv, toJson } from '../lib/export.js';
import { count, countOf } from '../lib/format.js';
import { usePage } from '../lib/page-context.js';
import type { Column } from './table-layout.js';
import type { TableRows } from './use-table-rows.js';

interface TableToolsProps<Row> {
  readonly table: TableRows<Row>;
  /** Rows before searching. */
  readonly all: number;
  readonly allColumns: readonly Column<Row>[];
  readonly label: string;
}

/** Search, number of rows, columns and copies of a table. */
export function TableTools<Row>({ table, all, allColumns, label }: TableToolsProps<Row>) {
  const { say } = usePage();
  const { rows, columns } = table;
  const copy = async (write: (rows: readonly Row[], columns: readonly ExportColumn<Row>[]) => string, name: string) => {
    const exported = columns.map(({ title, value, kind }) => ({ title, value, isTime: kind === 'time' }));
    const copied = await copyText(write(rows, exported));
    say(copied ? `Copied ${countOf(rows.length, 'row')} as ${name}.` : 'The browser does not allow copying here.');
  };
  return (
    <div class="tools">
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
      <span class="push" />
      <details class="menu">
        <summary>Columns</summary>
        <div class="menu-list">
          {allColumns.slice(1).map(({ key, title }) => (
            <label key={key}>
              <input type="checkbox" checked={!table.hidden.has(key)} onChange={() => table.toggle(key)} />
              {title}
            </label>
          ))}
        </div>
      </details>
      <button type="button" onClick={() => copy(toCsv, 'CSV')}>
        Copy CSV
      </button>
      <button type="button" onClick={() => copy(toJson, 'JSON')}>
        Copy JSON
      </button>
    </div>
  );
}
