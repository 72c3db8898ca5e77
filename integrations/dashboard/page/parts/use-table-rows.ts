import { useMemo } from 'preact/hooks';
import { usePage } from '../lib/page-context.js';
import { type Order, orderText, parseOrder, searchRows, searchTexts, sortRows } from '../lib/sort-rows.js';
import type { Column } from './table-layout.js';

export interface TableRows<Row> {
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly hidden: ReadonlySet<string>;
  readonly order: Order | undefined;
  readonly search: string;
  sortBy(column: Column<Row>): void;
  searchFor(text: string): void;
  toggle(key: string): void;
}

/** Rows as the address asks for them: searched, sorted, with the columns that are not hidden. */
export function useTableRows<Row>(
  name: string,
  all: readonly Row[],
  allColumns: readonly Column<Row>[],
  initial: string | undefined,
): TableRows<Row> {
  const { route, setQuery } = usePage();
  const parameter = (what: string) => (name === '' ? what : `${name}-${what}`);
  const search = route.query[parameter('q')] ?? '';
  const order = parseOrder(route.query[parameter('sort')] ?? initial);
  const hide = route.query[parameter('hide')] ?? '';
  const column = allColumns.find(({ key }) => key === order?.key);
  const descending = order?.descending ?? false;
  const sorted = useMemo(() => (column ? sortRows(all, column.value, descending) : all), [all, column, descending]);
  const texts = useMemo(() => searchTexts(all, allColumns), [all, allColumns]);
  const rows = useMemo(() => searchRows(sorted, texts, search), [sorted, texts, search]);
  const show = route.query[parameter('show')] ?? '';
  const hidden = useMemo(() => {
    const shown = namesIn(show);
    const optional = allColumns.flatMap(({ key, isOptional }) => (isOptional && !shown.includes(key) ? [key] : []));
    return new Set([...namesIn(hide), ...optional]);
  }, [hide, show, allColumns]);
  // The same array on each draw: rows are drawn again only if it changes.
  const columns = useMemo(
    () => allColumns.filter(({ key }, index) => index === 0 || !hidden.has(key)),
    [allColumns, hidden],
  );
  return {
    rows,
    columns,
    hidden,
    order,
    search,
    sortBy: ({ key, kind }) => {
      const descending = order?.key === key ? !order.descending : kind !== undefined;
      setQuery({ [parameter('sort')]: orderText({ key, descending }) });
    },
    searchFor: (text) => setQuery({ [parameter('q')]: text }),
    toggle: (key) => {
      const isOptional = allColumns.some((one) => one.key === key && one.isOptional);
      const [name, listed] = isOptional ? (['show', show] as const) : (['hide', hide] as const);
      const names = namesIn(listed);
      const next = names.includes(key) ? names.filter((one) => one !== key) : [...names, key];
      setQuery({ [parameter(name)]: next.join(',') });
    },
  };
}

function namesIn(list: string): readonly string[] {
  return list.split(',').filter(Boolean);
}
