import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, type CycleReport, LoopError, type RSILoop, SystemClock } from 'rsi-loop';
import { followedParts, judgedParts, periods } from 'rsi-loop/kit';
import { fixRow } from '../../reports/fix-row.js';
import type { KeptRuns } from '../../reports/kept-runs.js';
import type { DecisionRequest, FixRow } from '../fix-views.js';
import type { DashboardEvent, FoundTranscripts, LoopProblem, ViewName, ViewSource, Views } from '../views.js';
import type { BenchSource } from './bench-source.js';
import { benchmarkView } from './benchmark.js';
import { benchmarksView, versionsWaiting } from './benchmarks.js';
import { ChosenPeriods } from './chosen-period.js';
import { decide } from './decide.js';
import { fixView } from './fix.js';
import { FollowedCounts } from './followed-counts.js';
import { onHappened } from './happened.js';
import { improvementView } from './improvement.js';
import { ledgerView } from './ledger.js';
import { modelsView } from './models-view.js';
import { overviewView } from './overview.js';
import { patternView } from './pattern.js';
import { patternsView } from './patterns.js';
import { RecentOutcomes } from './recent-outcomes.js';
import { reviewView } from './review-view.js';
import { runsView, runView } from './runs.js';
import { sessionView } from './session.js';
import { SessionNames } from './session-names.js';
import { sessionsView } from './sessions.js';
import { settingsView } from './settings.js';
import type { SkillSource } from './skill-source.js';
import { skillsView, skillView } from './skills.js';
import type { DataSource, ViewParams } from './source.js';
import { Spreads } from './spreads.js';
import { statusView } from './status-view.js';
import { checkLoop, StoreChecks } from './store-checks.js';
import { storeName } from './store-place.js';
import { storeView } from './store-view.js';
import { transcriptView } from './transcript.js';
import { trialsView } from './trials.js';
import { worseStamp, worseView } from './worse.js';

type Build<View> = (source: DataSource, params: ViewParams) => View | undefined | Promise<View | undefined>;

const BUILD: { readonly [Name in keyof Views]: Build<Views[Name]> } = {
  status: statusView,
  overview: overviewView,
  patterns: patternsView,
  pattern: patternView,
  sessions: sessionsView,
  session: sessionView,
  transcript: transcriptView,
  trials: trialsView,
  fix: fixView,
  review: reviewView,
  models: modelsView,
  runs: runsView,
  run: runView,
  skills: skillsView,
  skill: skillView,
  worse: worseView,
  benchmarks: benchmarksView,
  benchmark: benchmarkView,
  improvement: improvementView,
  settings: settingsView,
  ledger: ledgerView,
  store: storeView,
};

export interface DashboardDataOptions {
  readonly loop: RSILoop;
  /** Name of the store for people. Default: the one that the store has, such as its folder. */
  readonly store?: string;
  /** Folder of the store, if it has one; `store` then says what `rsi doctor` says. */
  readonly folder?: string;
  /** Benchmarks and improvements to show. */
  readonly bench?: BenchSource;
  /** Runs of orchestrated tasks to show. */
  readonly runs?: KeptRuns;
  /** Skills to show. */
  readonly skills?: SkillSource;
  /** Transcripts that can be imported if the store is empty. */
  readonly transcripts?: readonly FoundTranscripts[];
  /** Default: the system clock. */
  readonly clock?: Clock;
  /** Whether the data is simulated. Default false. */
  readonly simulated?: boolean;
  /** Name suggested for decisions. */
  readonly user?: string;
  /** Interval at which the store is read while there is a listener. Default 5 s. */
  readonly everyMs?: number;
}

const MAX_PROBLEMS = 20;
/** Minimum time between two looks at the end of the ledger for a view. */
const LOOK_EVERY_MS = 1_000;
/** Maximum age of figures while no cycle and no decision follows; a reading of 2,000 patterns takes a third of a second. */
const READ_EVERY_MS = 60_000;
/** Maximum time that a view waits for newer figures; `changed` announces later ones. */
const MAX_WAIT_MS = 250;

/** Views of entries of the ledger, which choose by period themselves: no outcome is read for them. */
const OF_LEDGER: ReadonlySet<keyof Views> = new Set(['trials', 'ledger']);

/** Views that show the results of cycles, and those that show decisions too. */
const COUNTED: readonly ViewName[] = ['status', 'overview', 'patterns', 'sessions', 'trials', 'models'];
const DECIDED: readonly ViewName[] = [...COUNTED, 'review', 'settings', 'ledger'];

/** Data of the dashboard: the views of one loop, and the decisions of people. Reading changes nothing. */
export class DashboardData implements ViewSource {
  readonly user?: string;
  readonly #options: DashboardDataOptions;
  readonly #clock: Clock;
  readonly #everyMs: number;
  readonly #recent: RecentOutcomes;
  readonly #chosen: ChosenPeriods;
  readonly #spreads = new Spreads();
  readonly #names: SessionNames;
  readonly #followed: FollowedCounts;
  readonly #checks: StoreChecks;
  readonly #listeners = new Set<(event: DashboardEvent) => void>();
  readonly #ends: readonly (() => void)[];
  #problems: readonly LoopProblem[] = [];
  #report: CycleReport | undefined;
  #refreshing: Promise<void> | undefined;
  #refreshedMs = Number.NEGATIVE_INFINITY;
  #lookedMs = Number.NEGATIVE_INFINITY;
  #readMs = Number.NEGATIVE_INFINITY;
  #cancelTimer: (() => void) | undefined;
  /** End of the ledger at the last refresh. */
  #entries = 0;
  #lastCycleMs: number | undefined;
  #benchSize: number | undefined;
  #versionsWaiting = 0;
  #runsVersion: string | undefined;
  #skillsStamp: string | undefined;
  #worseStamp: number | undefined;
  #isAgentRunning = true;
  /** Whether records wait that no cycle has counted. */
  #hasUnread = false;
  /** Whether a reading has found entries whose outcomes are not read yet. */
  #hasNewer = false;
  /** Number of views that are being built. */
  #building = 0;
  #isClosed = false;
  /** Whether the folder of the store was seen. */
  #seen: 'never' | 'there' | 'gone' = 'never';

  constructor(options: DashboardDataOptions) {
    const { loop, folder, clock = new SystemClock(), user, everyMs = 5_000 } = options;
    this.#options = options;
    this.#clock = clock;
    this.#everyMs = everyMs;
    this.#checks = new StoreChecks(() =>
      checkLoop(loop, { name: this.#name, ...(folder !== undefined && { folder }) }),
    );
    if (user !== undefined) this.user = user;
    this.#recent = new RecentOutcomes(loop, {
      onFilled: () => this.#emit({ kind: 'changed', views: ['sessions', 'patterns', 'models'] }),
      onProblem: (error) => this.#addProblem({ atMs: clock.now(), where: 'dashboard', message: String(error) }),
    });
    this.#chosen = new ChosenPeriods(loop);
    this.#names = new SessionNames(loop);
    this.#followed = new FollowedCounts(loop, clock);
    this.#ends = [
      loop.on('problem', ({ where, message }) => this.#addProblem({ atMs: clock.now(), where, message })),
      onHappened(
        loop,
        () => clock.now(),
        (happened) => this.#emit(happened),
      ),
    ];
  }

  /**
   * Returns one view. `params` holds the `id` of a pattern, session or fix, the `range` of time, and the query of the
   * others.
   * Returns undefined if nothing has this id.
   * @throws LoopError `unknown-fix` for the id of a fix, `invalid-input` for a parameter, `store-failed`.
   */
  async view<Name extends keyof Views>(name: Name, params: ViewParams = {}): Promise<Views[Name] | undefined> {
    this.#building++;
    try {
      await this.#follow();
      return await BUILD[name](OF_LEDGER.has(name) ? this.#source() : await this.#sourceOf(params), params);
    } finally {
      this.#building--;
      this.#readNewest();
    }
  }

  /** Calls `handler` for every event. While there is a handler, the store is read every few seconds. */
  onEvent(handler: (event: DashboardEvent) => void): () => void {
    this.#listeners.add(handler);
    this.#schedule();
    return () => {
      this.#listeners.delete(handler);
      if (this.#listeners.size === 0) this.#stop();
    };
  }

  /** Reads what the store received since the last call, and emits the views whose data may differ now. */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  /**
   * Makes a decision of a person. Returns the fix as it is now, if the decision is about one.
   * @throws LoopError `invalid-input`, `unknown-fix`, `illegal-step` if the fix or run has changed meanwhile,
   * `store-failed`.
   */
  async decide(request: DecisionRequest): Promise<FixRow | undefined> {
    const { loop } = this.#options;
    const fix = await decide(this.#options, request);
    await this.refresh();
    return fix && fixRow(loop, fix);
  }

  /** Ends reading. The loop and its store stay open. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stop();
    this.#listeners.clear();
    for (const end of this.#ends) end();
    this.#recent.close();
    await this.#refreshing?.catch(() => undefined);
  }

  /** Reads the store if it has new entries, or if the figures are old. A slow reading goes on in the background. */
  async #follow(): Promise<void> {
    if (this.#report === undefined) return this.refresh();
    const nowMs = this.#clock.monotonic();
    if (nowMs - this.#lookedMs < LOOK_EVERY_MS) return;
    this.#lookedMs = nowMs;
    const isOld = nowMs - this.#refreshedMs >= this.#everyMs;
    if (!isOld && !(await this.#hasNews())) return;
    await new Promise<void>((resolve) => {
      const cancel = this.#clock.after(MAX_WAIT_MS, resolve, { background: true });
      void this.#tryRefresh().then(resolve).finally(cancel);
    });
  }

  async #hasNews(): Promise<boolean> {
    const head = await this.#options.loop.store.ledger.head().catch(() => undefined);
    return head?.length !== this.#entries;
  }

  /** Refreshes; if that fails, the last figures stay, and the status says why. */
  async #tryRefresh(): Promise<void> {
    try {
      await this.refresh();
    } catch (error) {
      const message = LoopError.is(error) ? error.message : String(error);
      // A lasting problem is reported once.
      if (this.#problems[0]?.message === message) return;
      this.#addProblem({ atMs: this.#clock.now(), where: 'dashboard', message });
    }
  }

  #schedule(): void {
    if (this.#isClosed || this.#cancelTimer || this.#listeners.size === 0) return;
    const next = () => {
      this.#cancelTimer = undefined;
      void this.#tryRefresh().finally(() => this.#schedule());
    };
    this.#cancelTimer = this.#clock.after(this.#everyMs, next, { background: true });
  }

  #stop(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  #emit(event: DashboardEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  #addProblem(problem: LoopProblem): void {
    this.#problems = [problem, ...this.#problems].slice(0, MAX_PROBLEMS);
    this.#emit({ kind: 'changed', views: ['status'] });
  }

  async #refresh(): Promise<void> {
    const { loop } = this.#options;
    await this.#lookBeside();
    if (await this.#isGone()) return;
    if (await this.#needsReading()) {
      this.#report = await loop.refresh();
      this.#readMs = this.#clock.monotonic();
    }
    this.#refreshedMs = this.#clock.monotonic();
    const { length } = await loop.store.ledger.head();
    // The store was deleted and created again.
    if (length < this.#entries) {
      this.#entries = 0;
      this.#recent.reset();
    }
    const from = this.#entries === 0 ? Math.max(0, length - LATEST) : this.#entries;
    let isDecided = this.#entries === 0;
    for await (const { entry } of loop.store.ledger.read(from, length)) {
      if (entry.kind === 'cycle') this.#lastCycleMs = entry.atMs;
      else isDecided = true;
      if (entry.kind !== 'erased') continue;
      this.#recent.reset();
      this.#names.reset();
    }
    const isNew = length !== this.#entries;
    if (isNew) this.#chosen.reset();
    this.#entries = length;
    const writers = await loop.store.coordination.writers();
    this.#isAgentRunning = writers.some(({ alive }) => alive);
    this.#hasUnread = !this.#isAgentRunning && (await this.#isUnread());
    this.#hasNewer = true;
    this.#readNewest();
    if (isNew) this.#emit({ kind: 'changed', views: isDecided ? DECIDED : COUNTED });
  }

  /** Reads the newest outcomes in the background, once the views that do not wait for them are built. */
  #readNewest(): void {
    if (this.#building > 0 || !this.#hasNewer || this.#isClosed) return;
    this.#hasNewer = false;
    void this.#recent.follow();
  }

  async #isUnread(): Promise<boolean> {
    const { loop } = this.#options;
    const { ledger } = await followedParts(loop);
    for await (const _ of loop.store.journal.read(ledger.cursor)) return true;
    return false;
  }

  /** Looks for news of benchmarks, runs, skills and sessions that got worse, which are kept beside the store. */
  async #lookBeside(): Promise<void> {
    const { bench, runs, skills } = this.#options;
    const size = await bench?.size();
    if (bench && size !== this.#benchSize) {
      const waiting = await versionsWaiting(bench);
      this.#emit({
        kind: 'changed',
        views: ['benchmarks', ...(waiting === this.#versionsWaiting ? [] : (['status'] as const))],
      });
      this.#versionsWaiting = waiting;
    }
    this.#benchSize = size;
    const version = await runs?.version();
    if (version !== this.#runsVersion) this.#emit({ kind: 'changed', views: ['runs'] });
    this.#runsVersion = version;
    const stamp = await skills?.stamp();
    if (stamp !== this.#skillsStamp) this.#emit({ kind: 'changed', views: ['skills'] });
    this.#skillsStamp = stamp;
    const worse = worseStamp(this.#options.folder);
    if (worse !== this.#worseStamp) this.#emit({ kind: 'changed', views: ['worse'] });
    this.#worseStamp = worse;
  }

  /** Returns whether the figures can differ: every cycle and decision is an entry, and windows move with time. */
  async #needsReading(): Promise<boolean> {
    if (this.#report === undefined || this.#report.unfinished !== undefined) return true;
    return this.#clock.monotonic() - this.#readMs >= READ_EVERY_MS || (await this.#hasNews());
  }

  /** Returns whether the folder of the store was there, and is not any more. Its last figures stay. */
  async #isGone(): Promise<boolean> {
    const { folder } = this.#options;
    if (folder === undefined) return false;
    const isThere = await access(join(folder, 'store.json')).then(
      () => true,
      () => false,
    );
    const was = this.#seen;
    // A folder that no record has been written to yet is not there either.
    this.#seen = isThere ? 'there' : was === 'there' ? 'gone' : was;
    if (was !== this.#seen && was !== 'never') this.#emit({ kind: 'changed', views: ['status'] });
    return this.#seen === 'gone';
  }

  get #name(): string {
    return this.#options.store ?? storeName(this.#options.loop);
  }

  /** Returns what views are built from: the window of the loop, or the period that `range` states. */
  async #sourceOf({ range }: ViewParams): Promise<DataSource> {
    const source = this.#source();
    if (!range) return source;
    const { lines, recent, patterns, health, patternsOf } = await this.#chosen.of(range, source.nowMs);
    return { ...source, lines, recent, patterns, health, patternsOf };
  }

  #source(): DataSource {
    const { loop, folder, transcripts = [], bench, runs, skills, simulated = false } = this.#options;
    const report = this.#report;
    if (!report) throw new LoopError('closed', 'the dashboard is closed');
    const rebuilding = loop.rebuilding();
    const isEmpty = this.#recent.size === 0 && !this.#hasUnread;
    return {
      loop,
      patterns: report.patterns,
      health: report.health,
      ...(report.unfinished !== undefined && { unfinished: report.unfinished }),
      spreads: this.#spreads,
      names: this.#names,
      followed: this.#followed,
      recent: this.#recent,
      lines: periods.timelines(loop),
      patternsOf: (outcome) => judgedParts(loop).analyzer.patternsOf(outcome),
      nowMs: this.#clock.now(),
      store: this.#name,
      checks: this.#checks,
      ...(folder !== undefined && { folder }),
      ...(bench && { bench }),
      ...(runs && { runs }),
      ...(skills && { skills }),
      simulated,
      versionsWaiting: this.#versionsWaiting,
      isAgentRunning: this.#isAgentRunning,
      hasUnread: this.#hasUnread,
      ...(isEmpty && transcripts.length > 0 && { transcripts }),
      isGone: this.#seen === 'gone',
      ...(this.#lastCycleMs !== undefined && { lastCycleMs: this.#lastCycleMs }),
      ...(rebuilding && { rebuilding }),
      problems: this.#problems,
    };
  }
}

/** Entries at the end of the ledger that are searched for the last cycle. */
const LATEST = 200;
