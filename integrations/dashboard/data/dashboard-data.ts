import { type Clock, type CycleReport, LoopError, type RSILoop, SystemClock } from 'rsi-loop';
import type {
  DecisionRequest,
  FixRow,
  FixView,
  LedgerView,
  LoopProblem,
  ModelsView,
  OverviewView,
  PatternsView,
  PatternView,
  ReviewView,
  SessionsView,
  SessionView,
  SettingsView,
  StoreView,
  TrialsView,
  ViewName,
} from '../views.js';
import { fixView } from './fix.js';
import { fixRow } from './fix-row.js';
import { ledgerView } from './ledger.js';
import { modelsView } from './models.js';
import { overviewView } from './overview.js';
import { patternView } from './pattern.js';
import { patternsView } from './patterns.js';
import { RecentOutcomes } from './recent-outcomes.js';
import { reviewView } from './review.js';
import { sessionsView, sessionView } from './sessions.js';
import { settingsView } from './settings.js';
import type { DataSource, ViewParams } from './source.js';
import { type LoopStatus, statusView } from './status.js';
import { storeView } from './store.js';
import { trialsView } from './trials.js';

/** Answer of each view. */
export interface Views {
  readonly status: LoopStatus;
  readonly overview: OverviewView;
  readonly patterns: PatternsView;
  readonly pattern: PatternView;
  readonly sessions: SessionsView;
  readonly session: SessionView;
  readonly trials: TrialsView;
  readonly fix: FixView;
  readonly review: ReviewView;
  readonly models: ModelsView;
  readonly settings: SettingsView;
  readonly ledger: LedgerView;
  readonly store: StoreView;
}

type Build<View> = (source: DataSource, params: ViewParams) => View | undefined | Promise<View | undefined>;

const BUILD: { readonly [Name in keyof Views]: Build<Views[Name]> } = {
  status: statusView,
  overview: overviewView,
  patterns: patternsView,
  pattern: patternView,
  sessions: sessionsView,
  session: sessionView,
  trials: trialsView,
  fix: fixView,
  review: reviewView,
  models: modelsView,
  settings: settingsView,
  ledger: ledgerView,
  store: storeView,
};

/** Names of all views, as `view` takes them. */
export const VIEWS = Object.keys(BUILD) as readonly (keyof Views)[]; // the keys of the table above

export interface DashboardDataOptions {
  readonly loop: RSILoop;
  /** Name of the store for people: its folder, or `memory`. */
  readonly store: string;
  /** Folder of the store, if it has one; `store` then says what `rsi doctor` says. */
  readonly folder?: string;
  /** Default: the system clock. */
  readonly clock?: Clock;
  /** Whether the data is simulated. Default false. */
  readonly simulated?: boolean;
}

const MAX_PROBLEMS = 20;

/** Views that show the results of cycles, and those that show decisions too. */
const COUNTED: readonly ViewName[] = ['overview', 'patterns', 'sessions', 'trials', 'models'];
const DECIDED: readonly ViewName[] = [...COUNTED, 'review', 'settings', 'ledger'];

/** Data of the dashboard: the views of one loop, and the decisions of people. Reading changes nothing. */
export class DashboardData {
  readonly #options: DashboardDataOptions;
  readonly #clock: Clock;
  readonly #recent: RecentOutcomes;
  readonly #endListening: () => void;
  #problems: readonly LoopProblem[] = [];
  #report: CycleReport | undefined;
  #refreshing: Promise<readonly ViewName[]> | undefined;
  /** End of the ledger at the last refresh. */
  #entries = 0;
  #lastCycleMs: number | undefined;
  #isAgentRunning = true;

  constructor(options: DashboardDataOptions) {
    this.#options = options;
    this.#clock = options.clock ?? new SystemClock();
    this.#recent = new RecentOutcomes(options.loop);
    this.#endListening = options.loop.on('problem', ({ where, message }) => {
      const problem = { atMs: this.#clock.now(), where, message };
      this.#problems = [problem, ...this.#problems].slice(0, MAX_PROBLEMS);
    });
  }

  /**
   * Returns one view. `params` holds `id` for `pattern`, `session` and `fix`, and the query of the others.
   * Returns undefined if nothing has this id.
   * @throws LoopError `unknown-fix` for the id of a fix, `invalid-input` for a parameter, `store-failed`.
   */
  async view<Name extends keyof Views>(name: Name, params: ViewParams = {}): Promise<Views[Name] | undefined> {
    if (this.#report === undefined) await this.refresh();
    return BUILD[name](this.#source(), params);
  }

  /** Reads what the store received since the last call. Returns the views whose data may differ now. */
  refresh(): Promise<readonly ViewName[]> {
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  /**
   * Makes a decision of a person, and returns the fix as it is now.
   * @throws LoopError `invalid-input`, `unknown-fix`, `illegal-step` if the fix has changed meanwhile, `store-failed`.
   */
  async decide({ verb, fixId, by, reason }: DecisionRequest): Promise<{ readonly fix?: FixRow }> {
    const { loop } = this.#options;
    const answer = reason === undefined || reason === '' ? { by } : { by, reason };
    if (verb === 'freeze' || verb === 'unfreeze') {
      await loop[verb](answer);
      return {};
    }
    if (fixId === undefined) throw new LoopError('invalid-input', `${verb} needs the id of a fix`);
    if (verb !== 'reject') return { fix: fixRow(loop, await loop[verb](fixId, answer)) };
    if (!reason)
      throw new LoopError('invalid-input', 'give a reason: it is kept, and shown if the fix is proposed again');
    return { fix: fixRow(loop, await loop.reject(fixId, { by, reason })) };
  }

  /** Ends reading. The loop and its store stay open: who opened them closes them. */
  close(): void {
    this.#endListening();
    this.#recent.close();
  }

  async #refresh(): Promise<readonly ViewName[]> {
    const { loop } = this.#options;
    this.#report = await loop.refresh();
    const { length } = await loop.store.ledger.head();
    const from = this.#entries === 0 ? Math.max(0, length - LATEST) : this.#entries;
    let isDecided = this.#entries === 0;
    for await (const { entry } of loop.store.ledger.read(from, length)) {
      if (entry.kind === 'cycle') this.#lastCycleMs = entry.atMs;
      else isDecided = true;
    }
    const isNew = length !== this.#entries;
    this.#entries = length;
    const writers = await loop.store.coordination.writers();
    this.#isAgentRunning = writers.some(({ alive }) => alive);
    await this.#recent.follow();
    if (!isNew) return [];
    return isDecided ? DECIDED : COUNTED;
  }

  #source(): DataSource {
    const { loop, store, folder, simulated = false } = this.#options;
    const report = this.#report;
    if (!report) throw new LoopError('closed', 'the dashboard is closed');
    const rebuilding = loop.rebuilding();
    return {
      loop,
      report,
      recent: this.#recent,
      nowMs: this.#clock.now(),
      store,
      ...(folder !== undefined && { folder }),
      simulated,
      isAgentRunning: this.#isAgentRunning,
      ...(this.#lastCycleMs !== undefined && { lastCycleMs: this.#lastCycleMs }),
      ...(rebuilding && { rebuilding }),
      problems: this.#problems,
    };
  }
}

/** Entries at the end of the ledger that are searched for the last cycle. */
const LATEST = 200;
