import { percent } from './bar.js';
import type { Row } from './rows.js';

const NAIVE_WIDTH = 11;

export function headings(): string {
  return [
    `| ${'pool'.padEnd(14)} | ${'true difference'.padEnd(19)} | confirmed | median tasks | no effect | given up after | interval holds | told / true | mean rose | best of week | fixed 400 | peeking |`,
    `| ${'-'.repeat(14)} | ${'-'.repeat(19)} | --------: | -----------: | --------: | -------------: | -------------: | ----------: | --------: | -----------: | --------: | ------: |`,
  ].join('\n');
}

/** Row of the table, as Markdown. */
export function lineOf(pool: string, row: Row): string {
  const isGain = row.band.from > 0;
  const cells = [
    percent(row.confirmed).padStart(9),
    whole(row.medianOfAll).padStart(12),
    percent(row.noEffect).padStart(9),
    whole(row.ended).padStart(14),
    percent(row.holds).padStart(14),
    (isGain && Number.isFinite(row.inflation) ? row.inflation.toFixed(2) : '').padStart(11),
    ...Object.values(row.naive).map((share, index) => percent(share).padStart([9, 12, 9, 7][index] ?? NAIVE_WIDTH)),
  ];
  return `| ${pool.padEnd(14)} | ${row.band.name.padEnd(19)} | ${cells.join(' | ')} |`;
}

interface RowBar {
  readonly name: string;
  readonly bar: string;
  readonly ofBand: (name: string) => boolean;
  /** As the table shows it. */
  readonly shown: (row: Row) => string;
  readonly holds: (row: Row) => boolean;
}

const confirmed = ({ confirmed }: Row) => percent(confirmed);
const tasks = ({ medianOfAll }: Row) => whole(medianOfAll);

/** Bars of the verdicts on single tasks. */
export const BARS: readonly RowBar[] = [
  bar('A/A: confirmed', '<= 5 %', 'the same', confirmed, (row) => row.confirmed <= 0.05),
  bar('worse by 2 or more: confirmed', '<= 1 %', 'worse', confirmed, (row) => row.confirmed <= 0.01),
  bar('better by 5-10: confirmed', '>= 85 %', '5-10', confirmed, (row) => row.confirmed >= 0.85),
  bar('better by 5-10: median tasks', '<= 900', '5-10', tasks, (row) => row.medianOfAll <= 900),
  bar('better by 10-20: confirmed', '>= 97 %', '10-20', confirmed, (row) => row.confirmed >= 0.97),
  bar('better by 10-20: median tasks', '<= 300', '10-20', tasks, (row) => row.medianOfAll <= 300),
  bar('better by > 20: confirmed', '>= 99 %', '> 20', confirmed, (row) => row.confirmed >= 0.99),
  bar('better by > 20: median tasks', '<= 100', '> 20', tasks, (row) => row.medianOfAll <= 100),
  {
    ...bar('better by 5 or more: ended "no effect" (each band)', '<= 8 %', '', noEffect, (row) => row.noEffect <= 0.08),
    ofBand: isLarge,
  },
  bar('the same: given up after (median tasks)', '<= 1,500', 'the same', given, ({ ended }) => ended <= 1_500),
  bar(
    'interval holds (each band)',
    '>= 95 %',
    '',
    ({ holds }) => percent(holds),
    ({ holds }) => holds >= 0.95,
  ),
  {
    ...bar('told after a confirmation / true (each band)', '<= 1.25', '', told, ({ inflation }) => !(inflation > 1.25)),
    ofBand: isLarge,
  },
];

function noEffect(row: Row): string {
  return percent(row.noEffect);
}

function given({ ended }: Row): string {
  return whole(ended);
}

function told({ inflation }: Row): string {
  return inflation.toFixed(2);
}

function bar(name: string, goal: string, band: string, shown: RowBar['shown'], holds: RowBar['holds']): RowBar {
  return { name, bar: goal, ofBand: (of) => of.includes(band), shown, holds };
}

function isLarge(name: string): boolean {
  return /better by (5-10|10-20|> 20)/.test(name);
}

function whole(value: number): string {
  return Number.isFinite(value) ? value.toLocaleString('en') : '-';
}
