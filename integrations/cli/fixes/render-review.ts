import type { Fix } from 'rsi-loop';
import type { Review, ReviewedFix } from '../../reports/review.js';
import { isForPerson } from '../../reports/wait.js';
import { counted, percent } from '../../reports/words/numbers.js';
import { forecastWords, occurrenceWords, resultWords } from '../../reports/words/sentences.js';
import type { Look } from '../terminal/look.js';
import { beside, labelled, paragraph } from '../terminal/page.js';
import { columns, cut, padEnd, plain, wrap } from '../terminal/terminal-text.js';
import { commandsFor, type FixCommand } from './find-fix.js';
import { titleLine } from './status-words.js';

interface ReviewLook extends Look {
  /** True if the agent's files are known, so that the diff of a rule can be shown. */
  readonly diff?: boolean;
}

const INDENT = 4;
/** Column in which texts begin, after their label. */
const LABEL = 12;
/** Number of messages, and of diff lines, shown per fix. */
const SHOWN_EXAMPLES = 2;
const SHOWN_DIFF = 12;

/** Renders what a person needs to decide on each fix, with the commands, in lines of at most `width` columns. */
export function renderReview({ fixes }: Review, look: ReviewLook): string {
  const forProgram = fixes.filter(({ wait }) => wait?.kind === 'program');
  const remarks = fixes.filter(({ wait }) => wait?.kind === 'remark');
  const others = fixes.filter((fix) => !forProgram.includes(fix) && !remarks.includes(fix));
  const isWaiting = others.some(({ wait }) => isForPerson(wait));
  const head = others.length === 0 ? ['Nothing waits for a decision.', ''] : [];
  const title = isWaiting
    ? `${counted(others.length, 'fix waits', 'fixes wait')} for a decision`
    : counted(others.length, 'fix', 'fixes');
  return [
    ...head,
    ...section(others, title, look),
    ...section(forProgram, programWords(forProgram.length), look),
    ...section(remarks, remarkWords(remarks.length), look),
  ].join('\n');
}

function section(fixes: readonly ReviewedFix[], title: string, look: ReviewLook): readonly string[] {
  if (fixes.length === 0) return [];
  return [...paragraph(title, look, 0, 'bold'), '', ...fixes.flatMap((fix) => [...oneOf(fix, look), ''])];
}

function programWords(count: number): string {
  const what = count === 1 ? '1 proposal needs' : `${count} proposals need`;
  return `${what} a step in your program. ${count === 1 ? 'It starts' : 'They start'} automatically after it.`;
}

function remarkWords(count: number): string {
  const what = count === 1 ? '1 remark. It fits its failures' : `${count} remarks. They fit their failures`;
  return `${what}, but no trial can decide here. You can apply ${count === 1 ? 'it' : 'them'} by hand.`;
}

function oneOf({ fix, description, pattern, diff, figures, followed }: ReviewedFix, look: ReviewLook): string[] {
  const { width, paint } = look;
  const say = (label: string, text: string) => labelled(label, text, look, { indent: INDENT, column: LABEL });
  const room = width - INDENT - LABEL;
  const result = resultWords(fix, figures, followed);
  const diffLines = look.diff ? changedLines(diff, room) : [];
  return [
    titleLine(fix, look),
    ...say('change', plain(description.title)),
    ...say('why', plain(fix.reason)),
    ...(fix.expectedEffect === undefined ? [] : say('expects', plain(fix.expectedEffect))),
    ...(fix.confidence === undefined
      ? []
      : say('confidence', `${percent(fix.confidence)} that it fits these failures: a rough estimate, lower for few`)),
    ...(fix.contradicts ?? []).flatMap((rule) => say('against', plain(rule))),
    ...(pattern
      ? [
          ...say('failed', `${occurrenceWords(pattern)}, ${pattern.trend}`),
          ...quotes(pattern.examples, room).flatMap((text) => say('', text)),
        ]
      : []),
    ...(result === undefined ? [] : say('result', plain(result))),
    ...say('proof', proofWords(fix)),
    ...beside(' '.repeat(INDENT) + paint('dim', padEnd('diff', LABEL)), diffLines),
    ...commandLines(commandsFor(fix, look.next), look),
  ];
}

/** Returns the messages, cut to the width. Those that are equal then are shown once. */
function quotes(examples: readonly string[], room: number): readonly string[] {
  return [...new Set(examples.map((text) => cut(`“${plain(text)}”`, room)))].slice(0, SHOWN_EXAMPLES);
}

function proofWords(fix: Fix): string {
  const words = plain(forecastWords(fix));
  return fix.needs === undefined || fix.forecast.kind === 'not-testable'
    ? words
    : `${words}; first ${plain(fix.needs)}`;
}

/** Returns the lines that a rule adds to its file or removes from it. */
function changedLines(diff: string | undefined, width: number): string[] {
  const lines = (diff ?? '').split('\n').filter((line) => /^[+-]/.test(line));
  return lines.slice(0, SHOWN_DIFF).map((line) => cut(plain(line), width));
}

/** Renders commands with their effect beside them, or below if that does not fit. */
function commandLines(commands: readonly FixCommand[], { width, paint }: ReviewLook): string[] {
  const left = ' '.repeat(INDENT);
  const wide = Math.max(0, ...commands.map(([command]) => columns(command)));
  const fits = commands.every(([, does]) => INDENT + wide + 2 + columns(does) <= width);
  return commands.flatMap(([command, does]) => {
    if (fits) return [`${left}${paint('yellow', padEnd(command, wide))}  ${does}`];
    // A command is never cut, so that it can be copied.
    const lines = wrap(command, width - INDENT, { whole: true });
    return [...lines.map((line) => left + paint('yellow', line)), `${left}  ${does}`];
  });
}
