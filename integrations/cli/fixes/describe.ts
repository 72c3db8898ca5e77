import type { Explanation, Fix, GuardName, LedgerEntry, Lesson, Pattern, Trial, TrialFigures } from 'rsi-loop';
import { wrap } from '../terminal/lines.js';
import { counted, day, length, moment, percentOf, whole } from '../terminal/numbers.js';
import type { Paint } from '../terminal/paint.js';
import { columns, cut, padEnd, padStart, plain } from '../terminal/text.js';
import { changeWords } from './change-words.js';
import { evidence, rateOf } from './figures.js';
import { days } from './list.js';
import { paintStatus, waitsFor } from './status.js';

interface Look {
  readonly width: number;
  readonly paint: Paint;
}

/** Column in which texts begin, after their label. */
const LABEL = 10;
/** Steps and lessons shown, the newest ones. */
const SHOWN_STEPS = 12;
const SHOWN_LESSONS = 5;
/** Evidence that rejects a fix; see docs/verify.md. */
const HARM_NEEDED = 20;
const NONE_NEEDED = 10;
const ALARM_NEEDED = 10_000;

/** Everything of one fix as a person reads it, in lines of at most `width` columns. */
export function renderExplanation(explanation: Explanation, look: Look): string {
  const { fix, pattern, history, lessons } = explanation;
  const { paint } = look;
  const figures =
    fix.trial?.phase === 'hold-back' ? fix.verdict?.figures : (explanation.figures ?? fix.verdict?.figures);
  const heading = `${plain(fix.id)}  ${paintStatus(fix.status, fix.status, paint)}  `;
  const title = cut(`${plain(fix.task)} · ${plain(fix.issue)}`, look.width - columns(fix.id + fix.status) - 4);
  const waits = waitsFor(fix);
  const lines = [
    heading + paint('bold', title),
    ...(waits === undefined ? [] : wrap(plain(waits), look.width).map((line) => paint('yellow', line))),
    '',
    ...labelled('change', changeWords(fix.change), look),
    ...labelled('undo', undoWords(fix), look),
    ...labelled('why', plain(fix.reason), look),
    ...patternLines(pattern, look),
    ...labelled('forecast', forecastWords(fix), look),
    ...(fix.trial ? labelled('trial', trialWords(fix.trial, fix), look) : []),
    ...(figures ? ['', ...figureLines(figures, fix, look)] : []),
    ...alarmLines(explanation, look),
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
  return Object.entries(change.undo)
    .map(([name, value]) => `${plain(name)} ${value === null ? 'unset' : `back to ${plain(JSON.stringify(value))}`}`)
    .join(', ');
}

function patternLines(pattern: Pattern | undefined, look: Look): string[] {
  if (!pattern) return labelled('pattern', 'not seen within the window any more', look);
  const { count, rate, trend, severity, where, rootCause, episodes, firstSeenMs, lastSeenMs, examples } = pattern;
  const places = where === 'global' ? [] : Object.entries(where).map(([name, value]) => `${name} is ${value}`);
  const facts = [
    `${whole(count)} of ${whole(rate.of)} tasks: ${percentOf(rate.value)} % (${percentOf(rate.low)}–${percentOf(rate.high)})`,
    trend,
    `severity ${severity}`,
    ...(places.length > 0 ? [`where ${plain(places.join(' and '))}`] : []),
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

function forecastWords({ forecast }: Fix): string {
  if (forecast.kind === 'not-testable') return `not testable here: ${plain(forecast.reason)}`;
  return `about ${counted(forecast.tasks, 'task')} or ${days(forecast.days)} to show a halving, as it was when proposed`;
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
  if (phase === 'hold-back' && (status === 'confirmed' || status === 'reopened'))
    return `over; ${held} % stay without the fix, to notice when it stops helping`;
  return `over, began ${moment(openedMs)}; ${chance}`;
}

/** The two arms side by side, then what each figure says. */
function figureLines(figures: TrialFigures, { trial }: Fix, { width, paint }: Look): string[] {
  const { fix, control, effect, eHelp, eHarm, eNone, needed, guards, eInterference, extraMs, extraUsd } = figures;
  const unit = trial?.unit ?? 'task';
  const units = unit === 'task' ? [] : [`${unit}s`];
  const cells = [
    ['', ...units, 'tasks', 'failed', 'rate'],
    ...(
      [
        ['with the fix', fix],
        ['without', control],
      ] as const
    ).map(([name, arm]) => {
      return [name, ...(unit === 'task' ? [] : [whole(arm.units)]), whole(arm.tasks), whole(arm.failures), rateOf(arm)];
    }),
  ];
  const table = cells.map(
    ([name = '', ...row]) => padEnd(name, LABEL + 6) + row.map((cell) => padStart(cell, 9)).join(''),
  );
  const rows: [figure: string, meaning: string][] = [
    [`ratio ${effect.value.toFixed(2)}`, ratioWords(figures)],
    [`help ${evidence(eHelp)}`, `evidence that it helps; ${whole(needed)} confirms it`],
    [`harm ${evidence(eHarm)}`, `evidence that it harms; ${HARM_NEEDED} takes it back`],
    [`none ${evidence(eNone)}`, `evidence that it does nothing useful; ${NONE_NEEDED} takes it back`],
  ];
  const telling = guards.filter(({ eHarm: value }) => value !== 1);
  for (const guard of telling)
    rows.push([`guard ${evidence(guard.eHarm)}`, `${GUARDS[guard.guard]}; ${whole(guard.needed)} takes it back`]);
  if (eInterference !== undefined)
    rows.push([
      `moved ${evidence(eInterference)}`,
      `failures rise with the share of the fix; ${HARM_NEEDED} takes it back`,
    ]);
  if (extraMs !== undefined)
    rows.push([length(Math.abs(extraMs)), `a task with the fix takes ${extraMs < 0 ? 'less' : 'more'}, on average`]);
  if (extraUsd !== undefined)
    rows.push([
      `${Math.abs(extraUsd).toPrecision(2)} $`,
      `a task with the fix costs ${extraUsd < 0 ? 'less' : 'more'}, on average`,
    ]);
  const wide = LABEL + 6;
  return [
    ...table.map((line, index) => (index === 0 ? paint('dim', line) : line)),
    '',
    ...rows.flatMap(([figure, meaning]) =>
      wrap(meaning, width - wide).map(
        (line, index) => (index === 0 ? padEnd(figure, wide) : ' '.repeat(wide)) + paint('dim', line),
      ),
    ),
  ];
}

const GUARDS: Readonly<Record<GuardName, string>> = {
  duration: 'evidence that tasks take longer',
  tokens: 'evidence that tasks use more tokens',
  cost: 'evidence that tasks cost more',
  quality: 'evidence that quality falls',
};

function ratioWords({ fix, control, effect }: TrialFigures): string {
  if (fix.tasks === 0 || control.tasks === 0)
    return 'failures with the fix over failures without: nothing to compare yet';
  const high = effect.high >= 10 ? '10 or more' : effect.high.toFixed(2);
  return `failures with the fix over failures without, between ${effect.low.toFixed(2)} and ${high}; below 1 is better`;
}

/** How a confirmed fix does since: the alarm that its hold-back feeds. */
function alarmLines({ fix, figures }: Explanation, { width, paint }: Look): string[] {
  if (fix.trial?.phase !== 'hold-back' || figures?.eAlarm === undefined) return [];
  const wide = LABEL + 6;
  const meaning = `evidence since then that it does harm now; ${whole(ALARM_NEEDED)} takes it back`;
  return wrap(meaning, width - wide).map((line, index) => {
    return (
      (index === 0 ? padEnd(`alarm ${evidence(figures.eAlarm ?? 1)}`, wide) : ' '.repeat(wide)) + paint('dim', line)
    );
  });
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
    case 'fix-moved':
      return { step: entry.to, text: `by ${plain(entry.by)}: ${plain(entry.reason)}` };
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
