import type { Explanation, Fix } from 'rsi-loop';
import { changeWords } from '../fixes/change-words.js';
import { commandsFor, type FixCommand } from '../fixes/commands.js';
import { forecastWords } from '../fixes/forecast.js';
import { paintStatus } from '../fixes/status.js';
import type { Look } from '../store/next-command.js';
import { wrap } from '../terminal/lines.js';
import { counted, percentOf, whole } from '../terminal/numbers.js';
import { columns, cut, padEnd, plain } from '../terminal/text.js';
import type { Review } from './review.js';

interface ReviewLook extends Look {
  /** True if the agent's files are known, so that the diff of a rule can be shown. */
  readonly diff?: boolean;
}

const INDENT = 4;
/** Column in which texts begin, after their label. */
const LABEL = 10;
/** Number of messages, and of diff lines, shown per fix. */
const SHOWN_EXAMPLES = 2;
const SHOWN_DIFF = 12;

/** Renders what a person needs to decide on each fix, with the commands, in lines of at most `width` columns. */
export function renderReview({ fixes }: Review, look: ReviewLook): string {
  if (fixes.length === 0) return 'Nothing waits for a decision.\n';
  const { paint } = look;
  const lines = [paint('bold', counted(fixes.length, 'fix', 'fixes')), ''];
  for (const explanation of fixes) lines.push(...oneOf(explanation, look), '');
  return `${lines.join('\n')}`;
}

function oneOf({ fix, pattern, diff }: Explanation, look: ReviewLook): string[] {
  const { width, paint } = look;
  const id = plain(fix.id);
  const title = cut(`${plain(fix.task)} · ${plain(fix.issue)}`, width - columns(id) - fix.status.length - 4);
  const lines = [`${id}  ${paintStatus(fix.status, fix.status, paint)}  ${paint('bold', title)}`];
  const say = (label: string, text: string) => {
    wrap(text, width - INDENT - LABEL).forEach((line, index) => {
      const left = index === 0 ? paint('dim', padEnd(label, LABEL)) : ' '.repeat(LABEL);
      lines.push(' '.repeat(INDENT) + left + line);
    });
  };
  say('change', changeWords(fix.change));
  say('why', plain(fix.reason));
  if (fix.expectedEffect !== undefined) say('expects', plain(fix.expectedEffect));
  if (fix.confidence !== undefined) say('sure', `${percentOf(fix.confidence)} %`);
  for (const rule of fix.contradicts ?? []) say('against', plain(rule));
  if (pattern) {
    say('failed', `${whole(pattern.count)} of ${whole(pattern.rate.of)} tasks, ${pattern.trend}`);
    for (const example of pattern.examples.slice(0, SHOWN_EXAMPLES)) {
      say('', cut(`“${plain(example)}”`, width - INDENT - LABEL));
    }
  }
  say('proof', proofWords(fix));
  const changed = look.diff ? diffLines(diff, width - INDENT - LABEL) : [];
  changed.forEach((line, index) => {
    const left = index === 0 ? paint('dim', padEnd('diff', LABEL)) : ' '.repeat(LABEL);
    lines.push(' '.repeat(INDENT) + left + line);
  });
  return [...lines, ...commandLines(commandsFor(fix, look.next), look)];
}

function proofWords(fix: Fix): string {
  const words = forecastWords(fix);
  return fix.needs === undefined || fix.forecast.kind === 'not-testable'
    ? words
    : `${words}; first ${plain(fix.needs)}`;
}

/** Returns the lines that a rule adds to its file or removes from it. */
function diffLines(diff: string | undefined, width: number): string[] {
  if (diff === undefined || diff === '') return [];
  const lines = diff.split('\n').filter((line) => /^[+-]/.test(line));
  return lines.slice(0, SHOWN_DIFF).map((line) => cut(plain(line), width));
}

/** Renders commands with their effect beside them, or below if that does not fit. */
function commandLines(commands: readonly FixCommand[], { width, paint }: ReviewLook): string[] {
  const left = ' '.repeat(INDENT);
  const wide = Math.max(0, ...commands.map(([command]) => columns(command)));
  const fits = commands.every(([, does]) => INDENT + wide + 2 + columns(does) <= width);
  return commands.flatMap(([command, does]) =>
    fits
      ? [`${left}${paint('yellow', padEnd(command, wide))}  ${does}`]
      : [`${left}${paint('yellow', command)}`, `${left}  ${does}`],
  );
}
