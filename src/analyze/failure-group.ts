import { KNOWN } from '../classify/certainty.js';
import { classifyFailure } from '../classify/classify-error.js';
import type { CourseCounts } from '../classify/find-actor.js';
import { COURSE, COURSE_FACTS, type CourseFact } from '../classify/remedies/row.js';
import type { OutcomeId } from '../contract/ids.js';
import type { Issue, Severity } from '../contract/issue.js';
import type { Json } from '../contract/json.js';
import type { Outcome, OutcomeError } from '../contract/outcome.js';
import type { PatternKind } from '../contract/pattern.js';
import { Behaviour, type BehaviourSnapshot } from './behaviour.js';
import { EpisodeCounter } from './episodes.js';
import { SEVERITY_WEIGHT, usualSeverity } from './impact.js';
import { KeptPart } from './kept-part.js';
import { LatestFailures, type LatestFailuresSnapshot } from './latest-failures.js';
import { generationOf, type Row } from './profile-row.js';
import { RecentEvents } from './recent-events.js';
import { RowCounts, type RowCountsSnapshot } from './row-counts.js';
import { Series } from './series.js';
import type { Column } from './series-rate.js';
import { KEPT_BUCKETS } from './timeline.js';

const MAX_EXAMPLES = 3;
const MAX_EXAMPLE_CHARS = 300;
const MAX_EVIDENCE = 10;
const MAX_SOURCES = 8;
const SEVERITIES: readonly Severity[] = ['low', 'medium', 'high', 'critical'];

/** Columns of a group's series. Trends are read from the first. */
const COUNT = 0;
const WEIGHTED = 1;
const LOST_MS = 2;
const LOST_USD = 3;
const EPISODES = 4;
const COLUMNS = 5;

/** Properties shared by all occurrences in a group. */
export interface GroupKey {
  readonly kind: PatternKind;
  readonly task: string;
  /** The task ran inside another one. Such runs are counted separately from top-level runs. */
  readonly child: boolean;
  readonly issue: Issue;
  /** Id of the message group; `''` without a message, `OUTLIER` for successes that stood out only by comparison. */
  readonly wording: string;
}

/** Wording of successes found slow, costly or bad by comparison with the past. */
export const OUTLIER = 'compared';

/** Loss caused by one occurrence. */
export interface Loss {
  readonly weight: number;
  /** In failed tasks: 1 for a failure, less if only quality, time or money was lost. */
  readonly harm: number;
  readonly lostMs: number;
  readonly lostUsd: number;
}

/** Place and time to which an occurrence is counted. */
export interface Slot {
  readonly bucket: number;
  /** Row in the task's profile table. */
  readonly row: Row;
}

export interface GroupWindow {
  readonly count: number;
  readonly weighted: number;
  readonly lostMs: number;
  readonly lostUsd: number;
  readonly episodes: number;
}

/** All data on the occurrences of one pattern, in bounded space. */
export class FailureGroup {
  readonly id: string;
  /** The wording changes if the miner merges two wordings; the id does not. */
  key: GroupKey;
  template: string;
  readonly series: Series;
  firstSeenMs = Number.POSITIVE_INFINITY;
  lastSeenMs = Number.NEGATIVE_INFINITY;
  rows = new RowCounts();
  readonly #events = new KeptPart(new RecentEvents(), RecentEvents.restore);
  behaviour = new Behaviour();
  #course: Record<string, number> = {};
  #courseKnown = 0;
  latest = new LatestFailures();
  #counted = 0;
  readonly #episodes = new KeptPart(new EpisodeCounter(), EpisodeCounter.restore);
  #examples: string[] = [];
  /** Whether the error of every example, read with its status, code and name, determined the issue with certainty. */
  #isClassKnown = true;
  #evidence: OutcomeId[] = [];
  #sources: string[] = [];
  /** Index into SEVERITIES of the worst severity reported by callers; -1 if none was reported. */
  #worst = -1;

  constructor(id: string, key: GroupKey, template: string, series: Series = new Series(COLUMNS, KEPT_BUCKETS)) {
    this.id = id;
    this.key = key;
    this.template = template;
    this.series = series;
  }

  absorb(outcome: Outcome, { bucket, row }: Slot, loss: Loss, isInner = false): void {
    const { atMs } = outcome;
    this.#counted++;
    this.rows.add(row, generationOf(bucket), loss.weight);
    this.#events.part.add(outcome);
    this.behaviour.add(outcome);
    if (outcome.tags !== undefined) this.#addCourse(outcome.tags);
    if (this.key.kind === 'failure') this.latest.add(outcome, isInner);
    const severity = outcome.severity ?? usualSeverity(this.key.issue);
    const at = this.series.rowOf(bucket);
    this.series.addAt(at, COUNT, loss.weight);
    this.series.addAt(at, WEIGHTED, loss.weight * loss.harm * SEVERITY_WEIGHT[severity]);
    if (loss.lostMs > 0) this.series.addAt(at, LOST_MS, loss.weight * loss.lostMs);
    if (loss.lostUsd > 0) this.series.addAt(at, LOST_USD, loss.weight * loss.lostUsd);
    if (this.#episodes.part.begins(atMs)) this.series.addAt(at, EPISODES, 1);
    if (atMs < this.firstSeenMs) this.firstSeenMs = atMs;
    if (atMs > this.lastSeenMs) this.lastSeenMs = atMs;
    if (outcome.severity) this.#worst = Math.max(this.#worst, SEVERITIES.indexOf(outcome.severity));
    this.#evidence.push(outcome.id);
    if (this.#evidence.length > MAX_EVIDENCE) this.#evidence.shift();
    if (outcome.error && this.#addExample(outcome.error.message)) this.#isClassKnown &&= this.#isKnownBy(outcome.error);
    if (this.#sources.length < MAX_SOURCES && !this.#sources.includes(outcome.source)) {
      this.#sources.push(outcome.source);
    }
  }

  /** Adds the counts of another group, whose wording was too rare to keep. */
  merge(other: FailureGroup): void {
    this.#counted++;
    this.series.addAll(other.series);
    this.rows.addAll(other.rows);
    this.#events.part.addAll(other.#events.part);
    this.behaviour.merge(other.behaviour);
    this.#courseKnown += other.#courseKnown;
    for (const [fact, count] of Object.entries(other.#course)) this.#course[fact] = (this.#course[fact] ?? 0) + count;
    this.latest.addAll(other.latest);
    this.firstSeenMs = Math.min(this.firstSeenMs, other.firstSeenMs);
    this.lastSeenMs = Math.max(this.lastSeenMs, other.lastSeenMs);
    this.#worst = Math.max(this.#worst, other.#worst);
    this.#evidence = [...other.#evidence, ...this.#evidence].slice(-MAX_EVIDENCE);
    for (const example of other.#examples) if (this.#addExample(example)) this.#isClassKnown &&= other.#isClassKnown;
    this.#sources = [...new Set([...this.#sources, ...other.#sources])].slice(0, MAX_SOURCES);
  }

  window(first: number, last: number): GroupWindow {
    return {
      count: this.series.sum(COUNT, first, last),
      weighted: this.series.sum(WEIGHTED, first, last),
      lostMs: this.series.sum(LOST_MS, first, last),
      lostUsd: this.series.sum(LOST_USD, first, last),
      episodes: this.series.sum(EPISODES, first, last),
    };
  }

  /** Latest occurrences. */
  get events(): Pick<RecentEvents, 'times' | 'sessions' | 'sinceMs'> {
    return this.#events.part;
  }

  get occurrences(): Column {
    return { series: this.series, column: COUNT };
  }

  /** Version counter: increases with every count. */
  get counted(): number {
    return this.#counted;
  }
  get severity(): Severity {
    return SEVERITIES[this.#worst] ?? usualSeverity(this.key.issue);
  }
  get examples(): readonly string[] {
    return [...this.#examples];
  }
  /**
   * Whether the error of every example determined the issue with certainty. A message alone may only hint at what a
   * status stated.
   */
  get isClassKnown(): boolean {
    return this.#isClassKnown && this.#examples.length > 0;
  }
  /** Facts about the steps before the failures, as far as their source saw the whole session. */
  get course(): CourseCounts {
    return { known: this.#courseKnown, facts: { ...this.#course } };
  }
  get evidence(): readonly OutcomeId[] {
    return [...this.#evidence];
  }
  get sources(): readonly string[] {
    return [...this.#sources].sort();
  }

  snapshot(): Json {
    const { kind, task, child, issue, wording } = this.key;
    return {
      id: this.id,
      key: { kind, task, child, issue, wording },
      template: this.template,
      series: this.series.snapshot(),
      rows: this.rows.snapshot(),
      events: this.#events.snapshot(),
      behaviour: this.behaviour.snapshot(),
      latest: this.latest.snapshot(),
      firstSeenMs: this.firstSeenMs,
      lastSeenMs: this.lastSeenMs,
      episodes: this.#episodes.snapshot(),
      examples: this.examples,
      isClassKnown: this.#isClassKnown,
      evidence: this.evidence,
      sources: [...this.#sources],
      worst: this.#worst,
      ...(this.#courseKnown > 0 && { course: { known: this.#courseKnown, facts: { ...this.#course } } }),
    };
  }

  /**
   * Restores a group from its snapshot.
   * @param kept Result of `snapshot` of the same version.
   * @param rowOf Returns the task's row with this number.
   */
  static restore(kept: FailureGroupSnapshot, rowOf: (number: number) => Row | undefined): FailureGroup {
    const group = new FailureGroup(
      kept.id,
      kept.key,
      kept.template,
      Series.restore(kept.series, COLUMNS, KEPT_BUCKETS),
    );
    group.rows = RowCounts.restore(kept.rows, rowOf);
    group.#events.restore(kept.events);
    group.behaviour = Behaviour.restore(kept.behaviour);
    if (kept.latest) group.latest = LatestFailures.restore(kept.latest);
    group.firstSeenMs = kept.firstSeenMs;
    group.lastSeenMs = kept.lastSeenMs;
    group.#episodes.restore(kept.episodes);
    group.#examples = [...kept.examples];
    group.#isClassKnown = kept.isClassKnown ?? false;
    group.#evidence = [...kept.evidence];
    group.#sources = [...kept.sources];
    group.#worst = kept.worst;
    group.#courseKnown = kept.course?.known ?? 0;
    group.#course = { ...kept.course?.facts };
    return group;
  }

  #addCourse(tags: readonly string[]): void {
    const facts = tags.filter((tag) => tag.startsWith(COURSE)).map((tag) => tag.slice(COURSE.length));
    const known = facts.filter((fact): fact is CourseFact => COURSE_FACTS.some((one) => one === fact));
    if (known.length > 0) this.#courseKnown++;
    for (const fact of known) this.#course[fact] = (this.#course[fact] ?? 0) + 1;
  }

  /** Returns whether the example is new. */
  #addExample(message: string): boolean {
    if (message === '' || this.#examples.length >= MAX_EXAMPLES) return false;
    const example = message.slice(0, MAX_EXAMPLE_CHARS);
    if (this.#examples.includes(example)) return false;
    this.#examples.push(example);
    return true;
  }

  #isKnownBy(error: OutcomeError): boolean {
    const { issue, confidence } = classifyFailure(error);
    return issue === this.key.issue && confidence >= KNOWN;
  }
}

export interface FailureGroupSnapshot {
  readonly id: string;
  readonly key: GroupKey;
  readonly template: string;
  readonly series: Json;
  readonly rows: RowCountsSnapshot;
  readonly events: Json;
  readonly behaviour: BehaviourSnapshot;
  /** Missing in older snapshots. */
  readonly latest?: LatestFailuresSnapshot;
  readonly firstSeenMs: number;
  readonly lastSeenMs: number;
  readonly episodes: Json;
  readonly examples: readonly string[];
  /** Missing in snapshots without this information: then only the messages decide. */
  readonly isClassKnown?: boolean;
  readonly evidence: readonly OutcomeId[];
  readonly sources: readonly string[];
  readonly worst: number;
  /** Missing in snapshots without known steps. */
  readonly course?: CourseCounts;
}
