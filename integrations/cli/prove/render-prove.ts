import type { KeptBecause, ReportLine, StudyReport } from 'rsi-loop/prove';
import { counted, day, whole } from '../../reports/words/numbers.js';
import type { Look } from '../terminal/look.js';
import { paragraph } from '../terminal/page.js';
import { cut, padStart, plain } from '../terminal/terminal-text.js';
import { type OutcomeWords, outcomeWords } from './outcome-words.js';
import type { Compared } from './outcomes.js';
import type { StudyState } from './steps.js';

/** Columns before the text of a line. */
const FIGURES = 36;

type Part = 'line' | 'skill' | 'part';

/** Line or skill before a study. */
export interface PlanRow {
  readonly text: string;
  readonly tokens: number;
  readonly kept?: KeptBecause;
}

const WHY_KEPT: Readonly<Record<KeptBecause, string>> = {
  marked: 'marked with <!-- keep -->',
  safety: 'names a danger (--with-safety tries it)',
  structure: 'needed to read the rest',
  limit: 'beyond the limit of one study',
};
const WHY_SKILL_KEPT = { ...WHY_KEPT, structure: 'a link, not readable, or called by a person alone' };

const STATES: Readonly<Record<StudyState, string>> = {
  running: 'running',
  changed: 'a marker was removed from the file, so that sessions do not count: --stop puts the lines back',
  missing: 'the file holds its lines again, so that sessions do not count: --stop ends the study',
  stopped: 'stopped',
  applied: 'the lines that harm are removed',
  undone: 'the removal was undone',
};
const SKILL_STATES: typeof STATES = {
  ...STATES,
  changed: 'a file of a skill was renamed, so that sessions do not count: --stop ends the study',
  missing: 'the folder holds its skills again, so that sessions do not count: --stop ends the study',
  applied: 'the skills that harm are removed',
};

export interface ShownStudy {
  /** File, folder of skills, or name of a study that a program runs. */
  readonly name: string;
  readonly part: Part;
  /** Absent for a study of a program, which runs as long as the program goes on with it. */
  readonly state?: StudyState;
  readonly kept: number;
  readonly counts: Compared | 'tasks';
  readonly report: StudyReport;
}

/** Renders the result of a study. */
export function renderStudy({ name, part, state, kept, counts, report }: ShownStudy, look: Look): string {
  const { lines, sessions, waiting, startedMs, tokensOfHarm } = report;
  const open = waiting > 0 ? ` (${whole(waiting)} open)` : '';
  const states = part === 'skill' ? SKILL_STATES : STATES;
  const how = state === undefined ? 'run by a program' : `${whole(kept)} kept; ${states[state]}`;
  const head = `${plain(name)}: ${counted(sessions, 'session')}${open} since ${day(startedMs)}, ${counted(lines.length, part)} on trial, ${how}`;
  const of = (verdict: string) => lines.filter((line) => line.verdict === verdict);
  const [helps, harms] = [of('helps'), of('harms')];
  const undecided = of('undecided');
  const words = outcomeWords(counts, report.outcome);
  // The figures of amounts are ranks, so each line says what they are in the unit of the person.
  const each = report.outcome === undefined ? undefined : words;
  const figures = `figures: ${words.figures(part)}, and the 95 % interval`;
  const useless = undecided.filter((line) => line.looksUseless);
  const untold = undecided.filter((line) => !line.looksUseless && line.notTestableHere);
  const rest = undecided.filter((line) => !line.looksUseless && !line.notTestableHere);
  const named = (count: number, one: string, many: string) => `${counted(count, part)} ${count === 1 ? one : many}`;
  const out = [
    ...paragraph(head, look, 0, 'bold'),
    ...paragraph(figures, look, 0, 'dim'),
    ...group(`${named(helps.length, 'earns its', 'earn their')} tokens: in every session`, helps, look, words),
    ...group(`${named(harms.length, 'harms', 'harm')}: left out of every session`, harms, look, words),
    ...group(`${named(useless.length, 'looks', 'look')} useless: with it, ${words.useless}`, useless, look, each),
    ...group(
      `${named(rest.length, 'cannot', 'cannot')} be judged yet${needed(rest, sessions, words)}`,
      rest,
      look,
      each,
    ),
    ...group(`${named(untold.length, 'is', 'are')} not testable here: no verdict within 12 weeks`, untold, look, each),
    '',
    ...paragraph(errorWords(report, part, words), look, 0, 'dim'),
  ];
  if (part === 'skill') out.push(...neverRead(lines, look));
  if (harms.length > 0 && state !== 'applied') {
    const saved = `saves ${counted(tokensOfHarm, 'token')} a session`;
    const advice =
      state === undefined
        ? `the program leaves out what harms, which ${saved}: remove it from there`
        : `${look.next(`prove ${plain(name)} --apply`)} removes what harms, and ${saved}`;
    out.push('', ...paragraph(advice, look));
  }
  return `${out.join('\n')}\n`;
}

/** Says how often results are wrong. */
function errorWords({ errorRate, lines }: StudyReport, part: Part, { useful }: OutcomeWords): string {
  const useless = lines.some((line) => line.looksUseless)
    ? ` A ${part} that ${useful} looks useless with a probability of at most 10 %.`
    : '';
  if (errorRate === undefined) return `At most 5 % of the named ${part}s are false on average.${useless}`;
  return `Each useless ${part} is named with a probability of at most ${whole(errorRate * 100)} %.${useless}`;
}

/** Renders what a study would try, and why the rest stays. */
export function renderPlan(
  { name, part }: Pick<ShownStudy, 'name' | 'part'>,
  rows: readonly PlanRow[],
  look: Look,
): string {
  const free = rows.filter(({ kept }) => kept === undefined);
  const kept = rows.filter((row) => row.kept !== undefined);
  const tokens = free.reduce((sum, row) => sum + row.tokens, 0);
  const head = `${plain(name)}: ${counted(free.length, part)} to try, about ${counted(tokens, 'token')}`;
  const out = [
    ...paragraph(head, look, 0, 'bold'),
    ...free.map((row) => `  ${padStart(whole(row.tokens), 5)} tok  ${cut(plain(row.text), look.width - 13)}`),
  ];
  if (kept.length > 0) out.push('', `${counted(kept.length, part)} in every session`);
  const why = part === 'skill' ? WHY_SKILL_KEPT : WHY_KEPT;
  for (const row of kept) {
    if (row.kept === undefined) continue;
    out.push(`  ${cut(plain(row.text), look.width - 2)}`, ...paragraph(why[row.kept], look, 4, 'dim'));
  }
  const does = part === 'skill' ? 'renames the files of these skills' : 'moves these lines out of the file';
  const step = `${look.next(`prove ${plain(name)} --start`)} ${does}; each session gets a random half of them`;
  return `${[...out, '', ...paragraph(step, look)].join('\n')}\n`;
}

/** Renders lines under a title. With `words`, each says what was observed. */
function group(title: string, lines: readonly ReportLine[], look: Look, words?: OutcomeWords): readonly string[] {
  if (lines.length === 0) return [];
  const rows = lines.map((line) => {
    const { value, low, high } = line.effect;
    const interval = `${points(value)} (${points(low)} to ${points(high)})`;
    const figures = `  ${padStart(whole(line.tokens), 5)} tok  ${padStart(interval, FIGURES - 13)}  `;
    const row = `${figures}${cut(plain(line.text), Math.max(12, look.width - figures.length))}`;
    return [row, ...details(line, words).flatMap((detail) => paragraph(detail, look, FIGURES, 'dim'))];
  });
  return ['', ...paragraph(title, look, 0, 'bold'), ...rows.flat()];
}

/** Chances to follow a line after which it is said that it is not followed. */
const CHANCES = 5;

/** Says what was observed with and without a line, whether it is followed, and which models it helps or harms. */
function details({ level, followed, models }: ReportLine, words?: OutcomeWords): readonly string[] {
  const told = models.flatMap(({ model, verdict, sessions }) =>
    verdict ? [`${verdict} ${plain(model)} (${counted(sessions, 'session')})`] : [],
  );
  if (level && words) told.unshift(words.level(level.with, level.without));
  if (!followed) return told;
  const { with: given, without } = followed;
  const chances = given.yes + given.no;
  const word = chances >= CHANCES && given.yes * 2 < chances ? 'given and not followed' : 'followed';
  const others = without.yes + without.no;
  const beside = others > 0 ? `, ${whole(without.yes)} of ${whole(others)} without it` : '';
  return [`${word}: ${whole(given.yes)} of ${counted(chances, 'session')} with it${beside}`, ...told];
}

/** Difference of failure rates in points: `-12`, `+3`. */
function points(value: number): string {
  const rounded = Math.round(value * 100);
  return rounded > 0 ? `+${rounded}` : String(rounded === 0 ? 0 : rounded);
}

/** Renders the skills that no session has read: they cannot help. */
function neverRead(lines: readonly ReportLine[], look: Look): readonly string[] {
  const isUnread = ({ followed }: ReportLine) => followed && followed.with.yes + followed.without.yes === 0;
  const names = lines.filter(isUnread).map(({ text }) => plain(text));
  if (names.length === 0) return [];
  const which = names.length === 1 ? 'was never read, so it' : 'were never read, so they';
  const advice = 'say in the description when to use it';
  return [
    '',
    ...paragraph(`${counted(names.length, 'skill')} ${which} cannot help: ${names.join(', ')}; ${advice}`, look),
  ];
}

function needed(lines: readonly ReportLine[], sessions: number, { forecast }: OutcomeWords): string {
  if (sessions === 0) return ': no session has ended yet';
  const counts = lines.flatMap(({ sessionsNeeded }) => sessionsNeeded ?? []).sort((a, b) => a - b);
  const middle = counts[Math.floor(counts.length / 2)];
  if (middle === undefined) return lines.length === 0 ? '' : ': sessions fail too rarely or too often to judge them';
  const weeks = lines.flatMap(({ weeksNeeded }) => weeksNeeded ?? []).sort((a, b) => a - b);
  const pace = weeks[Math.floor(weeks.length / 2)];
  const wait = pace === undefined ? '' : `, ${counted(pace, 'week')} at this pace,`;
  return `: about ${counted(middle, 'more session')}${wait} for one that ${forecast}`;
}
