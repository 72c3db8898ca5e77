import { describeFix, type Explanation, type Fix, type FixStatus, type RSILoop } from 'rsi-loop';
import type { Look } from '../terminal/look.js';
import { counted, percentOf, whole } from '../terminal/numbers.js';
import { beside, labelled } from '../terminal/page.js';
import { columns, cut, padEnd, plain, wrap } from '../terminal/text.js';
import { commandsFor, type FixCommand } from './find-fix.js';
import { byStatus, forecastWords, titleLine, waitsFor } from './status.js';

/** Output of `rsi review --json`. Fields are added within a format, never changed or removed. */
export interface Review {
  readonly format: 'rsi-review/1' | 'rsi-cycle/1';
  readonly fixes: readonly Explanation[];
}

/** Returns the fixes with `status`; without one, those that a person can decide on now. */
export function fixesToReview(loop: RSILoop, status?: FixStatus): readonly Fix[] {
  const waits = (fix: Fix) => waitsFor({ ...fix, description: describeFix(loop, fix) }, String) !== undefined;
  const isWanted = (fix: Fix) => (status ? fix.status === status : waits(fix));
  return byStatus(loop.fixes().filter(isWanted));
}

export function reviewOf(loop: RSILoop, fixes: readonly Fix[]): Review {
  return { format: 'rsi-review/1', fixes: fixes.map(({ id }) => loop.explain(id)) };
}

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
  if (fixes.length === 0) return 'Nothing waits for a decision.\n';
  const lines = [look.paint('bold', counted(fixes.length, 'fix', 'fixes')), ''];
  for (const explanation of fixes) lines.push(...oneOf(explanation, look), '');
  return lines.join('\n');
}

function oneOf({ fix, description, pattern, diff }: Explanation, look: ReviewLook): string[] {
  const { width, paint } = look;
  const say = (label: string, text: string) => labelled(label, text, look, { indent: INDENT, column: LABEL });
  const room = width - INDENT - LABEL;
  const diffLines = look.diff ? changedLines(diff, room) : [];
  return [
    titleLine(fix, look),
    ...say('change', plain(description.title)),
    ...say('why', plain(fix.reason)),
    ...(fix.expectedEffect === undefined ? [] : say('expects', plain(fix.expectedEffect))),
    ...(fix.confidence === undefined ? [] : say('confidence', `${percentOf(fix.confidence)} %`)),
    ...(fix.contradicts ?? []).flatMap((rule) => say('against', plain(rule))),
    ...(pattern
      ? [
          ...say('failed', `${whole(pattern.count)} of ${whole(pattern.rate.of)} tasks, ${pattern.trend}`),
          ...pattern.examples.slice(0, SHOWN_EXAMPLES).flatMap((text) => say('', cut(`“${plain(text)}”`, room))),
        ]
      : []),
    ...say('proof', proofWords(fix)),
    ...beside(' '.repeat(INDENT) + paint('dim', padEnd('diff', LABEL)), diffLines),
    ...commandLines(commandsFor(fix, look.next), look),
  ];
}

function proofWords(fix: Fix): string {
  const words = forecastWords(fix);
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
