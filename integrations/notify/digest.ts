import type { HistoryItem } from 'rsi-loop';
import { isWaiting, type View } from './matters.js';
import { capped, type Message, nameOf, percent, whole } from './message.js';
import { linkTo, type WordingOptions } from './wording.js';

const DAY_MS = 86_400_000;
const MAX_WORST = 3;

/** Words one day of a loop in at most six lines. */
export function digestOf(view: View, history: readonly HistoryItem[], options: WordingOptions): Message {
  const { nowMs, health, patterns, fixes, describe } = view;
  const sinceMs = nowMs - DAY_MS;
  const before = history.findLast((item) => item.kind === 'health' && item.atMs <= sinceMs);
  const was = before?.kind === 'health' ? ` (a day ago ${before.point.score.toFixed(2)})` : '';
  const open = patterns.filter(({ recurring, trend }) => recurring && trend !== 'resolved');
  const fresh = open.filter(({ firstSeenMs, trend }) => firstSeenMs > sinceMs || trend === 'returned');
  const waiting = fixes.filter((fix) => isWaiting(fix, describe)).length;
  const verdicts = fixes.flatMap(({ verdict }) => (verdict && verdict.atMs > sinceMs ? [verdict] : []));
  const confirmed = verdicts.filter(({ kind }) => kind === 'confirmed').length;
  const worst = [...open].sort((one, other) => other.impact.score - one.impact.score).slice(0, MAX_WORST);
  return capped({
    kind: 'digest',
    atMs: nowMs,
    title: `Daily digest: health ${health.known ? health.score.toFixed(2) : 'unknown'}${health.known ? was : ''}`,
    lines: [
      open.length === 0
        ? 'No failure repeats.'
        : `${countOf(open.length, 'pattern')}, ${fresh.length} new or returned.`,
      ...worst.map(
        ({ task, issue, count, rate }) => `${nameOf(task, issue)}: ${whole(count)} (${percent(rate.value)})`,
      ),
      ...(verdicts.length > 0 ? [`${countOf(verdicts.length, 'verdict')}, ${confirmed} confirmed.`] : []),
      ...(waiting > 0 ? [`${countOf(waiting, 'proposal')} to decide: rsi review`] : []),
    ],
    ...linkTo(options, ''),
  });
}

function countOf(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
