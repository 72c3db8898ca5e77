import { wilsonRate } from '../lib/statistics.js';
import type { Pattern, RelatedPattern, Where } from '../records.js';
import type { Cell } from './cell.js';
import { isRegression } from './comparisons.js';
import { correlate } from './correlate.js';
import { COMPARED, type Group } from './group.js';
import { type ImpactRates, scoreImpact } from './impact.js';
import type { ProfileView } from './profiles.js';
import { isRecurring } from './recurrence.js';
import { findRootCause } from './root-cause.js';
import type { SessionCounts } from './session-counts.js';
import type { Timeline } from './timeline.js';
import { findTrend } from './trend.js';

/** Patterns that are localised per reading, the costliest of those that recur: the rest is not acted on first. */
const MAX_LOCATED = 64;
/** Patterns that are compared with those of other sources per reading, the costliest of those that recur. */
const MAX_CORRELATED = 32;

export interface ReadOptions {
  readonly timeline: Timeline;
  readonly threshold: number;
  readonly impactRates: ImpactRates;
}

/** What is counted over all tasks. */
export interface Surroundings {
  readonly sessions: SessionCounts;
  /** When the first outcome came; before that nothing can have happened. */
  readonly sinceMs: number;
}

/** A group and the task it happens in. */
export interface Member {
  readonly group: Group;
  readonly cell: Cell;
}

/** Describes every group with an occurrence in the window before `nowMs`, the costliest first. */
export function readPatterns(
  members: readonly Member[],
  nowMs: number,
  surroundings: Surroundings,
  options: ReadOptions,
): readonly Pattern[] {
  const drafts = members
    .map((member) => ({ member, pattern: describe(member, nowMs, options) }))
    .filter((draft): draft is Draft => draft.pattern !== undefined)
    .sort((a, b) => b.pattern.impact.score - a.pattern.impact.score || (a.pattern.id < b.pattern.id ? -1 : 1));
  const places = locate(drafts, nowMs);
  const related = relate(drafts, nowMs, surroundings, options);
  const issues = new Map(drafts.map(({ pattern }) => [pattern.id, pattern.issue]));
  return drafts.map(({ pattern, member }) => {
    const others = related.get(pattern.id) ?? [];
    const before = others.filter(({ lagMs }) => lagMs < 0).map(({ patternId }) => issues.get(patternId) ?? 'unknown');
    return {
      ...pattern,
      where: places.get(pattern.id) ?? 'global',
      related: others,
      rootCause: findRootCause({
        issue: pattern.issue,
        behaviour: member.group.behaviour.counts,
        precededBy: before,
      }),
    };
  });
}

interface Draft {
  readonly member: Member;
  readonly pattern: Pattern;
}

function describe({ group, cell }: Member, nowMs: number, options: ReadOptions): Pattern | undefined {
  const { first, last } = options.timeline.window(nowMs);
  const { count, episodes, ...lost } = group.window(first, last);
  const { kind, task, issue, wording } = group.key;
  const of = cell.couldShow(kind, wording === COMPARED, first, last);
  if (count === 0 || !isWorthTelling(group, count, of)) return undefined;
  const since = Math.max(first, cell.series.buckets[0] ?? first);
  return {
    id: group.id,
    kind,
    task,
    issue,
    template: group.template,
    count,
    episodes,
    rate: wilsonRate(count, of),
    ...findTrend(group.series, cell.series, { first: since, last }),
    recurring: isRecurring(count, options.threshold),
    impact: scoreImpact({ failures: kind === 'failure' ? count : 0, ...lost }, options.impactRates),
    severity: group.severity,
    where: 'global',
    related: [],
    rootCause: { cause: 'undetermined', confidence: 0, evidence: [] },
    sources: group.sources,
    firstSeenMs: group.firstSeenMs,
    lastSeenMs: group.lastSeenMs,
    examples: group.examples,
    evidence: group.evidence,
  };
}

/** One in ten is slow or costly by the definition of it; only more than that is a pattern. */
function isWorthTelling({ key: { kind, wording } }: Group, count: number, of: number): boolean {
  return wording !== COMPARED || kind === 'low-quality' || isRegression(count, of);
}

function locate(drafts: readonly Draft[], nowMs: number): ReadonlyMap<string, Where> {
  const views = new Map<Cell, ProfileView>();
  const places = new Map<string, Where>();
  for (const { member, pattern } of drafts) {
    if (!pattern.recurring) continue;
    if (places.size >= MAX_LOCATED) break;
    const view = views.get(member.cell) ?? member.cell.profiles.at(nowMs);
    views.set(member.cell, view);
    places.set(pattern.id, view.locate(member.group.rows));
  }
  return places;
}

function relate(
  drafts: readonly Draft[],
  nowMs: number,
  { sessions, sinceMs }: Surroundings,
  { timeline }: ReadOptions,
): ReadonlyMap<string, readonly RelatedPattern[]> {
  const startMs = Math.max(sinceMs, nowMs - timeline.windowMs);
  const series = drafts
    .filter(({ pattern }) => pattern.recurring)
    .slice(0, MAX_CORRELATED)
    .map(({ pattern: { id, issue, sources }, member: { group } }) => {
      const { times, sessions, sinceMs } = group.events;
      return { id, issue, sources, times, sessions, sinceMs: Math.max(startMs, sinceMs) };
    });
  const links = correlate(series, {
    nowMs,
    bucketOf: (atMs) => timeline.bucketOf(atMs),
    sessionsIn: (bucket) => sessions.in(bucket),
  });
  const related = new Map<string, RelatedPattern[]>();
  const add = (id: string, other: RelatedPattern) => related.set(id, [...(related.get(id) ?? []), other]);
  for (const { first, second, lagMs, ...figures } of links) {
    add(first, { patternId: second, lagMs, ...figures });
    add(second, { patternId: first, lagMs: lagMs === 0 ? 0 : -lagMs, ...figures });
  }
  return related;
}
