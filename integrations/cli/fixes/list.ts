import { describeFix, type Explanation, type Fix, type FixStatus, type RSILoop, type TrialFigures } from 'rsi-loop';
import type { RuleFollowed } from 'rsi-loop/sources/agents';
import { followedOf } from '../../reports/followed.js';
import { counted, moment, whole } from '../../reports/words/numbers.js';
import { armsWords, forecastWords, resultWords } from '../../reports/words/sentences.js';
import type { Look, NextCommand } from '../terminal/look.js';
import { paragraph } from '../terminal/page.js';
import { columns, cut, plain, wrap } from '../terminal/terminal-text.js';
import { byStatus, type DescribedFix, paintStatus, STATUSES, waitWords } from './status-words.js';

/**
 * Fix in the list, with the state of its trial. `ended` holds the closing step if neither a trial nor a person rejected
 * the fix.
 */
export interface ListedFix extends DescribedFix {
  readonly figures: TrialFigures | null;
  /** Results since a fix was confirmed, with it and without; null for other fixes. */
  readonly afterwards: TrialFigures['afterwards'] | null;
  readonly ended: { readonly by: string; readonly atMs: number; readonly reason: string } | null;
  /** How often the tasks or sessions that got a rule followed it, if their calls show it. */
  readonly followed?: RuleFollowed;
}

/** Output of `rsi fixes --json`. Fields are added within a format, never changed or removed. */
export interface FixList {
  readonly format: 'rsi-fixes/1';
  /** Person or code that froze the loop, with the time and the reason; null while trials may run. */
  readonly frozen: { readonly by: string; readonly reason: string; readonly atMs: number } | null;
  readonly fixes: readonly ListedFix[];
}

export async function listFixes(
  loop: RSILoop,
  filter: { readonly status?: FixStatus; readonly task?: string },
): Promise<FixList> {
  const all = loop.fixes(filter);
  const follows = await followedOf(loop, all);
  const fixes = all.map((found): ListedFix => {
    const { status } = found;
    const followed = follows.get(found.id);
    const fix = { ...found, description: describeFix(loop, found), ...(followed && { followed }) };
    // `explain` costs time proportional to the number of patterns, so it is called only if the record is not enough.
    const { figures = null } = status === 'trial' || status === 'confirmed' ? loop.explain(fix.id) : {};
    const afterwards = (status === 'confirmed' && figures?.afterwards) || null;
    if (status === 'trial') return { ...fix, figures, afterwards, ended: null };
    return { ...fix, figures: null, afterwards, ended: isSilentEnd(fix) ? endOf(loop.explain(fix.id)) : null };
  });
  return { format: 'rsi-fixes/1', frozen: loop.frozen() ?? null, fixes: byStatus(fixes) };
}

/** Returns true if the fix is over although neither a trial nor a person rejected it. */
function isSilentEnd({ status, verdict }: Fix): boolean {
  if (status === 'rolled-back') return verdict?.kind !== 'failed';
  return status === 'superseded' || status === 'expired' || status === 'void';
}

function endOf({ history }: Explanation): ListedFix['ended'] {
  const last = history.at(-1);
  return last?.kind === 'fix-moved' ? { by: last.by, atMs: last.atMs, reason: last.reason } : null;
}

const INDENT = 4;
const GAP = '  ';

/** Renders the list for people, in lines of at most `width` columns. */
export function renderFixes({ frozen, fixes }: FixList, look: Look): string {
  const { width, paint, next } = look;
  const lines: string[] = [];
  if (frozen) {
    const text = `frozen by ${plain(frozen.by)} on ${moment(frozen.atMs)}: ${plain(frozen.reason)}; ${next('unfreeze')} ends it`;
    lines.push(...paragraph(text, look, 0, 'yellow'));
  }
  if (fixes.length === 0) return `${[...lines, `No fixes. ${next('cycle')} looks for some.`].join('\n')}\n`;
  const heading = wrap(`${counted(fixes.length, 'fix', 'fixes')}: ${summary(fixes)}`, width);
  lines.push(...heading.map((line) => paint('bold', line)), '');
  const idWidth = Math.max(...fixes.map(({ id }) => columns(plain(id))));
  const statusWidth = Math.max(...fixes.map(({ status }) => status.length));
  for (const fix of fixes) {
    const { id, status, task, issue } = fix;
    const left = [plain(id).padEnd(idWidth), paintStatus(status, status.padEnd(statusWidth), paint)];
    const room = width - idWidth - statusWidth - 2 * GAP.length;
    lines.push([...left, paint('bold', cut(`${plain(task)} · ${plain(issue)}`, room))].join(GAP));
    for (const [text, style] of details(fix, next)) lines.push(...paragraph(text, look, INDENT, style));
  }
  const more = wrap(`${next('explain <id>')} shows everything about one`, width, { whole: true });
  return `${[...lines, '', ...more.map((line) => paint('dim', line))].join('\n')}\n`;
}

function summary(fixes: readonly Fix[]): string {
  const counts = STATUSES.map((status) => ({ status, count: fixes.filter((fix) => fix.status === status).length }));
  const words = counts.filter(({ count }) => count > 0).map(({ status, count }) => `${whole(count)} ${status}`);
  return words.join(', ');
}

type Detail = readonly [text: string, style?: 'dim' | 'yellow'];

function details(fix: ListedFix, next: NextCommand): Detail[] {
  const { description, status, ended } = fix;
  const found: Detail[] = [[plain(description.title)]];
  if (status === 'proposed' || status === 'approved') found.push([plain(forecastWords(fix)), 'dim']);
  found.push(...resultDetails(fix));
  const waits = waitWords(fix, next);
  if (waits !== undefined) found.push([plain(waits), 'yellow']);
  if (ended) found.push([`${status} by ${plain(ended.by)} on ${moment(ended.atMs)}: ${plain(ended.reason)}`]);
  else found.push(...decisionDetails(fix));
  return found;
}

function resultDetails(fix: ListedFix): Detail[] {
  const { figures, afterwards } = fix;
  const found: Detail[] = [];
  const result = resultWords(fix, figures ?? undefined, fix.followed);
  if (result !== undefined) found.push([plain(result), 'dim']);
  if (afterwards) found.push([`since then: ${armsWords(afterwards)}`, 'dim']);
  return found;
}

function decisionDetails({ decision }: Fix): Detail[] {
  if (decision.kind === 'waiting') return [];
  // A reason given by code is the same for every fix.
  const reason = decision.by === 'auto' ? '' : `: ${plain(decision.reason ?? '')}`;
  return [[`${decision.kind} by ${plain(decision.by)} on ${moment(decision.atMs)}${reason}`, 'dim']];
}
