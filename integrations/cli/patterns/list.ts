import type { Fix, FixStatus, Pattern, RSILoop } from 'rsi-loop';
import { type PatternGroup, type Period, periods, ranking } from 'rsi-loop/kit';
import { counted, day, whole } from '../../reports/words/numbers.js';
import { occurrenceWords } from '../../reports/words/sentences.js';
import { type Acting, actingWords, groupByActing } from '../analyze/acting.js';
import { statusWords } from '../fixes/status-words.js';
import type { Look } from '../terminal/look.js';
import { paragraph } from '../terminal/page.js';
import { cut, plain, wrap } from '../terminal/terminal-text.js';
import { type Place, placesOf, placeWords } from './places.js';

/** Pattern with the failures to look at, and the newest fix for it. */
export type ListedPattern = Pattern & {
  /** Failures of its task and issue in all wordings, and the number of wordings. */
  readonly total: { readonly count: number; readonly of: number; readonly wordings: number };
  /** Party that must act, its task, and the failures of this task and issue that call for the same. */
  readonly acting: Acting;
  readonly places: readonly Place[];
  readonly fix: { readonly id: string; readonly status: FixStatus } | null;
};

/** Output of `rsi patterns --json`. Fields are added within a format, never changed or removed. */
export interface PatternList {
  readonly format: 'rsi-patterns/1';
  /** Period of the patterns, epoch milliseconds. */
  readonly sinceMs: number;
  readonly untilMs: number;
  /** Patterns in the period; `patterns` holds the first of them: failures before measures. */
  readonly found: number;
  readonly patterns: readonly ListedPattern[];
}

/** Lists the patterns of a period, in the order of every list. `wanted` is the beginning of an id or the name of a task. */
export async function listPatterns(
  loop: RSILoop,
  { wanted, limit, ...range }: Partial<Period> & { readonly wanted?: string | undefined; readonly limit: number },
): Promise<PatternList> {
  const { patterns: all, sinceMs, untilMs } = await periods.readPeriod(loop, range);
  const matching = wanted === undefined ? all : all.filter(({ id, task }) => id.startsWith(wanted) || task === wanted);
  const groups = ranking.groupPatterns(matching).flatMap(({ patterns }) => groupByActing(patterns));
  const rows = groups.flatMap(({ acting, messages }) => messages.map((pattern) => ({ pattern, acting })));
  const shown = rows.slice(0, limit);
  const places = await placesOf(
    loop,
    shown.map(({ pattern }) => pattern),
  );
  const fixes = loop.fixes();
  const totals = new Map(
    ranking.groupPatterns(all).flatMap((group) => group.patterns.map(({ id }) => [id, inAll(group)])),
  );
  const patterns = shown.map(({ pattern, acting }) => {
    const fix = newestFix(fixes, pattern.id);
    return {
      ...pattern,
      total: totals.get(pattern.id) ?? { count: pattern.count, of: pattern.rate.of, wordings: 1 },
      acting,
      places: places.get(pattern.id) ?? [],
      fix: fix ? { id: fix.id, status: fix.status } : null,
    };
  });
  return { format: 'rsi-patterns/1', sinceMs, untilMs, found: matching.length, patterns };
}

function inAll(group: PatternGroup<Pattern>): ListedPattern['total'] {
  const { count, rate } = ranking.totalOf(group);
  return { count, of: rate.of, wordings: group.patterns.length };
}

function newestFix(fixes: readonly Fix[], patternId: string): Fix | undefined {
  const own = fixes.filter((fix) => fix.patternId === patternId);
  return own.sort((one, other) => other.changedMs - one.changedMs)[0];
}

const INDENT = 4;
/** Characters of an id that are shown and enough to type. */
const ID_CHARACTERS = 8;

/** Renders the list for people, in lines of at most `width` columns. */
export function renderPatterns({ found, patterns, sinceMs, untilMs }: PatternList, look: Look): string {
  const { paint, width } = look;
  const days = `${day(sinceMs)} to ${day(untilMs)}`;
  if (found === 0) return `${wrap(`No failures from ${days}.`, width, { whole: true }).join('\n')}\n`;
  const failures = patterns.filter(({ kind }) => !ranking.isMeasure(kind));
  const measures = patterns.filter(({ kind }) => ranking.isMeasure(kind));
  const lines = [`${paint('bold', counted(found, 'pattern'))}, ${days}`, ''];
  for (const [index, pattern] of failures.entries()) {
    const before = failures[index - 1];
    if (!isSameFailure(pattern, before)) lines.push(...totalLines(pattern, look));
    lines.push(...linesOf(pattern, look, isSameFailure(pattern, before) ? before?.acting : undefined), '');
  }
  if (measures.length > 0) lines.push(paint('bold', 'Slower or more expensive than before'), '');
  for (const pattern of measures) lines.push(...linesOf(pattern, look), '');
  if (found > patterns.length) lines.push(`${whole(found - patterns.length)} more: --limit ${found} shows all`);
  return `${lines.join('\n').trimEnd()}\n`;
}

function isSameFailure(pattern: Pattern, before: Pattern | undefined): boolean {
  return before?.kind === pattern.kind && before.task === pattern.task && before.issue === pattern.issue;
}

/** Returns the heading of a failure that comes in several wordings. */
function totalLines({ task, issue, total: { count, of, wordings } }: ListedPattern, { width, paint }: Look): string[] {
  if (wordings === 1) return [];
  const figures = `: ${whole(count)} of ${whole(of)}, in ${wordings} wordings`;
  return [`${paint('bold', cut(`${plain(task)} · ${plain(issue)}`, width - figures.length))}${figures}`, ''];
}

/** Renders a pattern. Its remedy is shown unless the pattern before has the same one. */
function linesOf(pattern: ListedPattern, look: Look, before?: Acting): string[] {
  const { id, task, issue, trend, episodes, examples, template, places, fix, recurring, acting, total } = pattern;
  const { paint, next, width } = look;
  const short = id.slice(0, ID_CHARACTERS);
  const isOne = total.wordings === 1;
  const figures = `${occurrenceWords(pattern)}, ${trend}, ${counted(episodes, 'episode')}`;
  const title = isOne ? paint('bold', cut(`${plain(task)} · ${plain(issue)}`, width - ID_CHARACTERS - 2)) : figures;
  const step = next(fix ? `explain ${fix.id.replace(/^fix-/, '')}` : recurring ? 'cycle' : `patterns ${short} --json`);
  return [
    ...(isOne || before === acting ? [] : paragraph(plain(actingWords(acting, false)), look, 0)),
    `${paint('dim', short)}  ${title}`,
    ...(isOne ? paragraph(figures, look, INDENT) : []),
    ...paragraph(plain(examples[0] ?? template), look, INDENT, 'dim').slice(0, 2),
    ...(isOne ? paragraph(plain(actingWords(acting, true)), look, INDENT) : []),
    ...places.flatMap(placeWords).flatMap((text) => indented(text, look)),
    ...(fix ? paragraph(`${plain(fix.id)} is ${statusWords(fix.status)}`, look, INDENT) : []),
    ...indented(step, look),
  ];
}

/** Breaks a text between words only, so that paths and commands can be copied. */
function indented(text: string, { width }: Look): string[] {
  return wrap(text, width - INDENT, { whole: true }).map((line) => ' '.repeat(INDENT) + line);
}
