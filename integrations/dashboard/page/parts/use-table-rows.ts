import { useMemo } from 'preact/hooks';
import { usePage } from '../lib/page-context.js';
import { type Order, orderText, parseOrder, searchRows, searchTexts, sortRows } from '../lib/sort-rows.js';
import { type Column, fitColumns } from './table-layout.js';

export interface TableRows<Row> {
  readonly rows: readonly Row[];
  /** Columns that are not hidden. */
  readonly columns: readonly Column<Row>[];
  /** Columns that have a place in the frame, and the others. */
  readonly shown: readonly Column<Row>[];
  readonly folded: readonly Column<Row>[];
  /** Whether the reader has searched or chosen columns. */
  readonly isChosen: boolean;
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
  framePx: number,
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
  // The same arrays on each draw: rows are drawn again only if they change.
  const columns = useMemo(() => {
    const [asked, unwanted] = [namesIn(show), namesIn(hide)];
    return allColumns.filter(
      ({ key, isOptional }, at) => at === 0 || (!unwanted.includes(key) && (!isOptional || asked.includes(key))),
    );
  }, [show, hide, allColumns]);
  const [shown, folded] = useMemo(() => fitColumns(columns, framePx, namesIn(show)), [columns, framePx, show]);
  return {
    rows,
    columns,
    shown,
    folded,
    isChosen: `${search}${show}${hide}` !== '',
    order,
    search,
    sortBy: ({ key, kind }) => {
      const descending = order?.key === key ? !order.descending : kind !== undefined;
      setQuery({ [parameter('sort')]: orderText({ key, descending }) });
    },
    searchFor: (text) => setQuery({ [parameter('q')]: text }),
    toggle: (key) => {
      const without = (list: string) => namesIn(list).filter((one) => one !== key);
      const isShown = shown.some((one) => one.key === key);
      const isOptional = allColumns.some((one) => one.key === key && one.isOptional);
      const add = (list: string, isAdded: boolean) => [...without(list), ...(isAdded ? [key] : [])].join(',');
      const isHidden = namesIn(hide).includes(key);
      setQuery({
        [parameter('show')]: add(show, !isShown && !isHidden),
        [parameter('hide')]: add(hide, isShown && !isOptional),
      });
    },
  };
}

function namesIn(list: string): readonly string[] {
  return list.split(',').filter(Boolean);
}
