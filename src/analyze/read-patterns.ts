import { classifyFailure } from '../classify/classify-error.js';
import { findActor } from '../classify/find-actor.js';
import type { ActorFinding } from '../contract/actor.js';
import type { Issue } from '../contract/issue.js';
import type { Pattern, PatternKind, RelatedPattern, RootCauseFinding, Where } from '../contract/pattern.js';
import { once } from '../lib/once.js';
import { isMeasure, rankPatterns } from '../lib/rank-patterns.js';
import type { Steps } from '../lib/yield-to-event-loop.js';
import { correlate } from './correlate.js';
import { type FailureGroup, OUTLIER } from './failure-group.js';
import { type ImpactRates, scoreImpact } from './impact.js';
import { isRegression } from './outliers.js';
import type { Generations, ProfileView } from './profile-view.js';
import { isRecurring } from './recurrence.js';
import { findRootCause } from './root-cause.js';
import { seriesRate } from './series-rate.js';
import type { SessionCounts } from './session-counts.js';
import type { TaskStats } from './task-stats.js';
import type { Timeline } from './timeline.js';
import { findTrend } from './trend.js';

/** Limit on patterns localised per reading: the recurring ones with the highest impact, which are acted on first. */
const MAX_LOCATED = 64;
/** Limit on patterns correlated with other sources per reading: the recurring ones with the highest impact. */
const MAX_CORRELATED = 32;

export interface ReadOptions {
  readonly timeline: Timeline;
  readonly threshold: number;
  readonly impactRates: ImpactRates;
}

/** Totals over all tasks. */
export interface Surroundings {
  readonly sessions: SessionCounts;
  /** Time of the first outcome. Nothing can have happened before. */
  readonly sinceMs: number;
}

/** Group with its task. */
export interface Member {
  readonly group: FailureGroup;
  readonly cell: TaskStats;
}

/** Pattern without the parts that depend on other patterns, or that are read from its texts. */
type Facts = Omit<Pattern, 'where' | 'related' | 'rootCause' | 'actor'>;

/** Cached reading of a group. Valid until its task counts something new or the window moves by a bucket. */
interface Reading {
  readonly member: Member;
  /** Version counters of the group and of its task at the time of reading. */
  readonly counted: number;
  readonly countedInTask: number;
  readonly last: number;
  /** Undefined if there is nothing to report. */
  readonly pattern: Facts | undefined;
  place?: { readonly view: ProfileView; readonly where: Where };
  /** Complete pattern without related ones. */
  whole?: Pattern;
}

/** Cached profile view of a task, with its version. */
interface KeptView extends Generations {
  readonly view: ProfileView;
  readonly counted: number;
}

type Draft = Reading & { readonly pattern: Facts };

/** Builds patterns from the counts. Caches every group that has not changed. */
export class PatternReader {
  readonly #options: ReadOptions;
  readonly #readings = new WeakMap<FailureGroup, Reading>();
  /** Only the views of the last reading are kept, because they are large. */
  #views: ReadonlyMap<TaskStats, KeptView> = new Map();

  constructor(options: ReadOptions) {
    this.#options = options;
  }

  /** Describes in steps every group with an occurrence in the window before `nowMs`, in the order of `rankPatterns`. */
  *read(members: Iterable<Member>, nowMs: number, surroundings: Surroundings): Steps<readonly Pattern[]> {
    const window = this.#options.timeline.window(nowMs);
    const found = new Map<string, Draft>();
    for (const member of members) {
      const reading = this.#readingOf(member, window);
      if (isDraft(reading)) found.set(reading.pattern.id, reading);
      yield;
    }
    const ranked = rankPatterns([...found.values()].map(({ pattern }) => pattern));
    const drafts = ranked.flatMap(({ id }) => found.get(id) ?? []);
    const places = yield* this.#locate(drafts, nowMs);
    const related = yield* relate(drafts, nowMs, surroundings, this.#options);
    const issues = new Map(drafts.map(({ pattern }) => [pattern.id, pattern.issue]));
    const patterns: Pattern[] = [];
    for (const draft of drafts) {
      const where = places.get(draft.pattern.id) ?? 'global';
      const others = related.get(draft.pattern.id) ?? [];
      const whole =
        others.length === 0 && draft.whole?.where === where ? draft.whole : complete(draft, where, others, issues);
      if (others.length === 0) draft.whole = whole;
      patterns.push(whole);
      yield;
    }
    return patterns;
  }

  #readingOf(member: Member, window: Window): Reading {
    const { group, cell } = member;
    const known = this.#readings.get(group);
    const holds =
      known?.member.cell === cell &&
      known.counted === group.counted &&
      known.countedInTask === cell.counted &&
      known.last === window.last;
    if (holds) return known;
    const reading: Reading = {
      member,
      counted: group.counted,
      countedInTask: cell.counted,
      last: window.last,
      pattern: describe(member, window, this.#options),
    };
    this.#readings.set(group, reading);
    return reading;
  }

  *#locate(drafts: readonly Draft[], nowMs: number): Steps<ReadonlyMap<string, Where>> {
    const places = new Map<string, Where>();
    const views = new Map<TaskStats, KeptView>();
    for (const draft of drafts) {
      const { pattern, member } = draft;
      if (!pattern.recurring) continue;
      if (places.size >= MAX_LOCATED) break;
      const kept = views.get(member.cell) ?? this.#viewOf(member.cell, nowMs);
      views.set(member.cell, kept);
      yield;
      const { view } = kept;
      const rescued = pattern.kind === 'failure' ? member.cell.rescued(pattern.issue) : undefined;
      const failures = rescued ? [member.group, rescued] : [member.group];
      const place = draft.place?.view === view ? draft.place : { view, where: view.locate(failures) };
      draft.place = place;
      places.set(pattern.id, place.where);
      yield;
    }
    this.#views = views;
    return places;
  }

  #viewOf(cell: TaskStats, nowMs: number): KeptView {
    const { counted, profiles } = cell;
    const { first, last } = profiles.window(this.#options.timeline.bucketOf(nowMs));
    const known = this.#views.get(cell);
    if (known?.counted === counted && known.first === first && known.last === last) return known;
    return { view: profiles.at({ first, last }), counted, first, last };
  }
}

type Window = ReturnType<Timeline['window']>;

function isDraft(reading: Reading): reading is Draft {
  return reading.pattern !== undefined;
}

/**
 * Adds the rest of a pattern. Its cause and its actor are found by hundreds of expressions over its texts, and few
 * patterns of many are ever looked at: each is found when it is first read, in the texts of now.
 */
function complete(
  { pattern, member: { group } }: Draft,
  where: Where,
  related: readonly RelatedPattern[],
  issues: ReadonlyMap<string, Issue>,
): Pattern {
  const cause = once(causeOf(group, related, issues));
  const actor = once(actorOf(group));
  return {
    ...pattern,
    where,
    related,
    get rootCause() {
      return cause();
    },
    get actor() {
      return actor();
    },
  };
}

function causeOf(
  group: FailureGroup,
  related: readonly RelatedPattern[],
  issues: ReadonlyMap<string, Issue>,
): () => RootCauseFinding {
  const { kind, issue } = group.key;
  // A call may be slow or costly for any reason, however often that comes again.
  if (isMeasure(kind)) return () => ({ cause: 'undetermined', confidence: 0, evidence: [] });
  const before = related.filter(({ lagMs }) => lagMs < 0).map(({ patternId }) => issues.get(patternId) ?? 'unknown');
  const { isClassKnown, examples, behaviour } = group;
  const { counts, differences } = behaviour;
  return () =>
    findRootCause({
      issue,
      issueConfidence: isClassKnown ? 1 : confidenceOf(issue, examples),
      behaviour: counts,
      precededBy: before,
      // The actual results if known, else the messages.
      texts: differences.length > 0 ? differences.map(({ actual }) => actual) : examples,
    });
}

/**
 * Returns the confidence of an issue, 0 to 1: that of the classification of the messages if it agrees, else 1, because
 * the caller named the issue.
 */
function confidenceOf(issue: Issue, messages: readonly string[]): number {
  const agreeing = messages.map((message) => classifyFailure(message)).filter((found) => found.issue === issue);
  return agreeing.length === 0 ? 1 : Math.max(...agreeing.map(({ confidence }) => confidence));
}

function describe({ group, cell }: Member, { first, last }: Window, options: ReadOptions): Facts | undefined {
  const { count, episodes, ...lost } = group.window(first, last);
  const { kind, task, issue, wording } = group.key;
  const of = cell.couldShow(kind, wording === OUTLIER, first, last);
  if (count === 0 || !isWorthTelling({ group, cell }, { first, last, count, of })) return undefined;
  const since = Math.max(first, cell.series.buckets[0] ?? first);
  return {
    id: group.id,
    kind,
    task,
    issue,
    template: group.template,
    count,
    // An episode may have begun before the window.
    episodes: Math.max(episodes, 1),
    rate: seriesRate(group.occurrences, cell.chances(kind, wording === OUTLIER), {
      first: since,
      last,
      timeline: options.timeline,
    }),
    ...findTrend(group.series, cell.series, { first: since, last }),
    recurring: isRecurring(count, options.threshold),
    impact: scoreImpact({ failures: kind === 'failure' ? count : 0, ...lost }, options.impactRates),
    severity: group.severity,
    sources: group.sources,
    firstSeenMs: group.firstSeenMs,
    lastSeenMs: group.lastSeenMs,
    examples: group.examples,
    ...(kind === 'failure' && group.isClassKnown && { isClassKnown: true }),
    ...latestFacts(group),
    ...(group.behaviour.differences.length > 0 && { differences: group.behaviour.differences }),
    evidence: group.evidence,
  };
}

function actorOf({ key, examples, sources, course }: FailureGroup): () => ActorFinding {
  const { kind, task, issue } = key;
  if (kind !== 'failure') return () => notAFailure(kind);
  return () => findActor({ task, issue, texts: examples, sources, course });
}

/** Returns the finding for tasks that succeeded slowly, expensively or badly: settings and routes decide on those. */
function notAFailure(kind: PatternKind): ActorFinding {
  const todo = kind === 'low-quality' ? 'Compare models, settings or prompts.' : 'Set a limit, or use another model.';
  return { who: 'loop', remedy: `class/${kind}`, todo, evidence: { matched: 0, of: 0, said: [] } };
}

function latestFacts({ latest }: FailureGroup): Pick<Pattern, 'retryAfterMs' | 'inner' | 'fullAt'> {
  const { statedWaitMs, innerShare, fullAt } = latest;
  return {
    ...(statedWaitMs !== undefined && { retryAfterMs: statedWaitMs }),
    ...(innerShare > 0 && { inner: innerShare }),
    ...(fullAt !== undefined && { fullAt }),
  };
}

/**
 * Returns whether to report the group. One in ten successes is slow or costly by definition; only more is a pattern.
 */
function isWorthTelling(
  { group, cell }: Pick<Member, 'group' | 'cell'>,
  {
    first,
    last,
    count,
    of,
  }: { readonly first: number; readonly last: number; readonly count: number; readonly of: number },
): boolean {
  const { kind, wording } = group.key;
  if (wording !== OUTLIER || kind === 'low-quality') return true;
  if (!isRegression(count, of)) return false;
  const middle = Math.floor((first + last) / 2);
  const halves = [
    [first, middle],
    [middle + 1, last],
  ] as const;
  // A measure that calls most cases unusual for so long has lost its baseline. A change within the window has not.
  return !halves.every(([from, to]) => group.window(from, to).count > cell.couldShow(kind, true, from, to) / 2);
}

function* relate(
  drafts: readonly Draft[],
  nowMs: number,
  { sessions, sinceMs }: Surroundings,
  { timeline }: ReadOptions,
): Steps<ReadonlyMap<string, readonly RelatedPattern[]>> {
  const startMs = Math.max(sinceMs, nowMs - timeline.windowMs);
  const series = drafts
    .filter(({ pattern }) => pattern.recurring)
    .slice(0, MAX_CORRELATED)
    .map(({ pattern: { id, issue, sources }, member: { group } }) => {
      const { times, sessions, sinceMs } = group.events;
      return { id, issue, sources, times, sessions, sinceMs: Math.max(startMs, sinceMs) };
    });
  const links = yield* correlate(series, {
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
