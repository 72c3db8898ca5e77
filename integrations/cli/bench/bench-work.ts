import { LoopError } from 'rsi-loop';
import {
  type Baseline,
  type BenchHistory,
  type BenchStart,
  baselineId,
  type Comparison,
  comparisonId,
  FileRuns,
  type ProblemRunner,
  race,
  type Suite,
  type Variant,
} from 'rsi-loop/bench';
import { whole } from '../../reports/words/numbers.js';
import { EXIT, type ExitCode } from '../exit.js';
import { bar } from '../terminal/bar.js';
import { onInterrupt } from '../terminal/interrupt.js';
import { lookAt } from '../terminal/look.js';
import { notice, print, write } from '../terminal/output.js';
import { Progress } from '../terminal/progress.js';
import type { BenchFile } from './bench-file.js';
import { makeBenchFolder } from './make-folder.js';
import { baselineForms, comparisonForms, type Forms, failedOf, isWanted, runForms } from './render-bench.js';

export interface BenchSettings {
  /** Folder of runs and results. */
  readonly runs: string;
  readonly repeats: number;
  /** Lowest score of a solved problem, for the exit code of `run`. */
  readonly pass: number;
  readonly maxUsd?: number;
  readonly maxPairs: number;
  /** Loss that does not matter, in points. */
  readonly notWorse?: number;
  readonly blockLosses?: true;
  readonly concurrency: number;
  readonly resume?: true;
  readonly json?: true;
  readonly markdown?: true;
  readonly junit?: true;
}

/** Runs one pass, baseline or comparison: keeps its runs and its result, shows its progress, and prints its report. */
export class BenchWork {
  readonly #suite: Suite | ProblemRunner;
  readonly #history: BenchHistory;
  readonly #settings: BenchSettings;
  readonly #progress = new Progress(process.stderr);

  constructor(suite: Suite | ProblemRunner, history: BenchHistory, settings: BenchSettings) {
    this.#suite = suite;
    this.#history = history;
    this.#settings = settings;
  }

  /** @throws LoopError `invalid-input` if there are names. */
  run(_file: BenchFile, names: readonly string[]): Promise<ExitCode> {
    const { pass } = this.#settings;
    return this.#score({ action: 'run', repeats: 1, names }, (run) => {
      const failed = failedOf(run, pass).length;
      return {
        document: { format: 'rsi-bench-run/1', failed, ...run },
        forms: runForms(run, pass),
        code: failed > 0 || run.stopped !== undefined ? EXIT.attention : EXIT.done,
      };
    });
  }

  /** @throws LoopError `invalid-input` if there are names. */
  baseline(_file: BenchFile, names: readonly string[]): Promise<ExitCode> {
    return this.#score({ action: 'baseline', repeats: this.#settings.repeats, names }, (baseline) => ({
      document: { format: 'rsi-bench-baseline/1', ...baseline },
      forms: baselineForms(baseline),
      code: EXIT.done,
    }));
  }

  /** Runs every problem as it is, keeps the scores, and prints what `report` makes of them. */
  async #score({ action, repeats, names }: Scoring, report: (scores: Baseline) => Scored): Promise<ExitCode> {
    if (names.length > 0)
      throw new LoopError('invalid-input', `${action} runs every problem: leave out ${names.join(' ')}`);
    const suite = this.#suite;
    if (!('baseline' in suite)) throw new LoopError('invalid-input', `commits are compared: they have no ${action}`);
    const seed = await this.#start(action, [], (one) => baselineId(suite, { seed: one }));
    return this.#run(async (limits) => {
      const scores = await suite.baseline({
        ...limits,
        seed,
        repeats,
        onResult: (_, { done, of }) =>
          this.#progress.show(() => `${suite.name}: ${bar(done / of)} ${whole(done)} of ${whole(of)} runs`),
      });
      if (scores.stopped !== 'stopped') {
        const problems = Object.fromEntries(scores.problems.map(({ problemId, score }) => [problemId, score]));
        const { score, costUsd } = scores;
        await this.#history.end({ seed, atMs: Date.now(), score, problems, costUsd });
      }
      const { document, forms, code } = report(scores);
      await this.#print(document, forms);
      return code;
    });
  }

  /** @throws LoopError `invalid-input` for a name that is no variant. */
  compare({ variants }: BenchFile, names: readonly string[]): Promise<ExitCode> {
    return this.race(this.#suite, namedVariants(variants, names));
  }

  /** Compares candidates with the baseline by any runner of problems. */
  async race(runner: ProblemRunner, candidates: readonly Variant[], baseline?: Variant): Promise<ExitCode> {
    const { maxPairs, notWorse, blockLosses } = this.#settings;
    const seed = await this.#start('compare', candidates, (one) =>
      comparisonId(runner, candidates, { seed: one, baseline }),
    );
    return this.#run(async (limits) => {
      const comparisons = await race(runner, candidates, {
        ...limits,
        maxPairs,
        seed,
        ...(baseline && { baseline }),
        ...(notWorse !== undefined && { notWorseBy: notWorse / 100 }),
        ...(blockLosses && { losses: 'block' }),
        onDraw: (done) => this.#progress.show(() => `${runner.name}: ${whole(done)} pairs, at most ${whole(maxPairs)}`),
      });
      const isOver = !comparisons.some((one) => one.kind === 'unknown' && one.why === 'stopped');
      if (isOver) await this.#history.end({ seed, atMs: Date.now(), comparisons });
      this.#progress.clear();
      return printComparisons(runner.name, comparisons, this.#settings);
    });
  }

  /** Returns the seed of a new benchmark, or with `--resume` that of the interrupted one. */
  async #start(
    action: BenchStart['action'],
    candidates: BenchStart['candidates'],
    idOf: (seed: number) => string,
  ): Promise<number> {
    const records = await this.#history.list();
    // Changed problems or variants have another id: their runs would all be new.
    const newest = records.findLast((one) => one.action === action && one.runs === idOf(one.seed));
    const interrupted = newest?.end ? undefined : newest;
    if (this.#settings.resume && interrupted) return interrupted.seed;
    if (this.#settings.resume)
      throw new LoopError(
        'invalid-input',
        `no interrupted ${action} of these problems and variants to continue: leave out --resume`,
      );
    if (interrupted) await notice(`the last ${action} was interrupted; --resume continues it instead of a new one`);
    const seed = Date.now();
    makeBenchFolder(this.#settings.runs);
    await this.#history.start({ seed, atMs: seed, suite: this.#suite.name, action, candidates, runs: idOf(seed) });
    return seed;
  }

  async #run(work: (limits: Limits) => Promise<ExitCode>): Promise<ExitCode> {
    const { concurrency, maxUsd, runs: folder } = this.#settings;
    const { signal, release } = onInterrupt();
    const runs = new FileRuns(folder);
    try {
      const code = await work({ concurrency, runs, signal, ...(maxUsd !== undefined && { maxUsd }) });
      return signal.aborted ? EXIT.interrupted : code;
    } finally {
      this.#progress.clear();
      release();
      await runs.close();
    }
  }

  #print(document: object, forms: Forms): Promise<void> {
    this.#progress.clear();
    return printForms(document, forms, this.#settings);
  }
}

type Form = Pick<BenchSettings, 'json' | 'markdown' | 'junit'>;

async function printForms(document: object, forms: Forms, { json, markdown, junit }: Form): Promise<void> {
  if (markdown) return write(process.stdout, forms.markdown());
  if (junit) return write(process.stdout, forms.junit());
  return print({ document, text: forms.text(lookAt(process.stdout)) }, json);
}

/** Prints comparisons. Returns the exit code: whether one answers its question with yes. */
export async function printComparisons(
  suite: string,
  comparisons: readonly Comparison[],
  form: Form,
): Promise<ExitCode> {
  const document = { format: 'rsi-bench-comparison/1', suite, comparisons };
  await printForms(document, comparisonForms(suite, comparisons), form);
  return comparisons.some((one) => isWanted(one)) ? EXIT.done : EXIT.attention;
}

interface Scoring {
  readonly action: 'run' | 'baseline';
  readonly repeats: number;
  readonly names: readonly string[];
}

interface Scored {
  readonly document: object;
  readonly forms: Forms;
  readonly code: ExitCode;
}

interface Limits {
  readonly concurrency: number;
  readonly runs: FileRuns;
  readonly signal: AbortSignal;
  readonly maxUsd?: number;
}

function namedVariants(variants: BenchFile['variants'], names: readonly string[]): BenchFile['variants'] {
  const unknown = names.find((name) => !variants.some((variant) => variant.name === name));
  const known = variants.map(({ name }) => name).join(', ') || 'none: export some as "variants"';
  if (unknown !== undefined) throw new LoopError('invalid-input', `there is no variant ${unknown}: known are ${known}`);
  const candidates = names.length === 0 ? variants : variants.filter(({ name }) => names.includes(name));
  if (candidates.length > 0) return candidates;
  throw new LoopError('invalid-input', `there is no variant to compare: known are ${known}`);
}
