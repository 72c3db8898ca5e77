import type { HistoryItem, Issue } from 'rsi-loop';
import type { Marker } from 'rsi-loop/kit';
import { ranking, type Timelines } from 'rsi-loop/kit';
import { fixRows } from '../../reports/fix-row.js';
import { patternNotes } from '../../reports/pattern-notes.js';
import { endedTrials, runningTrials } from '../../reports/trial-row.js';
import { isForPerson } from '../../reports/wait.js';
import type { OverviewView } from '../views.js';
import { markersSince } from './markers.js';
import { patternRows } from './pattern-row.js';
import type { DataSource } from './source.js';

const DAY_MS = 86_400_000;
const WORST = 8;
const CLASSES = 7;
const NEWEST = 5;

export async function overviewView(source: DataSource): Promise<OverviewView> {
  const { loop, lines, nowMs } = source;
  const notes = await patternNotes(loop);
  const failures = source.patterns.filter(
    ({ kind, id }) => !ranking.isMeasure(kind) && notes.get(id)?.isMuted !== true,
  );
  const worst = ranking.groupPatterns(failures).slice(0, WORST);
  // Records may be months old.
  const endMs = lines.sinceMs + lines.stepMs * lines.buckets;
  const history = loop.healthHistory();
  const before = scoreBefore(history, Math.min(nowMs, endMs) - DAY_MS);
  const isConfirmedSince = ({ kind, atMs }: Marker) => kind === 'fix-confirmed' && atMs >= (before?.atMs ?? 0);
  const markers = markersSince(loop, lines.sinceMs);
  const { score, low, high, known } = source.health;
  return {
    health: { score, low, high, known },
    ...(before && { before }),
    confirmedSince: markers.filter(isConfirmedSince).length,
    timeline: {
      axis: { sinceMs: lines.sinceMs, stepMs: lines.stepMs, buckets: lines.buckets },
      tasks: lines.tasks(),
      score: scores(history, lines),
      failures: classes(lines),
    },
    markers,
    worst: await patternRows(
      source,
      worst.map(({ patterns }) => patterns),
    ),
    patterns: failures.length,
    trials: runningTrials(loop),
    verdicts: endedTrials(loop)
      .filter(({ verdict }) => verdict !== undefined)
      .slice(0, NEWEST),
    waiting: fixRows(loop)
      .filter(({ wait }) => isForPerson(wait))
      .slice(0, NEWEST),
  };
}

/** Returns the newest score before a time, or else the oldest one, without the hour that is still filling. */
function scoreBefore(history: readonly HistoryItem[], atMs: number): OverviewView['before'] {
  const points = history.flatMap((item) => (item.kind === 'health' ? [item.point] : [])).slice(0, -1);
  const point = points.findLast((one) => one.atMs <= atMs) ?? points[0];
  return point && { score: point.score, atMs: point.atMs };
}

function scores(history: readonly HistoryItem[], { sinceMs, stepMs, buckets }: Timelines): readonly (number | null)[] {
  const found = new Array<number | null>(buckets).fill(null);
  for (const item of history) {
    const at = Math.floor((item.atMs - sinceMs) / stepMs);
    if (item.kind === 'health' && at >= 0 && at < buckets) found[at] = item.point.score;
  }
  return found;
}

/** Returns the failures of the most frequent classes, and of all others together. */
function classes(lines: Timelines): OverviewView['timeline']['failures'] {
  const all: readonly { readonly issue: Issue | 'other'; readonly counts: readonly number[] }[] = lines.failures();
  if (all.length <= CLASSES) return all;
  const others = all.slice(CLASSES - 1);
  const counts =
    others[0]?.counts.map((_, at) => others.reduce((sum, other) => sum + (other.counts[at] ?? 0), 0)) ?? [];
  return [...all.slice(0, CLASSES - 1), { issue: 'other', counts }];
}
