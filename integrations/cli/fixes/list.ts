import type { Explanation, Fix, FixStatus, RSILoop, TrialFigures } from 'rsi-loop';
import type { Look, NextCommand } from '../store/next-command.js';
import { wrap } from '../terminal/lines.js';
import { counted, moment, whole } from '../terminal/numbers.js';
import { columns, cut, plain } from '../terminal/text.js';
import { changeWords } from './change-words.js';
import { armsWords, evidence, placeboWords, reachWords } from './figures.js';
import { forecastWords } from './forecast.js';
import { paintStatus, STATUSES, waitsFor } from './status.js';

/**
 * Fix in the list, with the state of its trial. `ended` holds the closing step if neither a trial nor a person rejected
 * the fix.
 */
export interface ListedFix extends Fix {
  readonly figures: TrialFigures | null;
  /** Results since a fix was confirmed, with it and without; null for other fixes. */
  readonly afterwards: TrialFigures['afterwards'] | null;
  readonly ended: { readonly by: string; readonly atMs: number; readonly reason: string } | null;
}

/** Output of `rsi fixes --json`. Fields are added within a format, never changed or removed. */
export interface FixList {
  readonly format: 'rsi-fixes/1';
  /** Person or code that froze the loop, with the time and the reason; null while trials may run. */
  readonly frozen: { readonly by: string; readonly reason: string; readonly atMs: number } | null;
  readonly fixes: readonly ListedFix[];
}

export function listFixes(loop: RSILoop, filter: { readonly status?: FixStatus; readonly task?: string }): FixList {
  const fixes = loop.fixes(filter).map((fix): ListedFix => {
    const { status } = fix;
    // `explain` costs time proportional to the number of patterns, so it is called only if the record is not enough.
    const { figures = null } = status === 'trial' || status === 'confirmed' ? loop.explain(fix.id) : {};
    const afterwards = (status === 'confirmed' && figures?.afterwards) || null;
    if (status === 'trial') return { ...fix, figures, afterwards, ended: null };
    return { ...fix, figures: null, afterwards, ended: isSilentEnd(fix) ? endOf(loop.explain(fix.id)) : null };
  });
  const rank = ({ status }: Fix) => STATUSES.indexOf(status);
  return { format: 'rsi-fixes/1', frozen: loop.frozen() ?? null, fixes: fixes.sort((a, b) => rank(a) - rank(b)) };
}

/** Returns true if the fix is over although neither a trial nor a person rejected it. */
function isSilentEnd({ status, verdict }: Fix): boolean {
  return status === 'superseded' || status === 'expired' || (status === 'rolled-back' && verdict?.kind !== 'failed');
}

function endOf({ history }: Explanation): ListedFix['ended'] {
  const last = history.at(-1);
  return last?.kind === 'fix-moved' ? { by: last.by, atMs: last.atMs, reason: last.reason } : null;
}

const INDENT = '    ';
const GAP = '  ';

/** Renders the list for people, in lines of at most `width` columns. */
export function renderFixes({ frozen, fixes }: FixList, { width, paint, next }: Look): string {
  const lines: string[] = [];
  if (frozen) {
    const text = `frozen by ${plain(frozen.by)} on ${moment(frozen.atMs)}: ${plain(frozen.reason)}; ${next('unfreeze')} ends it`;
    lines.push(...wrap(text, width).map((line) => paint('yellow', line)));
  }
  if (fixes.length === 0) return `${[...lines, `No fixes. ${next('cycle')} looks for some.`].join('\n')}\n`;
  lines.push(paint('bold', counted(fixes.length, 'fix', 'fixes')) + summary(fixes), '');
  const idWidth = Math.max(...fixes.map(({ id }) => columns(plain(id))));
  const statusWidth = Math.max(...fixes.map(({ status }) => status.length));
  for (const fix of fixes) {
    const { id, status, task, issue } = fix;
    const left = [plain(id).padEnd(idWidth), paintStatus(status, status.padEnd(statusWidth), paint)];
    const room = width - idWidth - statusWidth - 2 * GAP.length;
    lines.push([...left, paint('bold', cut(`${plain(task)} · ${plain(issue)}`, room))].join(GAP));
    for (const { text, style } of details(fix, next)) {
      lines.push(...wrap(text, width - INDENT.length).map((line) => INDENT + (style ? paint(style, line) : line)));
    }
  }
  const more = wrap(`${next('explain <id>')} tells everything of one`, width, { whole: true });
  return `${[...lines, '', ...more.map((line) => paint('dim', line))].join('\n')}\n`;
}

function summary(fixes: readonly Fix[]): string {
  const counts = STATUSES.map((status) => ({ status, count: fixes.filter((fix) => fix.status === status).length }));
  const words = counts.filter(({ count }) => count > 0).map(({ status, count }) => `${whole(count)} ${status}`);
  return `: ${words.join(', ')}`;
}

interface Detail {
  readonly text: string;
  readonly style?: 'dim' | 'yellow';
}

function details(fix: ListedFix, next: NextCommand): Detail[] {
  const { change, figures, afterwards, verdict, status, decision, forecast, ended } = fix;
  const found: Detail[] = [{ text: changeWords(change) }];
  const waits = waitsFor(fix, next);
  if (status === 'proposed' || status === 'approved') {
    const words = forecastWords(fix);
    found.push({ text: forecast.kind === 'testable' ? `to show a halving: ${words}` : words, style: 'dim' });
  }
  if (figures) {
    const text = `${armsWords(figures)}; evidence ${evidence(figures.eHelp)} of ${evidence(figures.needed)} needed`;
    found.push({ text, style: 'dim' });
  } else if (verdict) {
    const why = verdict.kind === 'confirmed' ? 'proven' : `${verdict.kind} (${plain(verdict.why)})`;
    const shown = 'figures' in verdict ? armsWords(verdict.figures) : placeboWords(verdict.placebo);
    found.push({ text: `${why}: ${shown}`, style: 'dim' });
  }
  if (afterwards) {
    const { value } = afterwards.effect;
    const text = `since then: ${armsWords(afterwards)}; ratio ${value.toFixed(2)}, ${reachWords(afterwards.effect)}`;
    found.push({ text, style: 'dim' });
  }
  if (waits !== undefined) found.push({ text: plain(waits), style: 'yellow' });
  if (ended) found.push({ text: `${status} by ${plain(ended.by)} on ${moment(ended.atMs)}: ${plain(ended.reason)}` });
  else if (decision.kind !== 'waiting') {
    // A reason given by code is the same for every fix.
    const reason = decision.by === 'auto' ? '' : `: ${plain(decision.reason ?? '')}`;
    const text = `${decision.kind} by ${plain(decision.by)} on ${moment(decision.atMs)}${reason}`;
    found.push({ text, style: 'dim' });
  }
  return found;
}
