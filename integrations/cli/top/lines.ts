import type { TrialFigures } from 'rsi-loop';
import type { TrialRow } from '../../dashboard/fix-views.js';
import type { LoopStatus, OverviewView, PatternRow } from '../../dashboard/views.js';
import { age, amount, duration, moment, percentOf, whole } from '../../reports/words/numbers.js';
import { healthWords, tasksToProof } from '../../reports/words/sentences.js';
import type { Look } from '../terminal/look.js';
import { columns, cut, padEnd, padStart, plain } from '../terminal/terminal-text.js';

/** Everything that one screen shows. */
export interface TopState {
  readonly folder: string;
  readonly status: LoopStatus;
  readonly overview: OverviewView;
}

/** Size of the terminal, and how to paint. */
export type Page = Pick<Look, 'paint'> & { readonly width: number; readonly height: number };

/** Narrowest and widest screen that is drawn; on a narrower terminal, lines are cut. */
const MIN_WIDTH = 20;
const MAX_WIDTH = 140;
const GAP = '  ';

/** Renders one screen: at most `height` lines of at most `width` columns. */
export function topLines(state: TopState, { width: given, height, paint }: Page): readonly string[] {
  const width = Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, given));
  const page = { width, height, paint };
  const { worst, patterns, trials } = state.overview;
  const head = headLines(state, page);
  const foot = footLines(state);
  // Each of the two lists has a heading and an empty line above it.
  const free = Math.max(0, height - head.length - foot.length - 4);
  const trialRows = Math.min(trials.length, Math.max(Math.floor(free / 2), free - worst.length));
  const patternRows = Math.min(worst.length, free - trialRows);
  const lines = [
    ...head,
    '',
    ...section(
      `fails: ${patterns === 0 ? 'nothing' : whole(patterns)}`,
      worst.slice(0, patternRows).map(patternLine),
      page,
    ),
    '',
    ...section(
      `tries: ${trials.length === 0 ? 'nothing' : whole(trials.length)}`,
      trials.slice(0, trialRows).map(trialLine),
      page,
    ),
  ];
  // On a screen of a few lines, the end is more useful than the lists.
  const kept = lines.slice(0, Math.max(0, height - foot.length));
  return [...kept, ...foot].slice(-Math.max(1, height)).map((line) => fitted(line, given, page));
}

/** Line of plain text with the style of the whole line. Cutting a painted text would cut its style. */
interface Styled {
  readonly text: string;
  readonly style?: Parameters<Look['paint']>[0];
}
type Line = string | Styled;

function fitted(line: Line, width: number, { paint }: Page): string {
  const { text, style } = typeof line === 'string' ? { text: line } : line;
  const shown = cut(text, Math.max(1, width));
  return style === undefined ? shown : paint(style, shown);
}

function headLines({ folder, status, overview }: TopState, { width }: Page): readonly Line[] {
  const time = moment(status.nowMs);
  const left = cut(`rsi top  ${plain(folder)}`, Math.max(8, width - columns(time) - GAP.length));
  const title = padEnd(left, width - columns(time)) + time;
  const { axis, score } = overview.timeline;
  const reach = `${duration(axis.stepMs * axis.buckets)} `;
  return [
    { text: title, style: 'bold' },
    `health  ${healthWords(overview.health)}`,
    { text: `${padEnd(reach, 8)}${spark(score, width - Math.max(8, columns(reach)))}`, style: 'green' },
  ];
}

const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;

/** Draws values from 0 to 1 as bars, `width` of them at most. Each bar is the lowest of its values; ' ' is without data. */
export function spark(values: readonly (number | null)[], width: number): string {
  const bars = Math.max(1, Math.min(width, values.length));
  return Array.from({ length: bars }, (_, at) => {
    const from = Math.floor((at * values.length) / bars);
    const part = values.slice(from, Math.max(from + 1, Math.floor(((at + 1) * values.length) / bars)));
    const known = part.filter((value) => value !== null);
    if (known.length === 0) return ' ';
    const lowest = Math.min(1, Math.max(0, Math.min(...known)));
    return BARS[Math.round(lowest * (BARS.length - 1))] ?? ' ';
  }).join('');
}

function section(heading: string, rows: readonly ((width: number) => Line)[], { width }: Page): readonly Line[] {
  return [{ text: heading, style: 'dim' }, ...rows.map((row) => row(width))];
}

const patternLine =
  ({ task, issue, count, rate, trend, fix }: PatternRow) =>
  (width: number): Line => {
    const figures = `${padStart(whole(count), 6)}× ${padStart(percentOf(rate.value), 4)} %  ${padEnd(trend, 8)}`;
    const tail = fix === undefined ? '' : `${GAP}${fix.status}`;
    // A narrow screen has no place for the state of the fix.
    const right = width >= 60 ? figures + padEnd(tail, 14) : figures;
    const style = trend === 'rising' || trend === 'new' || trend === 'returned' ? 'yellow' : undefined;
    const text = titled(task, issue, width - columns(right) - GAP.length) + GAP + right.trimEnd();
    return style === undefined ? text : { text, style };
  };

const trialLine =
  ({ fix, figures }: TrialRow) =>
  (width: number): Line => {
    const right = padStart(figures ? leftOf(figures) : 'no task yet', 13);
    const bar = figures ? evidenceBar(figures.eHelp, figures.needed, barWidth(width)) : ' '.repeat(barWidth(width));
    const title = titled(fix.task, fix.issue, width - columns(right) - columns(bar) - 2 * GAP.length);
    return { text: title + GAP + bar + GAP + right, style: 'cyan' };
  };

/** Says how far a trial is from a proof, in few columns: `~60 more tasks`. */
function leftOf(figures: TrialFigures): string {
  const more = tasksToProof(figures);
  if (more === 0) return 'helps so far';
  return more === undefined ? 'not proven' : `~${amount(more)} more`;
}

function barWidth(width: number): number {
  return Math.max(4, Math.min(40, Math.floor(width / 3)));
}

/** Draws evidence on a log scale: empty at 1, where a trial starts, and full at `needed`, which confirms the fix. */
export function evidenceBar(value: number, needed: number, width: number): string {
  const share = value <= 1 ? 0 : Math.min(1, Math.log(value) / Math.log(Math.max(needed, Math.E)));
  const full = value >= needed ? width : Math.min(width - 1, Math.round(share * width));
  return '█'.repeat(full) + '·'.repeat(width - full);
}

function titled(task: string, issue: string, width: number): string {
  const wide = Math.max(6, width);
  return padEnd(cut(`${plain(task)} · ${plain(issue)}`, wide), wide);
}

function footLines({ status }: TopState): readonly Line[] {
  const { stale, frozen, lastCycleMs, nowMs, problems, waiting } = status;
  const [problem] = problems;
  const cycle = lastCycleMs === undefined ? 'no cycle yet' : `last cycle ${age(Math.max(0, nowMs - lastCycleMs))} ago`;
  const isWrong = frozen !== undefined || problem !== undefined;
  const loop = frozen ? `frozen by ${plain(frozen.by)}` : problem ? plain(problem.message) : plain(stale ?? '');
  return [
    '',
    waiting === 0 ? 'waits   nothing' : { text: `waits   ${whole(waiting)} to decide: rsi review`, style: 'yellow' },
    isWrong ? { text: `loop    ${loop}`, style: 'red' } : `loop    ${cycle}${loop === '' ? '' : `. ${loop}`}`,
    { text: 'q or Ctrl-C ends', style: 'dim' },
  ];
}
