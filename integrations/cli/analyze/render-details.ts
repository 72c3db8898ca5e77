import { homedir } from 'node:os';
import { counted, duration, shortDay, whole } from '../../reports/words/numbers.js';
import { inputName } from '../import/problems.js';
import type { Look } from '../terminal/look.js';
import { beside } from '../terminal/page.js';
import { columns, cut, fill, padEnd, padStart, plain, wrap } from '../terminal/terminal-text.js';
import type { PlaceToOpen } from './analyzed-places.js';
import type { Rise } from './costs.js';
import { NO_MESSAGE, type Report, type ReportedMessage, type ReportedPattern } from './report.js';

/** Width of the label in front of the details of a row. */
export const LABEL = 6;
/** Number of messages shown below a pattern, of lines of each, and of its examples. */
const SHOWN_MESSAGES = 2;
const MESSAGE_LINES = 2;
const SHOWN_EXAMPLES = 2;
/** Characters shown in front of the first difference. */
const BEFORE_DIFFERENCE = 16;
const INDENT = '    ';

/** Renders each template with its count; below it, the messages it covers with their counts. */
export function messageLines({ issue, messages, wordings }: ReportedPattern, width: number): string[] {
  const shown = messages.slice(0, SHOWN_MESSAGES);
  const wide = Math.max(0, ...shown.map((message) => columns(times(message.count))));
  const lines = shown.flatMap((message) => {
    const [most] = message.examples;
    const { template } = message;
    const varies = template === NO_MESSAGE || template.includes('<*>') || isOfAnyText(template, issue);
    const isOne = most?.count === message.count || !varies;
    const text = plain(isOne && most ? most.text : headOf(message, issue));
    return [
      ...beside(`${padStart(times(message.count), wide)} `, firstLines(text, width - wide - 1)),
      ...(isOne ? [] : exampleLines(message.examples, text, { indent: wide + 1, width })),
    ];
  });
  const more = wordings - shown.length;
  return more > 0 ? [...lines, `${' '.repeat(wide)} and ${counted(more, 'other message')}`] : lines;
}

/** Renders examples from shortly before their first difference. Those that read alike when cut are one line. */
function exampleLines(
  examples: ReportedMessage['examples'],
  template: string,
  { indent, width }: { readonly indent: number; readonly width: number },
): readonly string[] {
  const room = width - indent - columns(times(examples[0]?.count ?? 0)) - 1;
  const counts = new Map<string, number>();
  for (const { text, count } of examples) {
    const shown = cut(differing(plain(text), template), room);
    counts.set(shown, (counts.get(shown) ?? 0) + count);
  }
  return [...counts].slice(0, SHOWN_EXAMPLES).map(([text, count]) => {
    const label = `${' '.repeat(indent)}${times(count)} `;
    return label + cut(text, width - columns(label));
  });
}

function headOf({ template, examples }: ReportedMessage, issue: string): string {
  if (isOfAnyText(template, issue)) return 'in different words; most frequent:';
  if (template !== NO_MESSAGE) return template;
  if (examples.length > 0) return 'no error text; most frequent results:';
  return issue === 'unknown'
    ? 'no error text: record error, or expected and actual, to see the cause'
    : `${issue} without error text: record error to see the cause`;
}

/** Returns whether the group counts failures of any text: their first issue is another one, and counts their words. */
function isOfAnyText(template: string, issue: string): boolean {
  return template.endsWith(` failed: ${issue}`);
}

/** Breaks the text into lines, keeps the first ones and cuts the last of them. */
function firstLines(text: string, width: number): string[] {
  const lines = wrap(text, width);
  const kept = lines.slice(0, MESSAGE_LINES);
  if (lines.length <= MESSAGE_LINES) return kept;
  return [...kept.slice(0, -1), cut(`${kept.at(-1) ?? ''} ${lines[MESSAGE_LINES] ?? ''}`, width)];
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

/** Prefixes the first line with the label and indents the others. */
export function withLabel(label: string, lines: readonly string[]): string[] {
  return beside(padEnd(label, LABEL), lines);
}

/** Renders each file so that it can be copied; below it, the sessions that the file name does not contain. */
export function placeLines(places: readonly PlaceToOpen[], width: number): string[] {
  const files = [...new Set(places.map(({ file }) => file))];
  return files.flatMap((file) => {
    const path = plain(fromHome(inputName(file)));
    const sessions = places.flatMap((place) => (place.file === file && place.session !== null ? [place.session] : []));
    const unnamed = sessions.filter((session) => !path.includes(session)).map(plain);
    const noun = unnamed.length === 1 ? 'session' : 'sessions';
    return [
      ...wrap(path, width, { whole: true }),
      ...(unnamed.length > 0 ? wrap(`${noun} ${unnamed.join(', ')}`, width) : []),
    ];
  });
}

/** Shortens a path as shells write it, with `~` for the home folder. */
function fromHome(file: string): string {
  const home = homedir();
  return home !== '/' && file.startsWith(`${home}/`) ? `~${file.slice(home.length)}` : file;
}

const NEXT = {
  slow: 'compare a session from before with one of these: what does the call do more of?',
  costly: 'compare a session from before with one of these: what is in the prompt now?',
} as const;

/** Renders what became slower or more expensive, as measured here and as reported by the records themselves. */
export function renderCosts({ patterns, rises }: Report, { width, paint }: Look): string[] {
  const reported = patterns.filter(({ kind }) => kind === 'slow' || kind === 'costly');
  if (rises.length === 0 && reported.length === 0) return [];
  const room = width - INDENT.length;
  return [
    '',
    paint('dim', `${INDENT}slow and costly, medians by session`),
    ...rises.flatMap((rise) => [
      ...wrap(riseTitle(rise), room).map((line) => INDENT + paint('bold', line)),
      ...riseDetails(rise, room).map((line) => INDENT + paint('dim', line)),
    ]),
    ...reported.map(({ task, issue, count, of }) =>
      cut(`${INDENT}${plain(task)} · ${plain(issue)} ${whole(count)} of ${whole(of)}`, width),
    ),
  ];
}

function riseTitle({ task, now, was, unit, sinceMs }: Rise): string {
  return `${plain(task)} · ${figure(now, unit)} a call since ${shortDay(sinceMs)}, was ${figure(was, unit)}`;
}

function riseDetails({ kind, model, agent, project, calls, sessions, open }: Rise, width: number): string[] {
  const names = Object.entries({ model, agent, project });
  const facts = [
    ...names.flatMap(([name, value]) => (value === null ? [] : [`${name} ${plain(value)}`])),
    `${counted(calls, 'call')} in ${counted(sessions.after, 'session')}, ${whole(sessions.before)} before`,
  ];
  return [
    ...fill(facts, width, ','),
    ...withLabel('next', wrap(NEXT[kind], width - LABEL)),
    ...withLabel('open', placeLines(open, width - LABEL)),
  ];
}

/** Formats a value with its unit: `83 k tokens`, `$0.12`, `4.2 s`. */
function figure(value: number, unit: Rise['unit']): string {
  if (unit === 'ms') return duration(value);
  if (unit === 'usd') return `$${value.toPrecision(2)}`;
  const short = (number: number) => (number < 10 ? String(Number(number.toFixed(1))) : whole(number));
  if (value < 1_000) return `${whole(value)} tokens`;
  return value < 1e6 ? `${short(value / 1e3)} k tokens` : `${short(value / 1e6)} M tokens`;
}
