import type { Explanation, Scope, TrialFigures, UnitKind } from 'rsi-loop';
import type { ArmFigures } from 'rsi-loop/kit';
import { digits, dollars, duration, evidence, percent, whole } from '../../reports/words/numbers.js';
import { armsWords, guardWords, kindGuardWords, sideWords } from '../../reports/words/sentences.js';
import type { Look } from '../terminal/look.js';
import { beside } from '../terminal/page.js';
import { columns, cut, padEnd, padStart, plain, wrap } from '../terminal/terminal-text.js';

/** Column in which meanings begin, after their figure, and the width of one in the table. */
const FIGURE = 16;
const CELL = 9;
/** Widest name of a kind of task. */
const MAX_KIND = 32;
/** Evidence at which a fix is rolled back; see docs/verify.md. */
const HARM_NEEDED = 20;
const NONE_NEEDED = 10;
const ALARM_NEEDED = 10_000;

type Row = readonly [figure: string, meaning: string];

/**
 * Renders the two arms side by side, then what the fix costs and how other tasks fare; nothing before a trial.
 * `isFull` adds the figures of the test.
 */
export function figureLines(
  { fix, figures }: Explanation,
  { width, paint }: Pick<Look, 'width' | 'paint'>,
  isFull: boolean,
): string[] {
  // Once the bet is won, the figures it was won with count; the holdout only feeds the alarm.
  const won = fix.verdict && 'figures' in fix.verdict ? fix.verdict.figures : undefined;
  const isHoldout = fix.trial?.phase === 'holdout';
  const shown = isHoldout ? won : (figures ?? won);
  if (!shown) return [];
  const [head = '', ...arms] = armTable(shown, fix.trial?.unit ?? 'task');
  const rows = isFull
    ? [...testRows(shown), ...plainRows(shown), ...rowsSince(isHoldout ? figures : undefined)]
    : plainRows(shown);
  const explained = rows.flatMap(([figure, meaning]) =>
    beside(
      padEnd(figure, FIGURE),
      wrap(meaning, width - FIGURE).map((line) => paint('dim', line)),
    ),
  );
  return ['', paint('dim', head), ...arms, ...kindLines(shown, paint), ...(rows.length > 0 ? [''] : []), ...explained];
}

/** Renders the failures of each kind of task, with the fix and without, and how the guard of the kind sees it. */
function kindLines({ kinds = [] }: TrialFigures, paint: Look['paint']): string[] {
  if (kinds.length === 0) return [];
  const rows = kinds.map(({ scope, fix, control, guard }) => ({
    name: kindName(scope),
    cells: [fix, control].map(failedOf),
    seen: guard === undefined ? '' : `   ${kindGuardWords(guard)}`,
  }));
  const wide = Math.min(MAX_KIND, Math.max(FIGURE, ...rows.map(({ name }) => columns(name) + 1)));
  const line = (name: string, cells: readonly string[]) =>
    padEnd(cut(name, wide - 1), wide) + cells.map((cell) => padStart(cell, CELL + 4)).join('');
  const head = paint('dim', line('failed tasks', ['with', 'without']));
  return ['', head, ...rows.map(({ name, cells, seen }) => line(name, cells) + paint('dim', seen))];
}

function kindName(scope: Scope): string {
  const parts = Object.entries(scope).map(([name, value]) => `${name.replace('feature.', '')} ${plain(String(value))}`);
  return parts.join(', ');
}

function failedOf({ failures, tasks }: ArmFigures): string {
  return `${whole(failures)} of ${whole(tasks)}`;
}

function armTable({ fix, control }: TrialFigures, unit: UnitKind): string[] {
  // If the unit is the task itself, it needs no column.
  const units = (text: string) => (unit === 'task' ? [] : [text]);
  const row = (name: string, cells: readonly string[]) =>
    padEnd(name, FIGURE) + cells.map((cell) => padStart(cell, CELL)).join('');
  const arm = (name: string, figures: ArmFigures) =>
    row(name, [...units(whole(figures.units)), whole(figures.tasks), whole(figures.failures), rateOf(figures)]);
  return [
    row('', [...units(`${unit}s`), 'tasks', 'failed', 'rate']),
    arm('with the fix', fix),
    arm('without', control),
  ];
}

function testRows(figures: TrialFigures): Row[] {
  const { effect, eHelp, eHarm, eNone, needed, guards, eInterference } = figures;
  const rows: Row[] = [
    [`ratio ${digits(effect.value)}`, ratioWords(figures)],
    [`help ${evidence(eHelp)}`, `evidence that it helps; ${whole(needed)} confirms it`],
    [`harm ${evidence(eHarm)}`, `evidence that it harms; ${HARM_NEEDED} rolls it back`],
    [`none ${evidence(eNone)}`, `evidence that it does nothing useful; ${NONE_NEEDED} rolls it back`],
  ];
  for (const { guard, eHarm: value, needed: most } of guards) {
    // Exactly 1 is the starting value: this guard measured nothing.
    if (value !== 1)
      rows.push([`guard ${evidence(value)}`, `evidence that ${guardWords(guard)}; ${whole(most)} rolls it back`]);
  }
  if (eInterference !== undefined) {
    const meaning = `evidence that failures rise with the share of the fix; ${HARM_NEEDED} rolls it back`;
    rows.push([`moved ${evidence(eInterference)}`, meaning]);
  }
  return rows;
}

function plainRows(figures: TrialFigures): Row[] {
  const { extraMs, extraUsd } = figures;
  const rows = sideWords(figures).map(({ of, words }): Row => [of, words]);
  // A difference of zero is not shown.
  const extra = (value: number) => `${value < 0 ? 'less' : 'more'}`;
  if (extraMs) rows.push([duration(Math.abs(extraMs)), `${extra(extraMs)} time per task with the fix, on average`]);
  if (extraUsd) {
    rows.push([dollars(Math.abs(extraUsd)), `${extra(extraUsd)} money per task with the fix, on average`]);
  }
  return rows;
}

/** Renders the results of a confirmed fix since then. */
function rowsSince({ afterwards, eAlarm }: Partial<TrialFigures> = {}): Row[] {
  const rows: Row[] = [];
  if (afterwards) {
    const { effect } = afterwards;
    const meaning = `the same ratio since it was confirmed, ${intervalWords(effect)}: ${armsWords(afterwards)}`;
    rows.push([`since ${digits(effect.value)}`, meaning]);
  }
  if (eAlarm !== undefined) {
    const meaning = `evidence since then that it does harm now; ${whole(ALARM_NEEDED)} rolls it back`;
    rows.push([`alarm ${evidence(eAlarm)}`, meaning]);
  }
  return rows;
}

function ratioWords({ fix, control, effect }: TrialFigures): string {
  const what = 'failures with the fix over failures without';
  if (fix.tasks === 0 || control.tasks === 0) return `${what}: nothing to compare yet`;
  return `${what}, ${intervalWords(effect)}; below 1 is better`;
}

/** Formats an interval: `between 0.30 and 0.95`. */
function intervalWords({ low, high }: TrialFigures['effect']): string {
  return `between ${digits(low)} and ${high >= 10 ? '10 or more' : digits(high)}`;
}

/** Formats a failure rate: `8.3 %`, or `-` without tasks. */
function rateOf({ failures, tasks }: ArmFigures): string {
  return tasks === 0 ? '-' : percent(failures / tasks);
}
