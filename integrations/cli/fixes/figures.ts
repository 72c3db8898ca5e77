import type { ArmFigures, Explanation, GuardName, Placebo, Scope, TrialFigures, UnitKind } from 'rsi-loop';
import type { Look } from '../terminal/look.js';
import { length, percentOf, whole } from '../terminal/numbers.js';
import { beside } from '../terminal/page.js';
import { columns, cut, padEnd, padStart, plain, wrap } from '../terminal/text.js';

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

/** Renders the two arms side by side, then each figure with its meaning; nothing before a trial. */
export function figureLines({ fix, figures }: Explanation, { width, paint }: Pick<Look, 'width' | 'paint'>): string[] {
  // Once the bet is won, the figures it was won with count; the holdout only feeds the alarm.
  const won = fix.verdict && 'figures' in fix.verdict ? fix.verdict.figures : undefined;
  const isHoldout = fix.trial?.phase === 'holdout';
  const shown = isHoldout ? won : (figures ?? won);
  if (!shown) return [];
  const [head = '', ...arms] = armTable(shown, fix.trial?.unit ?? 'task');
  const rows = [...rowsOf(shown), ...rowsSince(isHoldout ? figures : undefined)];
  const explained = rows.flatMap(([figure, meaning]) =>
    beside(
      padEnd(figure, FIGURE),
      wrap(meaning, width - FIGURE).map((line) => paint('dim', line)),
    ),
  );
  return ['', paint('dim', head), ...arms, ...kindLines(shown, paint), '', ...explained];
}

/** Renders the failures of each kind of task, with the fix and without. */
function kindLines({ kinds = [] }: TrialFigures, paint: Look['paint']): string[] {
  if (kinds.length === 0) return [];
  const rows = kinds.map(({ scope, fix, control }) => ({ name: kindName(scope), cells: [fix, control].map(failedOf) }));
  const wide = Math.min(MAX_KIND, Math.max(FIGURE, ...rows.map(({ name }) => columns(name) + 1)));
  const line = (name: string, cells: readonly string[]) =>
    padEnd(cut(name, wide - 1), wide) + cells.map((cell) => padStart(cell, CELL + 4)).join('');
  const head = paint('dim', line('failed tasks', ['with', 'without']));
  return ['', head, ...rows.map(({ name, cells }) => line(name, cells))];
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

function rowsOf(figures: TrialFigures): Row[] {
  const { effect, eHelp, eHarm, eNone, needed, guards, eInterference, extraMs, extraUsd } = figures;
  const rows: Row[] = [
    [`ratio ${effect.value.toFixed(2)}`, ratioWords(figures)],
    [`help ${evidence(eHelp)}`, `evidence that it helps; ${whole(needed)} confirms it`],
    [`harm ${evidence(eHarm)}`, `evidence that it harms; ${HARM_NEEDED} rolls it back`],
    [`none ${evidence(eNone)}`, `evidence that it does nothing useful; ${NONE_NEEDED} rolls it back`],
  ];
  for (const { guard, eHarm: value, needed: most } of guards) {
    // Exactly 1 is the starting value: this guard measured nothing.
    if (value !== 1) rows.push([`guard ${evidence(value)}`, `${GUARDS[guard]}; ${whole(most)} rolls it back`]);
  }
  if (eInterference !== undefined) {
    const meaning = `evidence that failures rise with the share of the fix; ${HARM_NEEDED} rolls it back`;
    rows.push([`moved ${evidence(eInterference)}`, meaning]);
  }
  // A difference of zero is not shown.
  const extra = (value: number) => `${value < 0 ? 'less' : 'more'}`;
  if (extraMs) rows.push([length(Math.abs(extraMs)), `${extra(extraMs)} time per task with the fix, on average`]);
  if (extraUsd) {
    const money = `${Math.abs(extraUsd).toPrecision(2)} $`;
    rows.push([money, `${extra(extraUsd)} money per task with the fix, on average`]);
  }
  return rows;
}

/** Renders the results of a confirmed fix since then. */
function rowsSince({ afterwards, eAlarm }: Partial<TrialFigures> = {}): Row[] {
  const rows: Row[] = [];
  if (afterwards) {
    const { effect } = afterwards;
    const meaning = `the same ratio since it was confirmed, ${intervalWords(effect)}: ${armsWords(afterwards)}`;
    rows.push([`since ${effect.value.toFixed(2)}`, meaning]);
  }
  if (eAlarm !== undefined) {
    const meaning = `evidence since then that it does harm now; ${whole(ALARM_NEEDED)} rolls it back`;
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
  return `${what}, ${intervalWords(effect)}; below 1 is better`;
}

/** Formats both arms: `failed 12 of 145 with it, 10 of 131 without`. */
export function armsWords({ fix, control }: Pick<TrialFigures, 'fix' | 'control'>): string {
  const failedOf = ({ failures, tasks }: ArmFigures) => `${whole(failures)} of ${whole(tasks)}`;
  return `failed ${failedOf(fix)} with it, ${failedOf(control)} without`;
}

/** Formats the state of a running trial: both arms, and how much of the evidence there is. */
export function trialWords(figures: TrialFigures): string {
  const { eHelp, needed } = figures;
  const state = eHelp < needed ? 'not conclusive yet' : 'it helps; checking for side effects';
  return `${armsWords(figures)}; evidence ${evidence(eHelp)} of ${evidence(needed)}: ${state}`;
}

/** Formats an interval: `between 0.30 and 0.95`. */
export function intervalWords({ low, high }: TrialFigures['effect']): string {
  return `between ${low.toFixed(2)} and ${high >= 10 ? '10 or more' : high.toFixed(2)}`;
}

/** Formats a placebo test: `failures are 40 % of what they were; 12 % of 50 earlier periods fell as far`. */
export function placeboWords({ observed, moments, asFarByItself }: Placebo): string {
  if (observed === undefined) return 'too few tasks to compare failures before and after';
  const since = `failures are ${percentOf(observed)} % of what they were`;
  if (moments === 0) return `${since}; no similar earlier period to compare with`;
  return `${since}; ${percentOf(asFarByItself)} % of ${whole(moments)} similar earlier periods fell as far without it`;
}

/** Formats a failure rate: `8.3 %`, or `-` without tasks. */
function rateOf({ failures, tasks }: ArmFigures): string {
  return tasks === 0 ? '-' : `${percentOf(failures / tasks)} %`;
}

/**
 * Formats evidence: `0.18`, `41`, `1,200`, `over a million`. Evidence grows by multiplication, so its magnitude matters
 * and not its digits.
 */
export function evidence(value: number): string {
  if (value >= 1e6) return 'over a million';
  if (value >= 10) return whole(value);
  return value >= 0.005 ? value.toFixed(2) : 'almost 0';
}
