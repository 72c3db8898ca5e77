import { describe, expect, it } from 'vitest';
import { toCsv, toJson } from '../../../../integrations/dashboard/page/lib/export.js';
import {
  parseOrder,
  searchRows,
  searchTexts,
  sortRows,
} from '../../../../integrations/dashboard/page/lib/sort-rows.js';
import { fitColumns, windowAt } from '../../../../integrations/dashboard/page/parts/table-layout.js';

interface Row {
  readonly name: string;
  readonly rate?: number;
  readonly atMs: number;
}

const ROWS: readonly Row[] = [
  { name: 'task 10', rate: 0.2, atMs: 0 },
  { name: 'task 9', atMs: 1 },
  { name: '=cmd, "x"', rate: 0.5, atMs: 2 },
];
const COLUMNS = [
  { title: 'Name', value: ({ name }: Row) => name },
  { title: 'Rate', value: ({ rate }: Row) => rate },
  { title: 'At', value: ({ atMs }: Row) => atMs, isTime: true },
];

describe('rows of a table', () => {
  it('are sorted by number within names, with unknown values last in both directions', () => {
    const names = (rows: readonly Row[]) => rows.map(({ name }) => name);
    expect(names(sortRows(ROWS, ({ name }) => name, false))).toEqual(['=cmd, "x"', 'task 9', 'task 10']);
    expect(names(sortRows(ROWS, ({ rate }) => rate, true))).toEqual(['=cmd, "x"', 'task 10', 'task 9']);
    expect(names(sortRows(ROWS, ({ rate }) => rate, false))).toEqual(['task 10', '=cmd, "x"', 'task 9']);
    expect(parseOrder('-rate')).toEqual({ key: 'rate', descending: true });
  });

  it('are found by all words in any column, without case', () => {
    const texts = searchTexts(ROWS, COLUMNS);
    expect(searchRows(ROWS, texts, 'TASK 0.2')).toEqual([ROWS[0]]);
    expect(searchRows(ROWS, texts, ' ')).toBe(ROWS);
  });

  it('are copied as CSV that no spreadsheet runs, with exact times', () => {
    const [head, first, second, third] = toCsv(ROWS, COLUMNS).split('\r\n');
    expect(head).toBe('Name,Rate,At');
    expect(first).toMatch(/^task 10,0\.2,\d{4}-\d\d-\d\d \d\d:\d\d:00 [+-]\d\d:\d\d$/);
    expect(second).toMatch(/^task 9,,/);
    expect(third).toMatch(/^"'=cmd, ""x""",0\.5,/);
    expect(JSON.parse(toJson(ROWS, COLUMNS))[1]).toMatchObject({ Name: 'task 9', Rate: null });
  });

  it('give way from the right where the frame is narrow, but for the first, the flexible and those asked for', () => {
    const columns = [
      { key: 'name', title: 'Name', width: 200, value: () => undefined },
      { key: 'message', title: 'Message', width: 300, isFlexible: true, value: () => undefined },
      { key: 'rate', title: 'Rate', width: 120, value: () => undefined },
      { key: 'where', title: 'Where', width: 120, value: () => undefined },
    ];
    const keys = (framePx: number, asked: readonly string[] = []) =>
      fitColumns(columns, framePx, asked).map((some) => some.map(({ key }) => key));
    expect(keys(1_000)).toEqual([['name', 'message', 'rate', 'where'], []]);
    expect(keys(500)).toEqual([['name', 'message', 'rate'], ['where']]);
    expect(keys(500, ['where'])).toEqual([['name', 'message', 'where'], ['rate']]);
    expect(keys(200)).toEqual([
      ['name', 'message'],
      ['rate', 'where'],
    ]);
  });

  it('are drawn around those in sight only, and all of them in short tables', () => {
    expect(windowAt(0, 600, 40)).toEqual({ from: 0, to: 40 });
    for (const scrollPx of [0, 1_000, 31_990, 63_500]) {
      const { from, to } = windowAt(scrollPx, 600, 2_000);
      expect(from).toBeLessThanOrEqual(scrollPx / 32);
      expect(to).toBeGreaterThanOrEqual(Math.min(2_000, (scrollPx + 600) / 32));
      expect(to - from).toBeLessThan(60);
    }
  });
});
