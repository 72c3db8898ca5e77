import { counted, day, duration, hasInterval, percentOf, shortDay, whole } from '../../reports/words/numbers.js';
import { whereWords } from '../../reports/words/sentences.js';
import type { Look } from '../terminal/look.js';
import { paragraph } from '../terminal/page.js';
import { columns, cut, fill, padEnd, padStart, plain, wrap } from '../terminal/terminal-text.js';
import { actingWords } from './acting.js';
import type { Share } from './breakdown.js';
import { LABEL, messageLines, placeLines, renderCosts, withLabel } from './render-details.js';
import { renderSessions } from './render-sessions.js';
import type { Report, ReportedPattern } from './report.js';

/** Columns before the details below a pattern. */
const INDENT = 4;
const GAP = '  ';
/** Longest span for which dates omit the year. Beyond it, a day without a year is ambiguous. */
const MAX_SHORT_DAYS_MS = 300 * 86_400_000;
/** Number of models or tools, and of files, shown below a pattern. */
const SHOWN_NAMES = 3;
const SHOWN_PLACES = 2;

/** Renders the report for people, in lines of at most `width` columns. */
export function render(report: Report, look: Look): string {
  const lines = [
    ...heading(report, look),
    ...body(report, look),
    ...renderCosts(report, look),
    ...renderSessions(report, look),
    ...ending(report, look),
  ];
  return `${lines.join('\n')}\n`;
}

function heading({ read, reach, sinceMs, interrupted }: Report, { paint }: Look): string[] {
  const lines: string[] = [];
  if (read.outcomes > 0) {
    const share = percentOf(read.failures / read.outcomes);
    const outcomes = paint('bold', counted(read.outcomes, 'outcome'));
    lines.push(
      `${outcomes} in ${counted(read.files, 'file')}, ${paint('bold', whole(read.failures))} failed (${share} %)`,
    );
  }
  if (reach) {
    const fromMs = sinceMs ?? reach.fromMs;
    const [from, to] = [day(fromMs), day(reach.toMs)];
    lines.push(paint('dim', `${from === to ? to : `${from} to ${to}`}: ${duration(reach.toMs - fromMs)}`));
  }
  if (interrupted) lines.push(paint('yellow', 'stopped early: this counts what was read so far'));
  return lines.length === 0 ? [] : [...lines, ''];
}

function body(report: Report, look: Look): string[] {
  const { read, sinceMs } = report;
  if (read.outcomes === 0 && read.older > 0 && sinceMs !== null) {
    const older = counted(read.older, 'older outcome');
    return paragraph(`Nothing since ${day(sinceMs)}: leave out --since to see the ${older}.`, look);
  }
  if (read.outcomes === 0 && read.newer > 0)
    return paragraph(`Nothing before --until: ${counted(read.newer, 'outcome')} ended later.`, look);
  if (read.outcomes === 0) return ['Nothing to count: every outcome was cancelled or wrongly dated.'];
  const failures = report.patterns.filter(({ kind }) => kind !== 'slow' && kind !== 'costly');
  if (failures.length === 0) return [look.paint('green', 'Nothing failed.')];
  return failureTable({ ...report, patterns: failures }, look);
}

/** Figure columns of the table, in order. On a narrow page those with the highest `drop` are left out first. */
const COLUMNS = [
  { name: 'failed', head: 'how often', pad: padStart, drop: 0 },
  { name: 'rate', head: 'rate', pad: padStart, drop: 0 },
  { name: 'interval', head: '95 %', pad: padStart, drop: 2 },
  { name: 'trend', head: 'trend', pad: padEnd, drop: 1 },
  { name: 'since', head: 'since', pad: padEnd, drop: 3 },
] as const;

/** Renders one row of figures per pattern with aligned columns; below each, its location and messages. */
function failureTable({ patterns, reach }: Report, look: Look): string[] {
  const { width, paint } = look;
  const withinYear = reach !== null && reach.toMs - reach.fromMs < MAX_SHORT_DAYS_MS;
  const rows = patterns.map((pattern, index) => ({
    pattern,
    rank: padStart(String(index + 1), 2) + GAP,
    title: `${plain(pattern.task)} · ${plain(pattern.issue)}`,
    failed: `${whole(pattern.count)} of ${whole(pattern.of)}`,
    rate: `${percentOf(pattern.rate.value)} %`,
    interval: hasInterval(pattern.rate) ? `${percentOf(pattern.rate.low)}–${percentOf(pattern.rate.high)}` : '',
    trend: trendOf(pattern)?.word ?? '',
    since: pattern.firstSeenMs === null ? '' : (withinYear ? shortDay : day)(pattern.firstSeenMs),
  }));
  const sized = COLUMNS.map((column) => {
    const cells = rows.map((row) => row[column.name]);
    const head = cells.every((cell) => cell === '') ? '' : column.head;
    return { ...column, head, wide: Math.max(columns(head), ...cells.map(columns)) };
  });
  const widthOfAll = (list: typeof sized) => list.reduce((sum, { wide }) => sum + wide + GAP.length, INDENT);
  let shown = sized;
  for (let most = 3; most > 0 && widthOfAll(shown) > width; most--) shown = sized.filter(({ drop }) => drop < most);
  const widest = Math.max(columns('what fails'), ...rows.map(({ title }) => columns(title)));
  const titleWidth = Math.max(0, Math.min(widest, width - widthOfAll(shown)));

  const heads = shown.map(({ head, pad, wide }) => pad(head, wide));
  const head = [padEnd('what fails', titleWidth), ...heads].join(GAP).trimEnd();
  const lines = rows.flatMap((row) => {
    // A title that does not fit gets its own line, with the figures in their columns below.
    const fits = columns(row.title) <= titleWidth;
    const styles = {
      failed: undefined,
      rate: 'bold',
      interval: 'dim',
      trend: trendOf(row.pattern)?.style,
      since: undefined,
    } as const;
    const cells = shown.map(({ name, pad, wide }) => {
      const [style, cell] = [styles[name], pad(row[name], wide)];
      return style ? paint(style, cell) : cell;
    });
    const title = paint('bold', fits ? padEnd(row.title, titleWidth) : cut(row.title, width - INDENT));
    const figures = [fits ? title : padEnd('', titleWidth), ...cells].join(GAP).trimEnd();
    const below = detailLines(row.pattern, width - INDENT).map((line) => ' '.repeat(INDENT) + paint('dim', line));
    return fits ? [row.rank + figures, ...below] : [row.rank + title, ' '.repeat(INDENT) + figures, ...below];
  });
  return [paint('dim', ' '.repeat(INDENT) + head), ...lines];
}

const TREND = {
  new: { word: '+ new', style: 'yellow' },
  rising: { word: '↑ rising', style: 'red' },
  steady: { word: '= steady', style: 'dim' },
  falling: { word: '↓ falling', style: 'green' },
  resolved: { word: '✓ resolved', style: 'green' },
  returned: { word: '↺ returned', style: 'red' },
} as const;

/** Returns the trend, or undefined for one or two failures, which have none. */
function trendOf({ trend, recurring }: ReportedPattern) {
  return trend === null || !recurring ? undefined : TREND[trend];
}

/** Smaller losses are not shown. */
const MIN_LOST_MS = 60_000;
const MIN_LOST_USD = 0.1;

/** Renders the details below a row: its location, and the most frequent messages with their counts. */
function detailLines(pattern: ReportedPattern, width: number): string[] {
  const { task, where, trend, models, tools, episodes, count, lastSeenMs } = pattern;
  const otherTools = tools.filter(({ name, failures }) => failures > 0 && name !== task);
  const facts: string[] = [...shares('model', models), ...shares('tool', otherTools)];
  if (where !== 'global') facts.unshift(`where ${whereWords(where)}`);
  if (episodes > 1 && episodes < count) facts.push(`${whole(episodes)} episodes`);
  if (pattern.lostMs >= MIN_LOST_MS) facts.push(`failed calls took ${duration(pattern.lostMs)}`);
  if (pattern.lostUsd >= MIN_LOST_USD) facts.push(`failed calls cost $${pattern.lostUsd.toFixed(2)}`);
  if (trend === 'resolved' && pattern.recurring && lastSeenMs !== null) facts.push(`last seen ${day(lastSeenMs)}`);
  return [
    ...fill(facts, width, ',').map((line) => cut(line, width)),
    ...messageLines(pattern, width),
    ...withLabel('next', actorLines(pattern, width - LABEL)),
    ...withLabel('open', placeLines(pattern.open.slice(0, SHOWN_PLACES), width - LABEL)),
  ];
}

/** Renders who must act, one remedy after another, the most frequent first. */
function actorLines({ actors }: ReportedPattern, width: number): string[] {
  const shown = actors.slice(0, SHOWN_ACTORS);
  const rest = actors.slice(SHOWN_ACTORS).reduce((sum, { count }) => sum + count, 0);
  const lines = shown.flatMap((acting) => wrap(plain(actingWords(acting, actors.length === 1)), width));
  return rest > 0 ? [...lines, `and ${whole(rest)} others: --json lists them`] : lines;
}

const SHOWN_ACTORS = 4;

/**
 * Formats shares as separate facts: `models sonnet 12 of 80`, `haiku 1 of 40`, `2 more`. A single one needs no figures.
 */
function shares(noun: string, list: readonly Share[]): string[] {
  if (list.length <= 1) return list.map(({ name }) => `${noun} ${plain(name)}`);
  const texts = list
    .slice(0, SHOWN_NAMES)
    .map(({ name, failures, of }) => `${plain(name)} ${whole(failures)} of ${whole(of)}`);
  const rest = list.length - texts.length;
  return [`${noun}s ${texts[0] ?? ''}`, ...texts.slice(1), ...(rest > 0 ? [`${rest} more`] : [])];
}

function ending({ read, skipped, leftOut, nothingFound, found, patterns }: Report, look: Look): string[] {
  const lines: string[] = [];
  const hidden = found - patterns.length;
  if (hidden > 0) lines.push(`${whole(hidden)} more: --limit ${found} shows all`);
  const unread = [
    ...(skipped.lines > 0 ? [counted(skipped.lines, 'line')] : []),
    ...(skipped.files > 0 ? [counted(skipped.files, 'file')] : []),
  ];
  if (unread.length > 0) lines.push(`${unread.join(' and ')} skipped: could not be read`);
  for (const [reason, files] of Object.entries(nothingFound)) lines.push(`${counted(files, 'file')} ${plain(reason)}`);
  const left = [
    ...Object.entries(leftOut),
    ['cancelled', read.cancelled] as const,
    ['before --since', read.outcomes > 0 ? read.older : 0] as const,
    ['after --until', read.newer] as const,
    ['dated in the future', read.misdated] as const,
    ['tasks whose failed call is counted', read.sameFailure] as const,
  ].flatMap(([reason, count]) => (count > 0 ? [`${whole(count)} ${plain(reason)}`] : []));
  if (left.length > 0) lines.push(`not counted: ${left.join(', ')}`);
  if (read.undated > 0) lines.push(`${counted(read.undated, 'outcome')} without a time: no trend and no date`);
  return lines.length === 0 ? [] : ['', ...lines.flatMap((line) => paragraph(line, look, 0, 'dim'))];
}
