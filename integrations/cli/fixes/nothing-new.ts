import type { Fix, Pattern } from 'rsi-loop';
import { counted, whole } from '../../reports/words/numbers.js';
import type { Look } from '../terminal/look.js';
import { plain } from '../terminal/terminal-text.js';

/** Number of patterns that are named with the reason why nothing is proposed for them. */
const NAMED = 3;

/** Result of a cycle without new proposals: `days` is the period it read. */
export interface CycleResult {
  readonly patterns: readonly Pattern[];
  readonly fixes: readonly Fix[];
  readonly days: string;
}

/** Describes why a cycle proposed nothing new: what failed, who must act on it, and what is open already. */
export function nothingNew({ patterns, fixes, days }: CycleResult, { next }: Look): string {
  const open = patterns.filter(({ recurring, trend }) => recurring && trend !== 'resolved');
  const known = new Set(fixes.map(({ patternId }) => patternId));
  const proposed = open.filter(({ id }) => known.has(id));
  const others = open.filter(({ id }) => !known.has(id));
  const waits = fixes.length > 0 ? ` ${next('review')} shows what waits.` : '';
  if (open.length === 0) return `Nothing new to propose: nothing failed three times or more from ${days}.${waits}`;
  const sentences = others.slice(0, NAMED).map(whyNothing);
  if (others.length > NAMED) sentences.push(`${counted(others.length - NAMED, 'other pattern')}: ${next('patterns')}.`);
  if (proposed.length > 0) {
    const noun =
      proposed.length === 1 ? '1 pattern has its proposal' : `${whole(proposed.length)} patterns have their proposals`;
    sentences.push(`${noun} already.`);
  }
  return `Nothing new to propose. ${sentences.join(' ')}${waits}`;
}

/** Describes one pattern without a proposal: `3 failures of deploy: free space on the disk ... (operator).` */
function whyNothing({ task, count, actor: { who, todo } }: Pattern): string {
  const what = `${counted(count, 'failure')} of ${plain(task)}`;
  if (who === 'undetermined') return `${what}: who must act is not clear. ${plain(todo)}`;
  if (who === 'loop') return `${what}: no setting of this loop reaches these calls. ${plain(todo)}`;
  if (who === 'agent') return `${what}: no rule follows from the messages. ${plain(todo)}`;
  return `${what}: nothing here can change that, the ${who} must act. ${plain(todo)}`;
}
