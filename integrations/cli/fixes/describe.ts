import type { AtMost, Explanation, Fix, Json, LedgerEntry, Lesson, MayRepeat, Pattern, Trial } from 'rsi-loop';
import type { Look } from '../store/next-command.js';
import { wrap } from '../terminal/lines.js';
import { counted, day, hasInterval, length, moment, percentOf, whole } from '../terminal/numbers.js';
import { placeWords } from '../terminal/places.js';
import { columns, cut, padEnd, plain } from '../terminal/text.js';
import { changeWords } from './change-words.js';
import { figureLines } from './figure-lines.js';
import { placeboWords } from './figures.js';
import { forecastWords } from './forecast.js';
import { paintStatus, waitsFor } from './status.js';

/** Column in which texts begin, after their label. */
const LABEL = 10;
/** Number of steps and lessons shown, the newest ones. */
const SHOWN_STEPS = 12;
const SHOWN_LESSONS = 5;

/** Renders everything about one fix for people, in lines of at most `width` columns. */
export function renderExplanation(explanation: Explanation, look: Look): string {
  const { fix, pattern, history, lessons } = explanation;
  const { paint, next } = look;
  const heading = `${plain(fix.id)}  ${paintStatus(fix.status, fix.status, paint)}  `;
  const title = cut(`${plain(fix.task)} · ${plain(fix.issue)}`, look.width - columns(fix.id + fix.status) - 4);
  const waits = waitsFor(fix, next) ?? (explanation.waitsFor && `waits: ${explanation.waitsFor}`);
  const lines = [
    heading + paint('bold', title),
    ...(waits === undefined ? [] : wrap(plain(waits), look.width).map((line) => paint('yellow', line))),
    '',
    ...labelled('change', changeWords(fix.change), look),
    ...labelled('undo', undoWords(fix), look),
    ...labelled('why', `${plain(fix.reason)} (as it was when proposed)`, look),
    ...(fix.expectedEffect ? labelled('expects', plain(fix.expectedEffect), look) : []),
    ...(fix.contradicts ?? []).flatMap((rule) => labelled('against', plain(rule), look)),
    ...(fix.written
      ? labelled('written', `in ${plain(fix.written.path)} since ${moment(fix.written.atMs)}`, look)
      : []),
    ...patternLines(pattern, look),
    ...(explanation.mayRepeat ? labelled('repeats', repeatWords(explanation.mayRepeat), look) : []),
    ...labelled('forecast', halvingWords(fix), look),
    ...(fix.trial ? labelled('trial', trialWords(fix.trial, fix), look) : []),
    ...(fix.atMost ? labelled('counts', limitWords(fix.atMost), look) : []),
    ...(fix.verdict && 'placebo' in fix.verdict ? labelled('placebo', placeboWords(fix.verdict.placebo), look) : []),
    ...figureLines(explanation, look),
    '',
    paint('bold', 'history'),
    ...historyLines(history, look),
    ...(lessons.length > 0 ? ['', paint('bold', 'lessons about these failures'), ...lessonLines(lessons, look)] : []),
  ];
  return `${lines.join('\n')}\n`;
}

function labelled(label: string, text: string, { width, paint }: Look): string[] {
  return wrap(text, width - LABEL).map((line, index) => {
    return (index === 0 ? paint('dim', padEnd(label, LABEL)) : ' '.repeat(LABEL)) + line;
  });
}

function undoWords({ change }: Fix): string {
  if (change.kind === 'rule') return `the rule is taken out of ${plain(change.file)}`;
  const back = (value: Json) => {
    const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
    return isEmpty ? 'none' : plain(JSON.stringify(value));
  };
  return Object.entries(change.undo)
    .map(([name, value]) => `${plain(name)} ${value === null ? 'unset' : `back to ${back(value)}`}`)
    .join(', ');
}

function between(rate: Pattern['rate']): string {
  return hasInterval(rate) ? ` (${percentOf(rate.low)}–${percentOf(rate.high)})` : ' in this window';
}

function patternLines(pattern: Pattern | undefined, look: Look): string[] {
  if (!pattern) return labelled('pattern', 'not seen within the window any more', look);
  const { count, rate, trend, severity, where, rootCause, episodes, firstSeenMs, lastSeenMs, examples } = pattern;
  const facts = [
    `${whole(count)} of ${whole(rate.of)} tasks: ${percentOf(rate.value)} %${between(rate)}`,
    trend,
    `severity ${severity}`,
    ...(where === 'global' ? [] : [`where ${plain(placeWords(where))}`]),
    counted(episodes, 'episode'),
    day(firstSeenMs) === day(lastSeenMs)
      ? `seen on ${day(lastSeenMs)}`
      : `seen ${day(firstSeenMs)} to ${day(lastSeenMs)}`,
  ];
  const [example] = examples;
  const cause =
    rootCause.evidence.length > 0 ? `${rootCause.cause}: ${rootCause.evidence.join('; ')}` : rootCause.cause;
  return [
    ...labelled('pattern', facts.join(', '), look),
    ...(example === undefined ? [] : labelled('', cut(plain(example), look.width - LABEL), look)),
    ...(rootCause.cause === 'undetermined' ? [] : labelled('cause', plain(cause), look)),
  ];
}

/** Describes whether the tasks that a fix repeats may run again. */
function repeatWords({ may, saidBy }: MayRepeat): string {
  if (may === undefined) return 'tasks run again under this fix, and nobody has said whether they may';
  return `tasks run again under this fix: ${REPEAT_WORDS[saidBy ?? 'host']} ${may ? 'they may' : 'they may not'}`;
}

const REPEAT_WORDS = {
  call: 'their calls say',
  host: 'the loop was told',
  person: 'a person answered',
  models: 'callers list several models, so',
} as const;

function halvingWords(fix: Fix): string {
  const words = forecastWords(fix);
  return fix.forecast.kind === 'testable' ? `${words} to show a halving, as it was when proposed` : words;
}

function trialWords({ phase, unit, share, openedMs, deadlineMs, alpha }: Trial, { attempt, status }: Fix): string {
  const drawn = `each ${unit} is drawn at random, ${percentOf(share)} % with the fix`;
  const since = `since ${moment(openedMs)}`;
  const chance = `attempt ${attempt}: confirmed by accident at most ${percentOf(alpha)} % of the time`;
  if (status === 'trial') {
    const ramp = phase === 'ramp' ? ', the share grows to look for interference' : '';
    return `${drawn}${ramp}, ${since}, until ${moment(deadlineMs)} at the latest; ${chance}`;
  }
  const held = percentOf(1 - share);
  if (phase === 'holdout' && (status === 'confirmed' || status === 'reopened'))
    return `over; ${held} % stay without the fix, to notice when it stops helping`;
  return `over, began ${moment(openedMs)}; ${chance}`;
}

/** Describes the limits of a fix for slow or costly tasks. */
function limitWords({ durationMs, costUsd }: AtMost): string {
  const limits = [
    ...(durationMs === undefined ? [] : [`takes more than ${length(durationMs)}`]),
    ...(costUsd === undefined ? [] : [`costs more than ${costUsd.toPrecision(2)} $`]),
  ];
  return `a task that ${limits.join(' or ')} as failed, in both arms`;
}

function historyLines(history: readonly LedgerEntry[], look: Look): string[] {
  const steps = history.slice(-SHOWN_STEPS);
  const rows = steps.map((entry) => ({ at: moment(entry.atMs), ...stepOf(entry) }));
  const wide = Math.max(...rows.map(({ step }) => columns(step)));
  const lines = rows.flatMap(({ at, step, text }) => {
    const left = `${look.paint('dim', at)}  ${padEnd(step, wide)}  `;
    const room = look.width - at.length - wide - 4;
    return wrap(text, room).map((line, index) => (index === 0 ? left : ' '.repeat(look.width - room)) + line);
  });
  const hidden = history.length - steps.length;
  return hidden > 0 ? [look.paint('dim', `${counted(hidden, 'earlier step')}: --json shows all`), ...lines] : lines;
}

function stepOf(entry: LedgerEntry): { readonly step: string; readonly text: string } {
  switch (entry.kind) {
    case 'fix-proposed':
      return { step: 'proposed', text: `by ${plain(entry.by)}` };
    case 'fix-moved': {
      // The loop's default text, written if a person gave no reason, adds no information.
      const reason = entry.reason === `${entry.to} by ${entry.by}` ? '' : `: ${plain(entry.reason)}`;
      return { step: entry.to, text: `by ${plain(entry.by)}${reason}` };
    }
    case 'rule-written':
    case 'rule-removed':
      return { step: entry.kind, text: plain(entry.path) };
    default:
      return { step: entry.kind, text: `by ${plain(entry.by)}` };
  }
}

function lessonLines(lessons: readonly Lesson[], { width, paint }: Look): string[] {
  const lines = lessons.slice(0, SHOWN_LESSONS).flatMap(({ atMs, result, target, reason }) => {
    const at = moment(atMs);
    return wrap(`${result}, ${plain(target)}: ${plain(reason)}`, width - at.length - 2).map((line, index) => {
      return (index === 0 ? `${paint('dim', at)}  ` : ' '.repeat(at.length + 2)) + line;
    });
  });
  const hidden = lessons.length - SHOWN_LESSONS;
  return hidden > 0 ? [...lines, paint('dim', `${counted(hidden, 'earlier one')}: --json shows all`)] : lines;
}
