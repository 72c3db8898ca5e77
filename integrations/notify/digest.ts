import type { HistoryItem } from 'rsi-loop';
import { ranking } from 'rsi-loop/kit';
import { isForPerson, waitOf } from '../reports/wait.js';
import { counted, percent, score, whole } from '../reports/words/numbers.js';
import type { View } from './matters.js';
import { capped, type Message, nameOf } from './message.js';
import { linkTo, type WordingOptions } from './wording.js';

const DAY_MS = 86_400_000;
const MAX_WORST = 3;

/** Words one day of a loop in at most six lines. */
export function digestOf(view: View, history: readonly HistoryItem[], options: WordingOptions): Message {
  const { nowMs, health, patterns, fixes, describe } = view;
  const sinceMs = nowMs - DAY_MS;
  const before = history.findLast((item) => item.kind === 'health' && item.atMs <= sinceMs);
  const was = before?.kind === 'health' ? ` (a day ago ${score(before.point.score)})` : '';
  const open = patterns.filter(({ recurring, trend }) => recurring && trend !== 'resolved');
  const fresh = open.filter(({ firstSeenMs, trend }) => firstSeenMs > sinceMs || trend === 'returned');
  const waiting = fixes.filter((fix) => isForPerson(waitOf(fix, describe(fix).needsPerson))).length;
  const verdicts = fixes.flatMap(({ verdict }) => (verdict && verdict.atMs > sinceMs ? [verdict] : []));
  const confirmed = verdicts.filter(({ kind }) => kind === 'confirmed').length;
  const worst = ranking.rankPatterns(open).slice(0, MAX_WORST);
  return capped({
    kind: 'digest',
    atMs: nowMs,
    title: `Daily digest: health ${health.known ? score(health.score) : 'unknown'}${health.known ? was : ''}`,
    lines: [
      open.length === 0
        ? 'No failure repeats.'
        : `${counted(open.length, 'pattern')}, ${fresh.length} new or returned.`,
      ...worst.map(
        ({ task, issue, count, rate }) => `${nameOf(task, issue)}: ${whole(count)} (${percent(rate.value)})`,
      ),
      ...(verdicts.length > 0 ? [`${counted(verdicts.length, 'verdict')}, ${confirmed} confirmed.`] : []),
      ...(waiting > 0 ? [`${counted(waiting, 'proposal')} to decide: rsi review`] : []),
    ],
    ...linkTo(options, ''),
  });
}
