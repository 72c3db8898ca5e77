import type { FixStatus, HealthScore, Issue, Outcome, Pattern, PolicyRow, Rate } from 'rsi-loop';
import type { KeptNote, Marker, RebuildProgress, RootCauseFinding } from 'rsi-loop/kit';
import type { BenchmarksView, BenchmarkView, ImprovementView } from './bench-views.js';
import type { DecisionRequest, FixRow, FixView, ReviewView, TrialRow, TrialsView } from './fix-views.js';
import type { RunsView, RunView } from './run-views.js';
import type { SessionRow, SessionsView, SessionView, TranscriptView } from './session-views.js';
import type { SkillsView, SkillView } from './skill-views.js';

/**
 * JSON that the server sends for each screen, and that the page draws. Both sides compile against this file. All texts
 * in it are recorded or come from people: the page shows them as text and never as markup, link or style.
 *
 * The server sends `index.html` for each path under its mount prefix that is neither a file of the page nor under
 * `api/`, because every screen has a path of its own. It replaces `BASE` in it by the same tag with the mount prefix, so
 * that the page finds its files and the `api/` from every path.
 */

/** Tag in `index.html` that names the mount prefix, which begins and ends with `/`. */
export const BASE = '<base href="/">';

/** Counts per bucket of time, in parallel: bucket `i` begins at `sinceMs + i * stepMs`. */
export interface TimeAxis {
  readonly sinceMs: number;
  readonly stepMs: number;
  readonly buckets: number;
}

/** Status of the loop and its store. The server adds the rest of `StatusView`, which differs per session. */
export interface LoopStatus {
  /** Time at the server, epoch milliseconds. */
  readonly nowMs: number;
  readonly version: string;
  /** Source of the records: a folder, or `memory`. */
  readonly store: string;
  /** Folder of the store for commands, if it has one. */
  readonly folder?: string;
  /** Place of new records. `memory`: they end with the process, because it has no store or cannot read it. */
  readonly durability: 'store' | 'memory';
  /** Set by the demo; every screen says so. */
  readonly simulated: boolean;
  /** Time of the last cycle of the loop. Undefined if there was none. */
  readonly lastCycleMs?: number;
  /** Transcripts to import, while the store holds no record. */
  readonly transcripts?: readonly FoundTranscripts[];
  /** Whether records wait that no cycle has counted and no process will count: the page can run one. */
  readonly hasUnread: boolean;
  /** Why the figures may be old or incomplete, and what to do. Undefined if they are current. */
  readonly stale?: string;
  readonly rebuilding?: RebuildProgress;
  readonly frozen?: { readonly by: string; readonly reason: string; readonly atMs: number };
  readonly paused?: { readonly by: string; readonly reason: string; readonly atMs: number };
  /** Window that the figures cover unless the reader chooses another time. */
  readonly window: { readonly sinceMs: number; readonly untilMs: number };
  /** Number of proposals and inconclusive fixes that wait for a person. */
  readonly waiting: number;
  /** Number of versions of the agent that wait for a person. */
  readonly versionsWaiting: number;
  /** Newest problems of the loop itself, newest first, at most 20. */
  readonly problems: readonly LoopProblem[];
}

/** Transcripts of a coding agent on the machine of the server. */
export interface FoundTranscripts {
  readonly agent: string;
  readonly path: string;
  readonly files: number;
}

/** `GET api/status`: what every screen shows round its content. Fetch it again when `changed` names `status`. */
export interface StatusView extends LoopStatus {
  /** Whether decisions can be made here; otherwise the reason, and `login` if a sign-in would allow them. */
  readonly decisions:
    | { readonly allowed: true }
    | { readonly allowed: false; readonly reason: string; readonly action?: 'login' };
  /** True if this browser is signed in, so that it can sign out. */
  readonly signedIn: boolean;
  /** Name suggested for decisions. */
  readonly user?: string;
  /** Token that each decision must carry in the header `x-rsi-csrf`. */
  readonly csrf: string;
}

export interface LoopProblem {
  readonly atMs: number;
  readonly where: string;
  readonly message: string;
}

/** `GET api/overview` */
export interface OverviewView {
  readonly health: HealthScore;
  /** Score a day ago, or when the oldest kept hour ended; undefined if unknown. */
  readonly before?: { readonly score: number; readonly atMs: number };
  /** Fixes confirmed since `before`. */
  readonly confirmedSince: number;
  readonly timeline: {
    readonly axis: TimeAxis;
    /** Tasks that ended in each bucket. */
    readonly tasks: readonly number[];
    /** Health score at the end of each bucket; null without outcomes. */
    readonly score: readonly (number | null)[];
    /** Failures of each class per bucket, the most frequent class first; at most 7, the last may be `other`. */
    readonly failures: readonly { readonly issue: Issue | 'other'; readonly counts: readonly number[] }[];
  };
  readonly markers: readonly Marker[];
  /** Failures with the most impact, one row per task and class, at most 8. Muted ones are left out. */
  readonly worst: readonly WorstRow[];
  /** Number of patterns of failures. */
  readonly patterns: number;
  /** Trials that run now. */
  readonly trials: readonly TrialRow[];
  /** Newest verdicts, at most 5. */
  readonly verdicts: readonly TrialRow[];
  /** Fixes that wait for a person, at most 5. */
  readonly waiting: readonly FixRow[];
}

/** Dimensions that failures are counted by. */
export type Facet = 'model' | 'tool' | 'agent' | 'version' | 'repository' | 'service';

/** Most frequent values of each facet, with their counts. */
export type FacetCounts = { readonly [Name in Facet]?: readonly (readonly [value: string, count: number])[] };

/** `GET api/patterns?range=`: all patterns of the period; the page filters and sorts them. */
export interface PatternsView {
  readonly patterns: readonly PatternRow[];
  /** Sessions of the period. */
  readonly sessions: number;
  /** All tasks of the period, by facet. */
  readonly all: FacetCounts;
  /** Axis of `trendLine` of each row. */
  readonly axis: TimeAxis;
}

/** Pattern as one row of a table. */
export interface PatternRow
  extends Pick<
    Pattern,
    | 'id'
    | 'kind'
    | 'task'
    | 'issue'
    | 'template'
    | 'count'
    | 'episodes'
    | 'rate'
    | 'trend'
    | 'recurring'
    | 'impact'
    | 'severity'
    | 'where'
    | 'sources'
    | 'firstSeenMs'
    | 'lastSeenMs'
  > {
  /** Occurrences in each of 28 buckets of the period. */
  readonly trendLine: readonly number[];
  /** Sessions that it occurred in. */
  readonly sessions: number;
  /** Its occurrences by facet. */
  readonly facets: FacetCounts;
  readonly isMuted: boolean;
  readonly assignee?: string;
  /** Status of the newest fix for it, if there is one. */
  readonly fix?: { readonly id: string; readonly status: FixStatus };
}

/** All wordings of a failure as one row. `id` is that of the costliest one. */
export interface WorstRow extends PatternRow {
  readonly wordings: number;
}

/** `GET api/patterns/:id?range=` */
export interface PatternView {
  readonly pattern: Pattern;
  readonly axis: TimeAxis;
  /** Occurrences, and tasks of the same name, per bucket (hours) of the window. */
  readonly occurrences: readonly number[];
  readonly tasks: readonly number[];
  readonly markers: readonly Marker[];
  /** Distinct messages with their own counts among the read occurrences, the most frequent first; at most 20. */
  readonly examples: readonly { readonly message: string; readonly count: number; readonly lastMs: number }[];
  readonly cause: RootCauseFinding;
  readonly isMuted: boolean;
  readonly assignee?: string;
  /** Notes of people, newest first. */
  readonly notes: readonly KeptNote[];
  readonly related: readonly {
    readonly id: string;
    readonly title: string;
    readonly lift: number;
    readonly q: number;
    readonly lagMs: number;
    readonly name?: string;
  }[];
  readonly fixes: readonly FixRow[];
  readonly sessions: readonly SessionRow[];
  /** Failures without a session, newest first; at most 20. */
  readonly outcomes: readonly Outcome[];
  /** Number of newest stored outcomes that `examples`, `sessions` and `outcomes` were searched in. */
  readonly searched: number;
}

/** `GET api/models` */
export interface ModelsView {
  readonly axis: TimeAxis;
  /** One row per task and model, and one with the task `*` per model. */
  readonly rows: readonly ModelRow[];
}

export interface ModelRow {
  readonly model: string;
  readonly task: string;
  /** Failed calls. */
  readonly rate: Rate;
  /** Median and 90th percentile duration of the read outcomes. */
  readonly p50Ms?: number;
  readonly p90Ms?: number;
  /** Means per call, of calls that state them. */
  readonly tokens?: number;
  readonly costUsd?: number;
  readonly calls: readonly number[];
  readonly failures: readonly number[];
}

/** `GET api/settings` */
export interface SettingsView {
  readonly settings: readonly (PolicyRow & { readonly setBy?: FixRow })[];
  readonly rules: readonly {
    readonly fix: FixRow;
    readonly text: string;
    readonly file: string;
    readonly path?: string;
    readonly helpful?: number;
    readonly harmful?: number;
  }[];
}

/** `GET api/ledger?before=&limit=&who=&kind=&range=` */
export interface LedgerView {
  /** Newest first. Cycles are left out unless asked for. */
  readonly entries: readonly LedgerRow[];
  /** Position to ask for next; undefined at the end. */
  readonly next?: number;
  readonly chain: { readonly state: 'intact' | 'broken' | 'unchecked'; readonly detail: string };
}

export interface LedgerRow {
  readonly position: number;
  readonly atMs: number;
  readonly by: string;
  readonly kind: string;
  /** One sentence that says what happened. */
  readonly sentence: string;
  readonly fixId?: string;
  readonly patternId?: string;
  readonly reason?: string;
  /** Words for its signature: `signed with key 3f2a...`, `unsigned`, or that it does not fit. Absent if no row is signed. */
  readonly signature?: string;
}

/** `GET api/store`: the report of `rsi doctor`. */
export interface StoreView {
  readonly facts: readonly { readonly name: string; readonly value: string }[];
  readonly findings: readonly {
    readonly level: 'ok' | 'attention';
    readonly message: string;
    readonly advice?: string;
  }[];
}

/** `GET api/worse`: what `rsi worse` found in the sessions that it keeps in the folder of the store, in its words. */
export interface WorseView {
  readonly answer: string;
  /** Signals that got worse, the newest first, each with what that rests on; then the failures of every signal. */
  readonly facts: readonly (readonly [name: string, value: string])[];
}

/** `POST api/login`. Answers 204 and sets the session cookie, or 401 with a problem. `POST api/logout` takes `{}`. */
export interface LoginRequest {
  readonly token: string;
}

/** Body of every answer with a status of 400 or more. */
export interface ProblemView {
  readonly status: number;
  /** Sentence with the failure and what to do. */
  readonly message: string;
  /** `login`: ask for the token. */
  readonly action?: 'login' | 'reload';
}

/**
 * Events of `GET api/events` (server-sent). `changed` names the views whose data may differ now; the page fetches those
 * that it shows. Each event is one `data` line of JSON with an id and without an event name. After a lost
 * connection the server sends what was missed.
 */
export type DashboardEvent =
  | { readonly kind: 'changed'; readonly views: readonly ViewName[] }
  | { readonly kind: 'happened'; readonly atMs: number; readonly sentence: string; readonly fixId?: string };

/**
 * Screens that an event can make out of date. `patterns` covers each pattern, `trials` and `review` each fix, `runs` each
 * run, and `benchmarks` each benchmark and improvement.
 */
export const VIEW_NAMES = [
  'status',
  'overview',
  'patterns',
  'sessions',
  'trials',
  'review',
  'models',
  'runs',
  'skills',
  'worse',
  'benchmarks',
  'settings',
  'ledger',
  'store',
] as const;

export type ViewName = (typeof VIEW_NAMES)[number];

/** Views by name, as the server asks for them. Those of one record get its `id` as a parameter. */
export interface Views {
  readonly status: LoopStatus;
  readonly overview: OverviewView;
  readonly patterns: PatternsView;
  readonly pattern: PatternView;
  readonly sessions: SessionsView;
  readonly session: SessionView;
  readonly transcript: TranscriptView;
  readonly trials: TrialsView;
  readonly fix: FixView;
  readonly review: ReviewView;
  readonly models: ModelsView;
  readonly runs: RunsView;
  readonly run: RunView;
  readonly skills: SkillsView;
  readonly skill: SkillView;
  readonly benchmarks: BenchmarksView;
  readonly benchmark: BenchmarkView;
  readonly improvement: ImprovementView;
  readonly settings: SettingsView;
  readonly ledger: LedgerView;
  readonly store: StoreView;
  readonly worse: WorseView;
}

/** Source of the views. The server has no other way to the records. */
export interface ViewSource {
  /** @throws LoopError `invalid-input` for a bad parameter; resolves undefined if no record has the id. */
  view<Name extends keyof Views>(
    name: Name,
    params: Readonly<Record<string, string>>,
  ): Promise<Views[Name] | undefined>;
  /** Calls `handler` for every event. Returns an unsubscribe function. */
  onEvent(handler: (event: DashboardEvent) => void): () => void;
  /** Makes one decision and returns the fix it was about, if it was about one. */
  decide(request: DecisionRequest): Promise<FixRow | undefined>;
  /** Name suggested for decisions. */
  readonly user?: string;
  close(): Promise<void>;
}
