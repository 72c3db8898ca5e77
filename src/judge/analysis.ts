import type { FixId } from '../contract/ids.js';
import type { LedgerLog } from '../contract/ledger-log.js';
import type { RebuildProgress } from '../contract/loop-event.js';
import type { Outcome } from '../contract/outcome.js';
import type { TrialFigures } from '../contract/verdict.js';
import type { LedgerStep } from '../ledger/ledger.js';
import type { Analysis as LiveAnalysis } from '../live/live-state.js';
import type { LoopParts } from '../live/loop-parts.js';
import type { RSILoopOptions } from '../live/options.js';
import { Commits, EntryApplier } from './commits.js';
import {
  type Components,
  componentOptions,
  createComponents,
  type JudgedComponents,
  type JudgeOptions,
} from './components.js';
import type { CycleReports } from './cycle-reports.js';
import { restoreSnapshot, saveReplay } from './snapshot.js';

/** Live state, as far as the analysis reads it. */
interface Live {
  readonly components: LoopParts;
  readonly isClosed: boolean;
  readonly mustForget: boolean;
}

export interface AnalysisPorts {
  readonly live: Live;
  readonly options: RSILoopOptions;
  readonly reports: Pick<CycleReports, 'forgetPatterns'>;
  readonly onAnswer: JudgeOptions['onAnswer'];
  /** Applies pending records between cycles. */
  readonly absorbPending: () => void;
}

/**
 * Analysis of the records behind the ledger: patterns, trials, health and lessons. Applies ledger entries one after
 * another. During a background replay of a long history, new entries wait in order.
 */
export class Analysis implements LiveAnalysis {
  readonly #ports: AnalysisPorts;
  #judged: JudgedComponents;
  #components: Components;
  /** Live components that `#components` contains. */
  #live: LoopParts;
  #commits: Commits;

  constructor(ports: AnalysisPorts) {
    this.#ports = ports;
    this.#live = ports.live.components;
    this.#judged = createComponents(this.#live, ports);
    this.#components = { ...this.#live, ...this.#judged };
    this.#commits = this.#openCommits(0);
  }

  /** Components of the loop. They are replaced when the store is read again. */
  get components(): Components {
    const live = this.#ports.live.components;
    if (live !== this.#live) {
      this.#live = live;
      this.#components = { ...live, ...this.#judged };
    }
    return this.#components;
  }

  get isTorn(): boolean {
    return this.#commits.isTorn;
  }

  /** Progress of a background replay; undefined when all records are known. */
  get progress(): RebuildProgress | undefined {
    return this.#commits.replay.progress;
  }

  /** Rebuilds the components from a snapshot if there is one. A snapshot from before an erasure is not used. */
  async restore(): Promise<void> {
    const { live, options, reports } = this.#ports;
    this.#commits.replay.stop();
    reports.forgetPatterns();
    const found = await restoreSnapshot(live.components, componentOptions(options));
    const saved = found && !(await erasedSince(live.components.store.ledger, found.entries)) ? found : undefined;
    this.#live = live.components;
    this.#judged = createComponents(this.#live, { ...this.#ports, saved });
    this.#components = { ...this.#live, ...this.#judged };
    this.#commits = this.#openCommits(saved?.entries ?? 0);
  }

  /** Applies an entry to the components: immediately, or after those that wait. */
  async commit(step: LedgerStep): Promise<void> {
    await this.#commits.commit(step);
  }

  async begin(): Promise<void> {
    await this.#commits.replay.begin();
    // Replayed trials must not be reported again.
    this.#judged.verifier.takeIgnored();
  }

  /** Resolves when all stored records have been read. */
  caughtUp(): Promise<void> {
    return this.#commits.replay.finish();
  }

  /** Ends a background replay after the current entry. */
  stopReplay(): void {
    this.#commits.replay.stop();
  }

  /** Resolves when the save of a finished replay is complete. */
  savedReplay(): Promise<void> {
    return this.#commits.replay.saved();
  }

  stop(): void {
    const { questions, study, kinds } = this.#judged;
    this.#commits.replay.stop();
    questions.close();
    study?.close();
    for (const kind of kinds.all) kind.close?.();
  }

  record(outcome: Outcome, nowMs: number): void {
    this.#judged.health.record(outcome, nowMs);
  }

  absorbPending(): void {
    this.#ports.absorbPending();
  }

  slowestMs(task: string, nowMs: number): number {
    return this.#judged.analyzer.slowestMs(task, nowMs);
  }

  figures(fixId: FixId): TrialFigures | undefined {
    return this.progress ? undefined : this.#judged.verifier.figures(fixId);
  }

  #openCommits(entries: number): Commits {
    const { live } = this.#ports;
    const components = this.#components;
    const save = async (upTo?: number) => {
      if (live.mustForget || live.isClosed) return;
      if (upTo !== undefined) await saveReplay(components, upTo);
      else await components.ledger.settled(() => saveReplay(components, components.ledger.length));
    };
    return new Commits({ components, entries, save }, new EntryApplier(components));
  }
}

async function erasedSince(ledger: LedgerLog, entries: number): Promise<boolean> {
  for await (const { entry } of ledger.read(entries)) if (entry.kind === 'erased') return true;
  return false;
}
