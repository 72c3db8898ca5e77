import type { Fix, FixStatus, Pattern, RSILoop } from 'rsi-loop';
import { statusWords } from '../fixes/status.js';
import type { Look } from '../terminal/look.js';
import { counted, percentOf, whole } from '../terminal/numbers.js';
import { paragraph } from '../terminal/page.js';
import { cut, plain, wrap } from '../terminal/text.js';
import { type Place, placesOf, placeWords } from './places.js';

/** Pattern with the failures to look at, and the newest fix for it. */
export type ListedPattern = Pattern & {
  readonly places: readonly Place[];
  readonly fix: { readonly id: string; readonly status: FixStatus } | null;
};

/** Output of `rsi patterns --json`. Fields are added within a format, never changed or removed. */
export interface PatternList {
  readonly format: 'rsi-patterns/1';
  /** Patterns in the window of the loop; `patterns` holds those with the most impact. */
  readonly found: number;
  readonly patterns: readonly ListedPattern[];
}

/** Lists the patterns with the most impact. `wanted` is the beginning of an id or the name of a task. */
export async function listPatterns(
  loop: RSILoop,
  { wanted, limit }: { readonly wanted?: string | undefined; readonly limit: number },
): Promise<PatternList> {
  const all = loop.patterns();
  const matching = wanted === undefined ? all : all.filter(({ id, task }) => id.startsWith(wanted) || task === wanted);
  const shown = matching.slice(0, limit);
  const places = await placesOf(loop, shown);
  const fixes = loop.fixes();
  const patterns = shown.map((pattern) => {
    const fix = newestFix(fixes, pattern.id);
    return { ...pattern, places: places.get(pattern.id) ?? [], fix: fix ? { id: fix.id, status: fix.status } : null };
  });
  return { format: 'rsi-patterns/1', found: matching.length, patterns };
}

function newestFix(fixes: readonly Fix[], patternId: string): Fix | undefined {
  const own = fixes.filter((fix) => fix.patternId === patternId);
  return own.sort((one, other) => other.changedMs - one.changedMs)[0];
}

const INDENT = 4;
/** Characters of an id that are shown and enough to type. */
const ID_CHARACTERS = 8;

/** Renders the list for people, in lines of at most `width` columns. */
export function renderPatterns({ found, patterns }: PatternList, look: Look): string {
  const { paint, next, width } = look;
  if (found === 0) {
    const text = `No failures in the window of the loop. ${next('cycle')} reads new records.`;
    return `${wrap(text, width, { whole: true }).join('\n')}\n`;
  }
  const lines = [paint('bold', counted(found, 'pattern')), ''];
  for (const pattern of patterns) lines.push(...linesOf(pattern, look), '');
  if (found > patterns.length) lines.push(`${whole(found - patterns.length)} more: --limit ${found} shows all`);
  return `${lines.join('\n').trimEnd()}\n`;
}

function linesOf(pattern: ListedPattern, look: Look): string[] {
  const { id, task, issue, count, rate, trend, episodes, examples, template, places, fix, recurring } = pattern;
  const { paint, next, width } = look;
  const short = id.slice(0, ID_CHARACTERS);
  const title = cut(`${plain(task)} · ${plain(issue)}`, width - ID_CHARACTERS - 2);
  const figures = `${whole(count)} of ${whole(rate.of)} tasks (${percentOf(rate.value)} %), ${trend}, ${counted(episodes, 'episode')}`;
  const step = next(fix ? `explain ${fix.id.replace(/^fix-/, '')}` : recurring ? 'cycle' : `patterns ${short} --json`);
  return [
    `${paint('dim', short)}  ${paint('bold', title)}`,
    ...paragraph(figures, look, INDENT),
    ...paragraph(plain(examples[0] ?? template), look, INDENT, 'dim').slice(0, 2),
    ...places.flatMap(placeWords).flatMap((text) => indented(text, look)),
    ...(fix ? paragraph(`${plain(fix.id)} is ${statusWords(fix.status)}`, look, INDENT) : []),
    ...indented(step, look),
  ];
}

/** Breaks a text between words only, so that paths and commands can be copied. */
function indented(text: string, { width }: Look): string[] {
  return wrap(text, width - INDENT, { whole: true }).map((line) => ' '.repeat(INDENT) + line);
}
