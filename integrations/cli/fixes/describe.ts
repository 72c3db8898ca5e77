import type { Explanation, Fix, LedgerEntry, Lesson, Pattern, PromptChange, Trial } from 'rsi-loop';
import type { AtMost, MayRepeat } from 'rsi-loop/kit';
import type { Signature } from 'rsi-loop/node';
import type { RuleFollowed } from 'rsi-loop/sources/agents';
import { signatureWords } from '../../reports/signatures.js';
import {
  counted,
  day,
  dollars,
  duration,
  hasInterval,
  moment,
  percent,
  percentRange,
  whole,
} from '../../reports/words/numbers.js';
import { forecastWords, placeboWords, resultWords, whereWords } from '../../reports/words/sentences.js';
import { type Place, placeWords } from '../patterns/places.js';
import type { Look } from '../terminal/look.js';
import { beside, labelled, paragraph } from '../terminal/page.js';
import { columns, cut, padEnd, plain, wrap } from '../terminal/terminal-text.js';
import { figureLines } from './figures.js';
import { commandsFor } from './find-fix.js';
import { titleLine, waitWords } from './status-words.js';

/** Column in which texts begin, after their label. */
const LABEL = 10;
/** Number of steps and lessons shown, the newest ones. */
const SHOWN_STEPS = 12;
const SHOWN_LESSONS = 5;
/** Number of lines shown of the difference between two texts. */
const SHOWN_DIFF = 40;

interface Beside {
  readonly places: readonly Place[];
  /** Signatures of the decisions in `history`, if one is signed. */
  readonly signatures?: readonly Signature[];
  /** How often the tasks or sessions that got it followed it, if their calls show it. */
  readonly followed?: RuleFollowed;
  /** Also shows the figures of the test: evidence, ratio, guards. */
  readonly figures: boolean;
}

/** Renders everything about one fix for people, in lines of at most `width` columns. */
export function renderExplanation(
  explanation: Explanation,
  { places, signatures, figures, followed }: Beside,
  look: Look,
): string {
  const { fix, description, history, lessons } = explanation;
  const { paint, next, width } = look;
  const waits = waitWords({ ...fix, description }, next) ?? (explanation.waitsFor && `waits: ${explanation.waitsFor}`);
  const lines = [
    titleLine(fix, look),
    ...(waits === undefined ? [] : paragraph(plain(waits), look, 0, 'yellow')),
    '',
    ...factsOf(explanation, followed, look).flatMap(([label, text]) => labelled(label, text, look)),
    ...diffLines(explanation, look),
    ...figureLines(explanation, look, figures),
    ...(places.length > 0 ? ['', paint('bold', 'failures to look at')] : []),
    ...places.flatMap(placeWords).flatMap((text) => wrap(text, width, { whole: true })),
    '',
    paint('bold', 'history'),
    ...historyLines(history, signatures, look),
    ...(lessons.length > 0 ? ['', paint('bold', 'lessons about these failures'), ...lessonLines(lessons, look)] : []),
  ];
  const commands = commandsFor(fix, next).flatMap(([command, does]) => [command, paint('dim', `    ${does}`)]);
  return `${[...lines, ...(commands.length > 0 ? ['', ...commands] : [])].join('\n')}\n`;
}

type Fact = readonly [label: string, text: string];

function factsOf(
  { fix, description, pattern, mayRepeat, figures }: Explanation,
  followed: RuleFollowed | undefined,
  look: Look,
): readonly Fact[] {
  const facts: Fact[] = [
    ['change', plain(description.title)],
    ['undo', plain(description.undo)],
    ['why', `${plain(fix.reason)} (as it was when proposed)`],
  ];
  if (fix.expectedEffect) facts.push(['expects', plain(fix.expectedEffect)]);
  if ('version' in fix.change) facts.push(['versions', versionWords(fix.change)]);
  for (const mark of fix.marks ?? []) facts.push(['careful', plain(mark)]);
  for (const rule of fix.contradicts ?? []) facts.push(['against', plain(rule)]);
  if (fix.written) facts.push(['written', `in ${plain(fix.written.path)} since ${moment(fix.written.atMs)}`]);
  facts.push(...patternFacts(pattern, look.width - LABEL));
  if (mayRepeat) facts.push(['repeats', repeatWords(mayRepeat)]);
  const words = plain(forecastWords(fix));
  facts.push(['forecast', fix.forecast.kind === 'testable' ? `${words} (as it was when proposed)` : words]);
  const result = resultWords(fix, figures, followed);
  if (result !== undefined) facts.push(['result', plain(result)]);
  if (fix.trial) facts.push(['trial', trialWords(fix.trial, fix)]);
  if (fix.atMost) facts.push(['counts', limitWords(fix.atMost)]);
  if (fix.verdict && 'placebo' in fix.verdict) facts.push(['placebo', placeboWords(fix.verdict.placebo)]);
  return facts;
}

/** Describes the version of a text: what it was written for, its author, and the versions that led to it. */
function versionWords({ version, by, replaces, parents = [] }: PromptChange): string {
  const lineage = [...replaces, version].map((one) => one.slice(0, 8)).join(' > ');
  const combined = parents.map((one) => one.slice(0, 8)).join(' and ');
  return `${lineage}, written by ${plain(by)}${combined === '' ? '' : `, combines ${combined}`}`;
}

/** Renders the difference between two versions of a text. */
function diffLines({ fix, diff = '' }: Explanation, { width, paint }: Look): readonly string[] {
  if (!('version' in fix.change) || diff === '') return [];
  const lines = diff.split('\n').filter((line) => line !== '');
  const shown = lines.slice(0, SHOWN_DIFF).flatMap((line) => {
    const style = line.startsWith('+') ? 'green' : line.startsWith('-') ? 'red' : 'dim';
    return wrap(plain(line), width, { whole: true }).map((part) => paint(style, part));
  });
  const hidden = lines.length - SHOWN_DIFF;
  const more = hidden > 0 ? [paint('dim', `${counted(hidden, 'more line')}: --json shows all`)] : [];
  return ['', paint('bold', 'difference'), ...shown, ...more];
}

function patternFacts(pattern: Pattern | undefined, width: number): readonly Fact[] {
  if (!pattern) return [['pattern', 'not seen in the current window']];
  const { count, rate, trend, severity, where, rootCause, episodes, firstSeenMs, lastSeenMs, examples, actor, issue } =
    pattern;
  const interval = hasInterval(rate) ? ` (${percentRange(rate)})` : ' in this window';
  const days = [day(firstSeenMs), day(lastSeenMs)] as const;
  const text = [
    `${whole(count)} of ${whole(rate.of)}: ${percent(rate.value)}${interval}`,
    trend,
    `severity ${severity}`,
    ...(where === 'global' ? [] : [`where ${plain(whereWords(where))}`]),
    counted(episodes, 'episode'),
    days[0] === days[1] ? `seen on ${days[1]}` : `seen ${days[0]} to ${days[1]}`,
  ].join(', ');
  const facts: Fact[] = [['pattern', text]];
  const [example] = examples;
  if (example !== undefined) facts.push(['', cut(plain(example), width)]);
  if (actor.who !== 'undetermined') facts.push(['acts', plain(actorWords(actor))]);
  const { cause, evidence } = rootCause;
  // A cause that repeats the issue, or that a message already explains, says nothing more.
  if (cause !== 'undetermined' && cause !== issue && actor.evidence.matched === 0)
    facts.push(['cause', plain(evidence.length > 0 ? `${cause}: ${evidence.join('; ')}` : cause)]);
  return facts;
}

/** Describes who must act, how, and by which words of the messages. */
export function actorWords({ who, todo, evidence: { matched, of, said } }: Pattern['actor']): string {
  const texts = of === 1 ? 'its message says' : `${matched} of ${of} messages say`;
  const words = said.length > 0 ? ` (${texts} ${said.map((text) => `“${text}”`).join(', ')})` : '';
  return `${who}: ${todo}${words}`;
}

/** Describes whether the tasks that a fix repeats may run again. */
function repeatWords({ may, saidBy }: MayRepeat): string {
  if (may === undefined) return 'tasks run again under this fix; it is not known whether they may';
  return `tasks run again under this fix: ${REPEAT_WORDS[saidBy ?? 'host']} ${may ? 'they may' : 'they may not'}`;
}

const REPEAT_WORDS = {
  call: 'their calls say',
  host: 'the settings of the loop say',
  person: 'a person answered',
  models: 'callers list several models, so',
} as const;

function trialWords({ phase, unit, share, openedMs, deadlineMs, alpha }: Trial, { attempt, status }: Fix): string {
  const chance = `attempt ${attempt}: confirmed by accident at most ${percent(alpha)} of the time`;
  if (status === 'trial') {
    const drawn = `each ${unit} is drawn at random, ${percent(share)} with the fix`;
    const ramp = phase === 'ramp' ? ', the share grows to look for interference' : '';
    return `${drawn}${ramp}, since ${moment(openedMs)}, until ${moment(deadlineMs)} at the latest; ${chance}`;
  }
  if (phase === 'holdout' && (status === 'confirmed' || status === 'reopened'))
    return `over; ${percent(1 - share)} stay without the fix, to notice when it stops helping`;
  return `over, began ${moment(openedMs)}; ${chance}`;
}

/** Describes the limits of a fix for slow or costly tasks. */
function limitWords({ durationMs, costUsd, calls }: AtMost): string {
  const limits = [
    ...(durationMs === undefined ? [] : [`takes more than ${duration(durationMs)}`]),
    ...(costUsd === undefined ? [] : [`costs more than ${dollars(costUsd)}`]),
    ...(calls === undefined ? [] : [`needs more than ${calls === 1 ? 'one call' : `${calls} calls`}`]),
  ];
  return `a task that ${limits.join(' or ')} as failed, in both arms`;
}

function historyLines(
  history: readonly LedgerEntry[],
  signatures: readonly Signature[] | undefined,
  { width, paint }: Look,
): string[] {
  const steps = history.slice(-SHOWN_STEPS);
  const signed = signatures?.slice(-SHOWN_STEPS).map((signature) => ` (${signatureWords(signature)})`);
  const rows = steps.map((entry, index) => {
    const { step, text } = stepOf(entry);
    return { at: moment(entry.atMs), step, text: `${text}${signed?.[index] ?? ''}` };
  });
  const wide = Math.max(...rows.map(({ step }) => columns(step)));
  const lines = rows.flatMap(({ at, step, text }) => {
    const left = `${paint('dim', at)}  ${padEnd(step, wide)}  `;
    return beside(left, wrap(text, width - columns(left)));
  });
  const hidden = history.length - steps.length;
  return hidden > 0 ? [paint('dim', `${counted(hidden, 'earlier step')}: --json shows all`), ...lines] : lines;
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
    case 'change-written':
    case 'change-removed':
      return { step: entry.kind, text: plain(entry.path) };
    default:
      return { step: entry.kind, text: `by ${plain(entry.by)}` };
  }
}

function lessonLines(lessons: readonly Lesson[], { width, paint }: Look): string[] {
  const lines = lessons.slice(0, SHOWN_LESSONS).flatMap(({ atMs, result, target, reason }) => {
    const left = `${paint('dim', moment(atMs))}  `;
    return beside(left, wrap(`${result}, ${plain(target)}: ${plain(reason)}`, width - columns(left)));
  });
  const hidden = lessons.length - SHOWN_LESSONS;
  return hidden > 0 ? [...lines, paint('dim', `${counted(hidden, 'earlier one')}: --json shows all`)] : lines;
}
