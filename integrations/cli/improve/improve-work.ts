import { join } from 'node:path';
import { LoopError } from 'rsi-loop';
import { describeComparison, FileRuns, type Suite } from 'rsi-loop/bench';
import {
  FileLog,
  type ImprovementStep,
  type ImproveProgress,
  improvementId,
  improvementOf,
  isWithinBounds,
  iterate,
  readiness,
  waitingVersion,
} from 'rsi-loop/improve';
import { approve } from '../../reports/approve-version.js';
import { type KeptImprovement, readImprovements } from '../../reports/kept-improvements.js';
import { counted, whole } from '../../reports/words/numbers.js';
import { makeBenchFolder } from '../bench/make-folder.js';
import { EXIT, type ExitCode } from '../exit.js';
import { withLock } from '../services/lock.js';
import { bar } from '../terminal/bar.js';
import { onInterrupt } from '../terminal/interrupt.js';
import { lookAt } from '../terminal/look.js';
import { notice, print } from '../terminal/output.js';
import { Progress } from '../terminal/progress.js';
import type { ImproveConfig } from './improve-config.js';
import { conditionOf, resultReport } from './render-improve.js';

export interface ImproveSettings {
  /** Folder of runs and steps. */
  readonly runs: string;
  readonly seed?: number;
  readonly maxUsd?: number;
  readonly maxRuns?: number;
  readonly concurrency?: number;
  readonly unattended?: true;
  readonly approvePolicy?: true;
  /** File for approved versions. */
  readonly write: string;
  readonly json?: true;
}

/** Most rounds that a person is expected to attend. */
const MOST_ATTENDED = 20;
/** Name of the rule that approves settings within bounds. */
const RULE = 'rsi improve --approve-policy';

/** Runs rounds of an improvement: keeps every step, shows the progress, and prints the result. */
export class ImproveWork {
  readonly #suite: Suite;
  readonly #config: ImproveConfig;
  readonly #settings: ImproveSettings;
  readonly #id: string;
  readonly #progress = new Progress(process.stderr);

  constructor(suite: Suite, config: ImproveConfig, settings: ImproveSettings) {
    const { seed = config.seed, concurrency = config.concurrency, maxUsd, maxRuns } = settings;
    this.#suite = suite;
    this.#settings = settings;
    this.#config = {
      ...config,
      ...(seed !== undefined && { seed }),
      ...(concurrency !== undefined && { concurrency }),
      budget: {
        ...config.budget,
        ...(maxUsd !== undefined && { usd: maxUsd }),
        ...(maxRuns !== undefined && { runs: maxRuns }),
      },
    };
    this.#id = improvementId(suite, this.#config);
  }

  /** Runs one more round, or the rest of an interrupted one, even after rounds without a gain. */
  once(): Promise<ExitCode> {
    return this.#locked(async (done) => this.#run({ rounds: done + 1, patience: done + 2 }));
  }

  /**
   * Runs rounds until the improvement has `rounds` of them.
   * @throws LoopError `illegal-step` if it would run unattended and is not ready for that.
   */
  loop(rounds: number): Promise<ExitCode> {
    return this.#locked(async (done) => {
      if (done >= rounds)
        throw new LoopError(
          'invalid-input',
          `it has ${counted(done, 'round')}: give a higher number, such as "loop ${done + 5}"`,
        );
      await this.#mustBeReady(rounds);
      return this.#run({ rounds });
    });
  }

  async #locked(work: (done: number) => Promise<ExitCode>): Promise<ExitCode> {
    const { runs } = this.#settings;
    makeBenchFolder(runs);
    return withLock(join(runs, lockName(this.#id)), `improving ${this.#suite.name}`, async () => {
      const steps = await new FileLog<ImprovementStep>(runs).load(this.#id);
      return work(improvementOf(steps).rounds.length);
    });
  }

  async #mustBeReady(rounds: number): Promise<void> {
    const { unattended, runs } = this.#settings;
    const why = unattended
      ? '--unattended'
      : rounds > MOST_ATTENDED
        ? `more than ${MOST_ATTENDED} rounds`
        : process.stdin.isTTY
          ? undefined
          : 'no terminal';
    if (why === undefined) return;
    const kept = await readImprovements(runs, this.#suite.name);
    const { isReady, conditions } = readiness(
      kept.map(({ steps }) => steps),
      Date.now(),
    );
    if (isReady) return;
    const unmet = conditions.filter(({ isMet }) => !isMet).map(conditionOf);
    throw new LoopError(
      'illegal-step',
      `it may not run unattended (${why}) yet: ${unmet.join(', ')}. Run "improve once", or "improve loop" in a terminal`,
    );
  }

  async #run(limits: { readonly rounds: number; readonly patience?: number }): Promise<ExitCode> {
    const { runs: folder, json } = this.#settings;
    const { bounds: _, ...options } = this.#config;
    const { signal, release } = onInterrupt(['SIGINT', 'SIGTERM']);
    const [runs, log] = [new FileRuns(folder), new FileLog<ImprovementStep>(folder)];
    try {
      await iterate(this.#suite, {
        ...options,
        ...limits,
        runs,
        log,
        signal,
        onStep: (step) => this.#report(step),
        onProgress: (progress) => this.#progress.show(() => progressLine(this.#suite.name, progress)),
      });
    } finally {
      this.#progress.clear();
      release();
      await Promise.all([runs.close(), log.close()]);
    }
    const kept = await this.#approveSettings(await this.#read());
    await print(resultReport(kept, lookAt(process.stdout)), json);
    if (signal.aborted) return EXIT.interrupted;
    return waitingVersion(kept.improvement) ? EXIT.attention : EXIT.done;
  }

  /** Approves the best version without a person, if that was asked for and it only changes settings within bounds. */
  async #approveSettings(kept: KeptImprovement): Promise<KeptImprovement> {
    const { approvePolicy, runs: folder, write: file } = this.#settings;
    const version = waitingVersion(kept.improvement);
    const { bounds = {}, start = {} } = this.#config;
    if (!approvePolicy || !version || !isWithinBounds(version.variant, start, bounds)) return kept;
    const reason = 'it changes only settings within bounds';
    await approve({ of: kept, version }, { by: RULE, reason }, { folder, file });
    await notice(`version ${version.id} is approved: ${reason}`);
    return this.#read();
  }

  async #read(): Promise<KeptImprovement> {
    const steps = await new FileLog<ImprovementStep>(this.#settings.runs).load(this.#id);
    return { id: this.#id, suite: this.#suite.name, steps, improvement: improvementOf(steps) };
  }

  #report(step: ImprovementStep): void {
    const sentence = sentenceOf(step);
    if (sentence === undefined) return;
    this.#progress.clear();
    void notice(sentence);
  }
}

/** Returns the name of the file that keeps two processes from running the same improvement. */
export function lockName(improvement: string): string {
  return `improve-${improvement}.lock`;
}

const DOING: Readonly<Partial<Record<ImproveProgress['step'], string>>> = {
  measured: 'scores the draft',
  scored: 'tries candidates',
  drafted: 'completes the draft',
  decided: 'proves the draft',
};

function progressLine(suite: string, { round, step, done, of }: ImproveProgress): string {
  return `${suite}, round ${round} ${DOING[step] ?? ''}: ${bar(Math.min(1, done / Math.max(1, of)))} ${whole(done)} of ${whole(of)} runs`;
}

function sentenceOf(step: ImprovementStep): string | undefined {
  switch (step.kind) {
    case 'resumed':
      return 'continues after an interruption';
    case 'planned':
      return step.problem === undefined ? undefined : `round ${step.round}: the proposer failed: ${step.problem}`;
    case 'decided':
      return `round ${step.round}${step.shortens ? ', with fewer changes' : ''}: ${step.isKept ? 'kept' : 'not kept'}. ${step.comparison ? describeComparison(step.comparison) : 'No candidate helped.'}`;
    default:
      return undefined;
  }
}
