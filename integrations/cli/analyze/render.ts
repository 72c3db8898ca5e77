import { counted, day, percentOf, shortDay, span, whole } from '../terminal/numbers.js';
import type { Paint } from '../terminal/paint.js';
import { columns, cut, padEnd, padStart, plain } from '../terminal/text.js';
import type { Share } from './breakdown.js';
import type { Report, ReportedPattern } from './report.js';

/** Narrower than this, lines are left to the terminal to wrap; wider, they would be hard to read. */
const MIN_WIDTH = 60;
const MAX_WIDTH = 120;
/** Left of the details that stand under a pattern. */
const INDENT = '    ';
const GAP = '  ';
/** Beyond this a day without its year could be meant twice. */
const MAX_SHORT_DAYS_MS = 300 * 86_400_000;
/** Messages, and models or tools, shown under a pattern. */
const SHOWN_MESSAGES = 2;
const SHOWN_NAMES = 3;

interface Look {
  readonly width: number;
  readonly paint: Paint;
}

/** The report as a person reads it, in lines of at most `width` columns. */
export function render(report: Report, { width, paint }: Look): string {
  const look = { width: Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, width)), paint };
  const lines = [...heading(report, look), ...body(report, look), ...ending(report, look)];
  return `${lines.join('\n')}\n`;
}

function heading({ read, reach, sinceMs, interrupted }: Report, { paint }: Look): string[] {
  const lines: string[] = [];
  if (reach) {
    const share = percentOf(read.failures / read.outcomes);
    const outcomes = paint('bold', counted(read.outcomes, 'outcome'));
    lines.push(
      `${outcomes} in ${counted(read.files, 'file')}, ${paint('bold', whole(read.failures))} failed (${share} %)`,
    );
    const [from, to] = sinceMs === null ? [reach.fromMs, reach.toMs] : [sinceMs, reach.toMs];
    const days = day(from) === day(to) ? day(to) : `${day(from)} to ${day(to)}`;
    lines.push(paint('dim', `${days}: ${span(to - from)} up to the newest record`));
  }
  if (interrupted) lines.push(paint('yellow', 'stopped early: this counts what was read so far'));
  return lines.length === 0 ? [] : [...lines, ''];
}

function body(report: Report, look: Look): string[] {
  const { read, sinceMs } = report;
  if (read.outcomes === 0 && read.older > 0 && sinceMs !== null) {
    const older = counted(read.older, 'older outcome');
    return [`Nothing since ${day(sinceMs)}: leave out --since to see the ${older}.`];
  }
  if (read.outcomes === 0) return ['Nothing to count: every outcome was cancelled or wrongly dated.'];
  if (report.found === 0) return [look.paint('green', 'Nothing failed.')];
  return table(report, look);
}

/** A line of figures per pattern, columns aligned, and under it where it happens and what it says. */
function table({ patterns, reach }: Report, { width, paint }: Look): string[] {
  const withinYear = reach !== null && reach.toMs - reach.fromMs < MAX_SHORT_DAYS_MS;
  const rows = patterns.map((pattern, index) => ({
    pattern,
    rank: padStart(String(index + 1), 2) + GAP,
    title: `${plain(pattern.task)} · ${plain(pattern.issue)}`,
    failed: `${whole(pattern.count)} of ${whole(pattern.of)}`,
    rate: `${percentOf(pattern.rate.value)} %`,
    interval: `${percentOf(pattern.rate.low)}–${percentOf(pattern.rate.high)}`,
    trend: TREND[pattern.trend].word,
    since: (withinYear ? shortDay : day)(pattern.firstSeenMs),
  }));
  type Column = 'title' | 'failed' | 'rate' | 'interval' | 'trend' | 'since';
  const heads = {
    title: 'what fails',
    failed: 'how often',
    rate: 'rate',
    interval: '95 %',
    trend: 'trend',
    since: 'since',
  };
  const widest = (name: Column) => Math.max(columns(heads[name]), ...rows.map((row) => columns(row[name])));
  const [failed, rate, interval, trend, since] = [
    widest('failed'),
    widest('rate'),
    widest('interval'),
    widest('trend'),
    widest('since'),
  ];
  const figuresWidth = failed + rate + interval + trend + since + 5 * GAP.length;
  const titleWidth = Math.min(widest('title'), width - INDENT.length - figuresWidth);

  const head = [
    padEnd(heads.title, titleWidth),
    padStart(heads.failed, failed),
    padStart(heads.rate, rate),
    padStart(heads.interval, interval),
    padEnd(heads.trend, trend),
    heads.since,
  ];
  const lines = rows.flatMap((row) => {
    // A title that does not fit stands alone, with its figures in their columns below.
    const fits = columns(row.title) <= titleWidth;
    const figures = [
      fits ? paint('bold', padEnd(row.title, titleWidth)) : padEnd('', titleWidth),
      padStart(row.failed, failed),
      paint('bold', padStart(row.rate, rate)),
      paint('dim', padStart(row.interval, interval)),
      paint(TREND[row.pattern.trend].style, padEnd(row.trend, trend)),
      row.since,
    ].join(GAP);
    return [
      ...(fits
        ? [row.rank + figures]
        : [row.rank + paint('bold', cut(row.title, width - INDENT.length)), INDENT + figures]),
      ...details(row.pattern, width - INDENT.length).map((detail) => INDENT + paint('dim', detail)),
    ];
  });
  return [paint('dim', INDENT + head.join(GAP)), ...lines];
}

const TREND = {
  new: { word: '+ new', style: 'yellow' },
  rising: { word: '↑ rising', style: 'red' },
  steady: { word: '= steady', style: 'dim' },
  falling: { word: '↓ falling', style: 'green' },
  resolved: { word: '✓ resolved', style: 'green' },
  returned: { word: '↺ returned', style: 'red' },
} as const;

/** What stands under a row: where it happens, and the most frequent messages with how often each came. */
function details(pattern: ReportedPattern, width: number): string[] {
  const { task, where, trend, models, tools, episodes, count, messages, wordings } = pattern;
  const otherTools = tools.filter(({ name, failures }) => failures > 0 && name !== task);
  const facts: string[] = [...shares('model', models), ...shares('tool', otherTools)];
  if (where !== 'global') {
    const named = Object.entries(where).map(([name, value]) => `${plain(name)} is ${plain(value)}`);
    facts.unshift(`where ${named.join(' and ')}`);
  }
  if (episodes > 1 && episodes < count) facts.push(`${whole(episodes)} episodes`);
  if (trend === 'resolved') facts.push(`last seen ${day(pattern.lastSeenMs)}`);

  const shown = messages.slice(0, SHOWN_MESSAGES);
  const figures = shown.map((message) => `${whole(message.count)}×`);
  const wide = Math.max(0, ...figures.map(columns));
  const lines = shown.map(({ example, template }, index) => {
    return `${padStart(figures[index] ?? '', wide)} ${plain(example ?? template)}`;
  });
  const more = wordings - shown.length;
  if (more > 0) lines.push(`${' '.repeat(wide)} and ${counted(more, 'other message')}`);
  return [...joined(facts, width), ...lines].map((line) => cut(line, width));
}

/** `models sonnet 12 of 80`, `haiku 1 of 40`, `2 more`, to be set one after another; a single one needs no figures. */
function shares(noun: string, list: readonly Share[]): string[] {
  if (list.length <= 1) return list.map(({ name }) => `${noun} ${plain(name)}`);
  const texts = list
    .slice(0, SHOWN_NAMES)
    .map(({ name, failures, of }) => `${plain(name)} ${whole(failures)} of ${whole(of)}`);
  const rest = list.length - texts.length;
  return [`${noun}s ${texts[0] ?? ''}`, ...texts.slice(1), ...(rest > 0 ? [`${rest} more`] : [])];
}

/** The facts with commas between them, in as few lines as they fit in. */
function joined(facts: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const [index, fact] of facts.entries()) {
    const ended = index === facts.length - 1 ? fact : `${fact},`;
    const longer = `${lines.at(-1) ?? ''} ${ended}`;
    if (lines.length > 0 && columns(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(ended);
  }
  return lines;
}

function ending({ read, skipped, leftOut, found, patterns }: Report, { paint }: Look): string[] {
  const lines: string[] = [];
  const hidden = found - patterns.length;
  if (hidden > 0) lines.push(`${whole(hidden)} more: --limit ${found} shows all`);
  const unread = [
    ...(skipped.lines > 0 ? [counted(skipped.lines, 'line')] : []),
    ...(skipped.files > 0 ? [counted(skipped.files, 'file')] : []),
  ];
  if (unread.length > 0) lines.push(`${unread.join(' and ')} skipped: could not be read`);
  const left = [
    ...Object.entries(leftOut),
    ['cancelled', read.cancelled] as const,
    ['before --since', read.outcomes > 0 ? read.older : 0] as const,
    ['dated in the future', read.misdated] as const,
  ].flatMap(([reason, count]) => (count > 0 ? [`${whole(count)} ${plain(reason)}`] : []));
  if (left.length > 0) lines.push(`not counted: ${left.join(', ')}`);
  return lines.length === 0 ? [] : ['', ...lines.map((line) => paint('dim', line))];
}
