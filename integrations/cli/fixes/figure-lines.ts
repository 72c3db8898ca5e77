import type { ArmFigures, Explanation, GuardName, TrialFigures, UnitKind } from 'rsi-loop';
import { wrap } from '../terminal/lines.js';
import { length, whole } from '../terminal/numbers.js';
import type { Paint } from '../terminal/paint.js';
import { padEnd, padStart } from '../terminal/text.js';
import { armsWords, evidence, rateOf, reachWords } from './figures.js';

/** Column in which meanings begin, after their figure, and the width of one in the table. */
const FIGURE = 16;
const CELL = 9;
/** Evidence at which a fix is rolled back; see docs/verify.md. */
const HARM_NEEDED = 20;
const NONE_NEEDED = 10;
const ALARM_NEEDED = 10_000;

type Row = readonly [figure: string, meaning: string];

/** Renders the two arms side by side, then each figure with its meaning; nothing before a trial. */
export function figureLines(
  { fix, figures }: Explanation,
  { width, paint }: { readonly width: number; readonly paint: Paint },
): string[] {
  // Once the bet is won, the figures it was won with count; the holdout only feeds the alarm.
  const won = fix.verdict && 'figures' in fix.verdict ? fix.verdict.figures : undefined;
  const told = fix.trial?.phase === 'holdout' ? won : (figures ?? won);
  if (!told) return [];
  const rows = [...rowsOf(told), ...rowsSince(fix.trial?.phase === 'holdout' ? figures : undefined)];
  const [head = '', ...arms] = table(told, fix.trial?.unit ?? 'task');
  return [
    '',
    paint('dim', head),
    ...arms,
    '',
    ...rows.flatMap(([figure, meaning]) =>
      wrap(meaning, width - FIGURE).map(
        (line, index) => padEnd(index === 0 ? figure : '', FIGURE) + paint('dim', line),
      ),
    ),
  ];
}

function table({ fix, control }: TrialFigures, unit: UnitKind): string[] {
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

function rowsOf(figures: TrialFigures): Row[] {
  const { effect, eHelp, eHarm, eNone, needed, guards, eInterference, extraMs, extraUsd } = figures;
  const rows: Row[] = [
    [`ratio ${effect.value.toFixed(2)}`, ratioWords(figures)],
    [`help ${evidence(eHelp)}`, `evidence that it helps; ${whole(needed)} confirms it`],
    [`harm ${evidence(eHarm)}`, `evidence that it harms; ${HARM_NEEDED} takes it back`],
    [`none ${evidence(eNone)}`, `evidence that it does nothing useful; ${NONE_NEEDED} takes it back`],
  ];
  for (const { guard, eHarm: value, needed: most } of guards) {
    // Exactly 1 is the starting value: this guard measured nothing.
    if (value !== 1) rows.push([`guard ${evidence(value)}`, `${GUARDS[guard]}; ${whole(most)} takes it back`]);
  }
  if (eInterference !== undefined) {
    const meaning = `evidence that failures rise with the share of the fix; ${HARM_NEEDED} takes it back`;
    rows.push([`moved ${evidence(eInterference)}`, meaning]);
  }
  // A difference of zero is not shown.
  if (extraMs) {
    rows.push([length(Math.abs(extraMs)), `${extraMs < 0 ? 'less' : 'more'} time per task with the fix, on average`]);
  }
  if (extraUsd) {
    const money = `${Math.abs(extraUsd).toPrecision(2)} $`;
    rows.push([money, `${extraUsd < 0 ? 'less' : 'more'} money per task with the fix, on average`]);
  }
  return rows;
}

/** Renders the results of a confirmed fix since then. */
function rowsSince({ afterwards, eAlarm }: Partial<TrialFigures> = {}): Row[] {
  const rows: Row[] = [];
  if (afterwards) {
    const { effect } = afterwards;
    const meaning = `the same ratio since it was confirmed, ${reachWords(effect)}: ${armsWords(afterwards)}`;
    rows.push([`since ${effect.value.toFixed(2)}`, meaning]);
  }
  if (eAlarm !== undefined) {
    const meaning = `evidence since then that it does harm now; ${whole(ALARM_NEEDED)} takes it back`;
    rows.push([`alarm ${evidence(eAlarm)}`, meaning]);
  }
  return rows;
}

const GUARDS: Readonly<Record<GuardName, string>> = {
  duration: 'evidence that tasks take longer',
  tokens: 'evidence that tasks use more tokens',
  cost: 'evidence that tasks cost more',
  quality: 'evidence that quality falls',
  'other-tasks': 'evidence that failures only move to other tasks',
};

function ratioWords({ fix, control, effect }: TrialFigures): string {
  const what = 'failures with the fix over failures without';
  if (fix.tasks === 0 || control.tasks === 0) return `${what}: nothing to compare yet`;
  return `${what}, ${reachWords(effect)}; below 1 is better`;
}
