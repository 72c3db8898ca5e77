import { classifyError } from '../classify/classify-error.js';
import { type MinedMessage, type MinerSnapshot, TemplateMiner } from '../classify/template-miner.js';
import type { Issue } from '../contract/issue.js';
import type { Json } from '../contract/json.js';
import type { Outcome } from '../contract/outcome.js';
import type { Pattern } from '../contract/pattern.js';
import type { TaskStatistics } from '../contract/task-statistics.js';
import { lazyList } from '../lib/json-pieces.js';
import { atOnce, type Steps } from '../lib/yield-to-event-loop.js';
import { DimensionCounts, SpareRows } from './dimension-counts.js';
import { type FailureGroup, type GroupKey, type Loss, OUTLIER, type Slot } from './failure-group.js';
import { EVICTED_SHARE, FailureGroups, type FailureGroupsSnapshot } from './failure-groups.js';
import { IMPACT_RATES, type ImpactRates } from './impact.js';
import { findOutliers, kindOfNamed } from './outliers.js';
import { type Member, PatternReader } from './read-patterns.js';
import { RECURRENCE_THRESHOLD, WINDOW_MS } from './recurrence.js';
import { SessionCounts, type SessionCountsSnapshot } from './session-counts.js';
import { TaskStats, type TaskStatsSnapshot } from './task-stats.js';
import { KEPT_BUCKETS, Timeline } from './timeline.js';

/** Issues of one outcome that are counted; what comes after is noise. */
const MAX_ISSUES = 4;
/** An issue that did not keep the task from succeeding, in failed tasks. */
const NAMED_HARM = 0.2;
const SNAPSHOT_VERSION = 7;

export interface AnalyzerOptions {
  /** Occurrences inside the window that make a pattern recurring. Default 3. */
  readonly recurrenceThreshold?: number;
  /** How far back counts reach. Default 7 days. */
  readonly windowMs?: number;
  /** Groups kept at once; the rarest wordings beyond are counted together, per task and issue. Default 4,000. */
  readonly maxGroups?: number;
  /** Tasks kept at once; those not seen for longest are forgotten beyond. Default 4,000. */
  readonly maxTasks?: number;
  /** What a failed task is worth in time and money. */
  readonly impactRates?: Partial<ImpactRates>;
}

/**
 * Finds what fails again and again. Counts each outcome once as it comes, at constant work and in bounded memory;
 * asking for patterns costs the number of patterns. The same outcomes in the same order give the same patterns.
 */
export class Analyzer {
  readonly #timeline: Timeline;
  readonly #reader: PatternReader;
  readonly #maxGroups: number;
  readonly #maxTasks: number;
  /** Issues stay apart by the key of a group; this keeps the wildcards of one from swallowing another's words. */
  readonly #miner = new TemplateMiner({ separate: (message) => classifyError(message).category });
  readonly #spareRows = new SpareRows();
  #cells = new Map<string, TaskStats>();
  #groups: FailureGroups;
  #sessions = new SessionCounts(KEPT_BUCKETS);
  #sinceMs = Number.POSITIVE_INFINITY;

  constructor(options: AnalyzerOptions = {}) {
    this.#timeline = new Timeline(options.windowMs ?? WINDOW_MS);
    this.#reader = new PatternReader({
      timeline: this.#timeline,
      threshold: options.recurrenceThreshold ?? RECURRENCE_THRESHOLD,
      impactRates: { ...IMPACT_RATES, ...options.impactRates },
    });
    this.#maxGroups = options.maxGroups ?? 4_000;
    this.#groups = new FailureGroups(this.#maxGroups);
    this.#maxTasks = options.maxTasks ?? 4_000;
  }

  /** Counts outcomes, of each task in the order (atMs, id). A cancelled task ended neither well nor badly and is not counted. */
  absorb(outcomes: readonly Outcome[]): void {
    for (const outcome of outcomes) this.#absorbOne(outcome);
  }

  /** Everything that went wrong in the window before `nowMs`, the costliest first. */
  patterns(nowMs: number): readonly Pattern[] {
    return atOnce(this.findPatterns(nowMs));
  }

  /** What is known of each task in the window before `nowMs`, by name. */
  tasks(nowMs: number): readonly TaskStatistics[] {
    return atOnce(this.describeTasks(nowMs));
  }

  /** Does what `patterns` does in steps: in a wide world, all at once would hold up the host for half a second. */
  findPatterns(nowMs: number): Steps<readonly Pattern[]> {
    return this.#reader.read(this.#members(), nowMs, { sessions: this.#sessions, sinceMs: this.#sinceMs });
  }

  /** Does what `tasks` does in steps. */
  *describeTasks(nowMs: number): Steps<readonly TaskStatistics[]> {
    const byTask = new Map<string, TaskStatistics>();
    // A task that also runs inside other tasks is described by its runs at the top; children stay out of them.
    for (const child of [true, false]) {
      for (const cell of this.#cells.values()) {
        if (cell.child !== child) continue;
        const statistics = cell.statistics(nowMs);
        if (statistics.outcomes > 0) byTask.set(cell.task, statistics);
        yield;
      }
    }
    return [...byTask.values()].sort((a, b) => (a.task < b.task ? -1 : 1));
  }

  /** What the slowest task of this name took in the window before `nowMs`, failed or not; 0 where nothing is known. */
  slowestMs(task: string, nowMs: number): number {
    const slowestOf = (child: boolean) => this.#cells.get(cellKey(task, child))?.slowestMs(nowMs) ?? 0;
    return Math.max(slowestOf(false), slowestOf(true));
  }

  /** The id of the pattern that a former pattern was found to be the same as; its own id otherwise. */
  resolve(patternId: string): string {
    return this.#groups.resolve(patternId);
  }

  /** Everything an analyzer knows, to go on from with `Analyzer.restore`. */
  snapshot(): Json {
    return {
      version: SNAPSHOT_VERSION,
      miner: this.#miner.snapshot() as unknown as Json, // its own type is plain JSON too, only without an index signature
      sessions: this.#sessions.snapshot(),
      sinceMs: Number.isFinite(this.#sinceMs) ? this.#sinceMs : null,
      cells: lazyList(this.#cells, ([, cell]) => cell.snapshot()),
      groups: this.#groups.snapshot(),
    };
  }

  /** An analyzer that goes on where `snapshot` was taken; `undefined` if another version took it. */
  static restore(snapshot: Json, options: AnalyzerOptions = {}): Analyzer | undefined {
    // The version says that this code wrote it, so its parts have the shape that code gives them.
    const kept = snapshot as unknown as AnalyzerSnapshot | null;
    if (kept?.version !== SNAPSHOT_VERSION) return undefined;
    const analyzer = new Analyzer(options);
    analyzer.#miner.restore(kept.miner);
    analyzer.#sessions = SessionCounts.restore(kept.sessions, KEPT_BUCKETS);
    analyzer.#sinceMs = kept.sinceMs ?? Number.POSITIVE_INFINITY;
    for (const each of kept.cells) {
      const cell = TaskStats.restore(each, analyzer.#timeline, analyzer.#spareRows);
      analyzer.#cells.set(cellKey(cell.task, cell.child), cell);
    }
    const rows = new Map([...analyzer.#cells].map(([key, { profiles }]) => [key, profiles.byNumber()]));
    analyzer.#groups = FailureGroups.restore(kept.groups, {
      maxGroups: analyzer.#maxGroups,
      rowsOf: ({ task, child }) => rows.get(cellKey(task, child)) ?? new Map(),
    });
    return analyzer;
  }

  #absorbOne(outcome: Outcome): void {
    if (!Number.isFinite(outcome.atMs) || outcome.issues.includes('cancelled')) return;
    const bucket = this.#timeline.bucketOf(outcome.atMs);
    const weight = outcome.weight ?? 1;
    if (outcome.atMs < this.#sinceMs) this.#sinceMs = outcome.atMs;
    if (outcome.session !== undefined) this.#sessions.add(outcome.session, bucket);
    const cell = this.#cellFor(outcome);
    cell.absorb(outcome, bucket, weight);
    cell.absorbCalls(outcome, bucket, weight);
    const place: Slot = { bucket, row: cell.profiles.absorb(outcome, bucket, weight) };
    if (outcome.success) this.#absorbSuccess(outcome, cell, place, weight);
    else this.#absorbFailure(outcome, place, weight);
  }

  /** A success is part of a pattern only where it was slow, costly or bad, or where its caller named an issue. */
  #absorbSuccess(outcome: Outcome, cell: TaskStats, place: Slot, weight: number): void {
    const { task } = outcome;
    const child = outcome.parent !== undefined;
    const usual = cell.compare(outcome, place.bucket, weight);
    for (const { kind, issue, ...loss } of findOutliers(outcome, usual)) {
      const key: GroupKey = { kind, task, child, issue, wording: OUTLIER };
      this.#groupFor(key, undefined).absorb(outcome, place, { weight, ...loss });
    }
    for (const issue of outcome.issues.slice(0, MAX_ISSUES)) {
      const key: GroupKey = { kind: kindOfNamed(issue), task, child, issue, wording: '' };
      this.#groupFor(key, undefined).absorb(outcome, place, { weight, harm: NAMED_HARM, lostMs: 0, lostUsd: 0 });
    }
  }

  #absorbFailure(outcome: Outcome, place: Slot, weight: number): void {
    const loss: Loss = { weight, harm: 1, lostMs: outcome.durationMs ?? 0, lostUsd: outcome.costUsd ?? 0 };
    namedIssues(outcome).forEach((issue, position) => {
      // The message tells about the first issue; what else the caller named is counted by its name.
      const wording = position === 0 && outcome.error ? this.#mine(outcome.error.message) : undefined;
      const key: GroupKey = {
        kind: 'failure',
        task: outcome.task,
        child: outcome.parent !== undefined,
        issue,
        wording: wording?.id ?? '',
      };
      this.#groupFor(key, wording?.template).absorb(outcome, place, loss);
    });
  }

  *#members(): Generator<Member> {
    for (const group of this.#groups) {
      const cell = this.#cells.get(cellKey(group.key.task, group.key.child));
      if (cell) yield { group, cell };
    }
  }

  #cellFor(outcome: Outcome): TaskStats {
    const child = outcome.parent !== undefined;
    const key = cellKey(outcome.task, child);
    let cell = this.#cells.get(key);
    if (!cell) {
      if (this.#cells.size >= this.#maxTasks) this.#forgetTasks();
      cell = new TaskStats({ task: outcome.task, child }, this.#timeline, new DimensionCounts(this.#spareRows));
      this.#cells.set(key, cell);
    }
    return cell;
  }

  #groupFor(key: GroupKey, template: string | undefined): FailureGroup {
    const group = this.#groups.at(key, () => template ?? sentence(key));
    if (template !== undefined) group.template = template;
    return group;
  }

  #mine(message: string): MinedMessage {
    const known = this.#miner.size;
    const mined = this.#miner.add(message);
    // Fewer than before: wordings became one, or were forgotten.
    if (this.#miner.size < known) this.#groups.joinWordings((wording) => this.#miner.resolve(wording));
    return mined;
  }

  #forgetTasks(): void {
    const cells = [...this.#cells].sort((a, b) => a[1].lastSeenMs - b[1].lastSeenMs || (a[0] < b[0] ? -1 : 1));
    for (const [key, cell] of cells.slice(0, Math.ceil(cells.length * EVICTED_SHARE))) {
      cell.profiles.leave();
      this.#cells.delete(key);
    }
    this.#groups.delete(({ key }) => !this.#cells.has(cellKey(key.task, key.child)));
  }
}

interface AnalyzerSnapshot {
  readonly version: number;
  readonly miner: MinerSnapshot;
  readonly sessions: SessionCountsSnapshot;
  readonly sinceMs: number | null;
  readonly cells: readonly TaskStatsSnapshot[];
  readonly groups: FailureGroupsSnapshot;
}

/** The issues an outcome is counted under: `unknown` only when nothing better is known. */
function namedIssues(outcome: Outcome): readonly Issue[] {
  const named = [...new Set(outcome.issues)].filter((issue) => issue !== 'unknown').slice(0, MAX_ISSUES);
  return named.length > 0 ? named : ['unknown'];
}

function cellKey(task: string, child: boolean): string {
  return (child ? 'child ' : 'top ') + task;
}

function sentence({ kind, task, issue, wording }: GroupKey): string {
  if (kind === 'failure') return `${task} failed: ${issue}`;
  if (wording !== OUTLIER) return `${task} succeeded with ${issue}`;
  switch (kind) {
    case 'slow':
      return `${task} took longer than nine in ten of its past`;
    case 'costly':
      return `${task} cost more than nine in ten of its past`;
    case 'low-quality':
      return `${task} succeeded with quality 1 or 2`;
    default:
      return kind satisfies never;
  }
}
