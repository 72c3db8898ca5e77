import { homedir } from 'node:os';
import { wrap } from '../terminal/lines.js';
import { counted, day, hasInterval, length, percentOf, shortDay, span, whole } from '../terminal/numbers.js';
import type { Paint } from '../terminal/paint.js';
import { placeWords } from '../terminal/places.js';
import { columns, cut, padEnd, padStart, plain } from '../terminal/text.js';
import type { Share } from './breakdown.js';
import type { Rise } from './costs.js';
import type { PlaceToOpen } from './places.js';
import { NO_MESSAGE, type Report, type ReportedMessage, type ReportedPattern } from './report.js';

/** Minimum line width. On narrower terminals the terminal wraps; lines above the maximum are hard to read. */
const MIN_WIDTH = 60;
const MAX_WIDTH = 120;
/** Indentation of the details below a pattern. */
const INDENT = '    ';
const GAP = '  ';
/** Longest span for which dates omit the year. Beyond it, a day without a year is ambiguous. */
const MAX_SHORT_DAYS_MS = 300 * 86_400_000;
/** Number of messages, and of models or tools, shown below a pattern. */
const SHOWN_MESSAGES = 2;
const SHOWN_EXAMPLES = 2;
const SHOWN_NAMES = 3;
const SHOWN_PLACES = 2;

interface Look {
  readonly width: number;
  readonly paint: Paint;
}

/** Renders the report for people, in lines of at most `width` columns. */
export function render(report: Report, { width, paint }: Look): string {
  const look = { width: Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, width)), paint };
  const lines = [...heading(report, look), ...body(report, look), ...costs(report, look), ...ending(report, look)];
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
  const failures = report.patterns.filter(isFailure);
  return failures.length === 0
    ? [look.paint('green', 'Nothing failed.')]
    : table({ ...report, patterns: failures }, look);
}

/** Renders one row of figures per pattern with aligned columns; below each, its location and messages. */
function table({ patterns, reach }: Report, { width, paint }: Look): string[] {
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
  type Column = 'title' | 'failed' | 'rate' | 'interval' | 'trend' | 'since';
  const isDated = patterns.some(({ firstSeenMs }) => firstSeenMs !== null);
  const heads = {
    title: 'what fails',
    failed: 'how often',
    rate: 'rate',
    interval: rows.some((row) => row.interval !== '') ? '95 %' : '',
    trend: rows.some((row) => row.trend !== '') ? 'trend' : '',
    since: isDated ? 'since' : '',
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
    // A title that does not fit gets its own line, with the figures in their columns below.
    const fits = columns(row.title) <= titleWidth;
    const figures = [
      fits ? paint('bold', padEnd(row.title, titleWidth)) : padEnd('', titleWidth),
      padStart(row.failed, failed),
      paint('bold', padStart(row.rate, rate)),
      paint('dim', padStart(row.interval, interval)),
      paint(trendOf(row.pattern)?.style ?? 'dim', padEnd(row.trend, trend)),
      row.since,
    ]
      .join(GAP)
      .trimEnd();
    return [
      ...(fits
        ? [row.rank + figures]
        : [row.rank + paint('bold', cut(row.title, width - INDENT.length)), INDENT + figures]),
      ...details(row.pattern, width - INDENT.length).map((detail) => INDENT + paint('dim', detail)),
    ];
  });
  return [paint('dim', (INDENT + head.join(GAP)).trimEnd()), ...lines];
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
function details(pattern: ReportedPattern, width: number): string[] {
  const { task, where, trend, models, tools, episodes, count, lastSeenMs } = pattern;
  const otherTools = tools.filter(({ name, failures }) => failures > 0 && name !== task);
  const facts: string[] = [...shares('model', models), ...shares('tool', otherTools)];
  if (where !== 'global') facts.unshift(`where ${plain(placeWords(where))}`);
  if (episodes > 1 && episodes < count) facts.push(`${whole(episodes)} episodes`);
  if (pattern.lostMs >= MIN_LOST_MS) facts.push(`${length(pattern.lostMs)} lost in them`);
  if (pattern.lostUsd >= MIN_LOST_USD) facts.push(`$${pattern.lostUsd.toFixed(2)} lost in them`);
  if (trend === 'resolved' && pattern.recurring && lastSeenMs !== null) facts.push(`last seen ${day(lastSeenMs)}`);

  return [
    ...joined(facts, width).map((line) => cut(line, width)),
    ...messageLines(pattern, width),
    ...named('next', wrap(plain(pattern.next), width - LABEL)),
    ...named('open', placeLines(pattern.open.slice(0, SHOWN_PLACES), width - LABEL)),
  ];
}

/** Renders each template with its count; below it, the messages it covers with their counts. */
function messageLines({ issue, messages, wordings }: ReportedPattern, width: number): string[] {
  const shown = messages.slice(0, SHOWN_MESSAGES);
  const wide = Math.max(0, ...shown.map((message) => columns(times(message.count))));
  const lines = shown.flatMap((message) => {
    const [most] = message.examples;
    const isOne = most?.count === message.count || (message.template !== NO_MESSAGE && !varies(message));
    const text = plain(isOne && most ? most.text : headOf(message, issue));
    const examples = isOne ? [] : message.examples.slice(0, SHOWN_EXAMPLES);
    const room = width - wide - 1;
    return [
      ...numbered(padStart(times(message.count), wide), firstLines(text, room, MESSAGE_LINES)),
      ...examples.flatMap((example) => {
        const label = `${' '.repeat(wide + 1)}${times(example.count)}`;
        return numbered(label, [cut(differing(plain(example.text), text), width - columns(label) - 1)]);
      }),
    ];
  });
  const more = wordings - shown.length;
  return more > 0 ? [...lines, `${' '.repeat(wide)} and ${counted(more, 'other message')}`] : lines;
}

function headOf({ template, examples }: ReportedMessage, issue: string): string {
  if (template !== NO_MESSAGE) return template;
  if (examples.length > 0) return 'no error text; most frequent results:';
  return issue === 'unknown'
    ? 'no error text: record error, or expected and actual, to see the cause'
    : `${issue} without error text: record error to see the cause`;
}

/** Number of lines shown of a message. */
const MESSAGE_LINES = 2;
/** Characters shown in front of the first difference. */
const BEFORE_DIFFERENCE = 16;

/** Breaks the text into at most `most` lines and cuts the last one. */
function firstLines(text: string, width: number, most: number): string[] {
  const lines = wrap(text, width);
  const kept = lines.slice(0, most);
  return lines.length <= most ? kept : [...kept.slice(0, -1), cut(`${kept.at(-1) ?? ''} ${lines[most] ?? ''}`, width)];
}

function numbered(label: string, lines: readonly string[]): string[] {
  return lines.map((line, index) => `${index === 0 ? label : ' '.repeat(columns(label))} ${line}`);
}

/** Returns the example starting shortly before the first variable part of its template. */
function differing(example: string, template: string): string {
  let same = 0;
  while (same < example.length && example[same] === template[same]) same++;
  return same <= 2 * BEFORE_DIFFERENCE ? example : `…${example.slice(same - BEFORE_DIFFERENCE)}`;
}

function times(count: number): string {
  return `${whole(count)}×`;
}

function varies({ template }: ReportedMessage): boolean {
  return template.includes('<*>');
}

/** Width of the label in front of the details of a row. */
const LABEL = 6;

/** Prefixes the first line with the label and indents the others. */
function named(label: string, lines: readonly string[]): string[] {
  return lines.map((line, index) => `${padEnd(index === 0 ? label : '', LABEL)}${line}`);
}

/** Renders each file so that it can be copied; below it, the sessions that the file name does not contain. */
function placeLines(places: readonly PlaceToOpen[], width: number): string[] {
  const files = [...new Set(places.map(({ file }) => file))];
  return files.flatMap((file) => {
    const path = file === '-' ? 'standard input' : plain(fromHome(file));
    const sessions = places.flatMap((place) => (place.file === file && place.session !== null ? [place.session] : []));
    const unsaid = sessions.filter((session) => !path.includes(session)).map(plain);
    const noun = unsaid.length === 1 ? 'session' : 'sessions';
    return [
      ...wrap(path, width, { whole: true }),
      ...(unsaid.length > 0 ? wrap(`${noun} ${unsaid.join(', ')}`, width) : []),
    ];
  });
}

/** Shortens a path as shells write it, with `~` for the home folder. */
function fromHome(file: string): string {
  const home = homedir();
  return home !== '/' && file.startsWith(`${home}/`) ? `~${file.slice(home.length)}` : file;
}

function isFailure({ kind }: ReportedPattern): boolean {
  return kind !== 'slow' && kind !== 'costly';
}

/** Renders what became slower or more expensive according to measurements, and according to callers. */
function costs({ patterns, rises }: Report, { width, paint }: Look): string[] {
  const said = patterns.filter((pattern) => !isFailure(pattern));
  if (rises.length === 0 && said.length === 0) return [];
  const lines = rises.flatMap((rise) => {
    const title = `${plain(rise.task)} · ${figure(rise.now, rise.unit)} a call since ${shortDay(rise.sinceMs)}, was ${figure(rise.was, rise.unit)}`;
    const who = [
      ...(rise.model === null ? [] : [`model ${plain(rise.model)}`]),
      ...(rise.agent === null ? [] : [`agent ${plain(rise.agent)}`]),
      ...(rise.project === null ? [] : [`project ${plain(rise.project)}`]),
      `${counted(rise.calls, 'call')} in ${counted(rise.sessions.after, 'session')}, ${whole(rise.sessions.before)} before`,
    ];
    const below = [
      ...joined(who, width - INDENT.length),
      ...named('next', wrap(rise.kind === 'slow' ? SLOW_STEP : COSTLY_STEP, width - INDENT.length - LABEL)),
      ...named('open', placeLines(rise.open, width - INDENT.length - LABEL)),
    ];
    return [
      ...wrap(title, width - INDENT.length).map((line) => INDENT + paint('bold', line)),
      ...below.map((line) => INDENT + paint('dim', line)),
    ];
  });
  const saidLines = said.map(
    ({ task, issue, count, of }) => `${INDENT}${plain(task)} · ${plain(issue)} ${whole(count)} of ${whole(of)}`,
  );
  return [
    '',
    paint('dim', `${INDENT}slow and costly, medians by session`),
    ...lines,
    ...saidLines.map((line) => cut(line, width)),
  ];
}

const SLOW_STEP = 'compare a session from before with one of these: what does the call do more of?';
const COSTLY_STEP = 'compare a session from before with one of these: what is in the prompt now?';

/** Formats a value with its unit: `83 k tokens`, `$0.12`, `4.2 s`. */
function figure(value: number, unit: Rise['unit']): string {
  if (unit === 'ms') return length(value);
  if (unit === 'usd') return `$${value.toPrecision(2)}`;
  const short =
    value < 1_000 ? whole(value) : value < 1e6 ? `${shortNumber(value / 1e3)} k` : `${shortNumber(value / 1e6)} M`;
  return `${short} tokens`;
}

function shortNumber(value: number): string {
  return value < 10 ? String(Number(value.toFixed(1))) : whole(value);
}

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

/** Joins the facts with commas, in as few lines as possible. */
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

function ending({ read, skipped, leftOut, nothingFound, found, patterns }: Report, { paint, width }: Look): string[] {
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
    ['dated in the future', read.misdated] as const,
    ['tasks whose failed call is counted', read.sameFailure] as const,
  ].flatMap(([reason, count]) => (count > 0 ? [`${whole(count)} ${plain(reason)}`] : []));
  if (left.length > 0) lines.push(`not counted: ${left.join(', ')}`);
  if (read.undated > 0) lines.push(`${counted(read.undated, 'outcome')} without a time: no trend and no date`);
  return lines.length === 0
    ? []
    : ['', ...lines.flatMap((line) => wrap(line, width)).map((line) => paint('dim', line))];
}
