import { Option } from 'commander';
import { LoopError } from 'rsi-loop';
import { FileRuns, race, type Suite } from 'rsi-loop/bench';
import { type BenchFile, loadBenchFile, suiteNamed } from '../bench/bench-file.js';
import { BenchHistory, type Started } from '../bench/bench-history.js';
import { historyReport, listReport, problemReport } from '../bench/lists.js';
import { baselineForms, comparisonForms, type Forms } from '../bench/render.js';
import { EXIT, type ExitCode } from '../exit.js';
import { onInterrupt } from '../terminal/interrupt.js';
import { lookAt } from '../terminal/look.js';
import { whole } from '../terminal/numbers.js';
import { notice, print, write } from '../terminal/output.js';
import { Progress } from '../terminal/progress.js';
import { jsonOption, numberOption, verb } from '../verb.js';

interface Options {
  readonly file?: string;
  readonly suite?: string;
  readonly runs: string;
  readonly repeats: number;
  readonly maxUsd?: number;
  readonly maxPairs: number;
  readonly concurrency: number;
  readonly resume?: true;
  readonly json?: true;
  readonly markdown?: true;
  readonly junit?: true;
}

const ACTIONS = ['list', 'baseline', 'compare', 'history', 'show'] as const;

/** The verb `rsi bench`: benchmarks of the project in the working folder. */
export const benchVerb = verb<Options, readonly string[]>({
  description:
    'Runs the benchmarks of rsi.bench.ts (or .mjs, .js). baseline: the score as it is, with its interval. compare: the variants, or the named ones, against the agent as it is, until the result is known. list, history, and show <problem> print what there is. Finished runs are kept, so --resume repeats none. compare ends with exit code 1 if no variant is better.',
  examples: [
    ['bench baseline', 'the score, and which problems fail'],
    ['bench compare v2', 'is variant v2 better?'],
    ['bench compare --resume', 'continue after an interruption'],
  ],
  options: [
    new Option('--file <file>', 'the file with the benchmarks'),
    new Option('--suite <name>', 'the suite, if there are several'),
    new Option('--runs <folder>', 'where runs and results are kept').default('./rsi_bench'),
    numberOption('--repeats <number>', 'baseline: runs of each problem', { min: 2, max: 1_000 }).default(3),
    numberOption('--max-pairs <number>', 'compare: limit on pairs', { min: 1, max: 100_000 }).default(700),
    numberOption('--max-usd <amount>', 'limit on cost, if runs state it', { min: 0.01, max: 1e6, decimals: true }),
    numberOption('--concurrency <number>', 'runs at the same time', { min: 1, max: 256 }).default(4),
    new Option('--resume', 'continue the last one that was interrupted'),
    jsonOption().conflicts(['markdown', 'junit']),
    new Option('--markdown', 'print Markdown instead').conflicts('junit'),
    new Option('--junit', 'print JUnit XML instead'),
  ],
  run: async (options, [action = 'list', ...names]) => {
    if (!isAction(action))
      throw new LoopError('invalid-input', `there is no "bench ${action}": use ${ACTIONS.join(', ')}`);
    const history = new BenchHistory(options.runs);
    if (action === 'history') return shown(historyReport(history.list(), lookAt(process.stdout)), options);
    const file = await loadBenchFile(options.file);
    if (action === 'list') return shown(listReport(file, lookAt(process.stdout)), options);
    const suite = suiteNamed(file, options.suite);
    if (action === 'show') return shown(problemReport(suite, names, history.list(), lookAt(process.stdout)), options);
    return new BenchWork(suite, history, options)[action](file, names);
  },
});

async function shown(report: Parameters<typeof print>[0], { json }: Options): Promise<ExitCode> {
  await print(report, json);
  return EXIT.done;
}

function isAction(word: string): word is (typeof ACTIONS)[number] {
  return ACTIONS.some((action) => action === word);
}

/** A baseline or a comparison: its runs on disk, its progress, and its entry in the history. */
class BenchWork {
  readonly #suite: Suite;
  readonly #history: BenchHistory;
  readonly #options: Options;
  readonly #progress = new Progress(process.stderr);

  constructor(suite: Suite, history: BenchHistory, options: Options) {
    this.#suite = suite;
    this.#history = history;
    this.#options = options;
  }

  async baseline(_file: BenchFile, names: readonly string[]): Promise<ExitCode> {
    if (names.length > 0)
      throw new LoopError('invalid-input', `baseline runs every problem: leave out ${names.join(' ')}`);
    const seed = await this.#start('baseline', []);
    const { repeats } = this.#options;
    return this.#run(async (signal, runs, limits) => {
      const baseline = await this.#suite.baseline({
        ...limits,
        seed,
        repeats,
        runs,
        signal,
        onResult: (_, { done, of }) =>
          this.#progress.show(() => `${this.#suite.name}: ${bar(done / of)} ${whole(done)} of ${whole(of)} runs`),
      });
      if (baseline.stopped !== 'stopped') {
        const problems = Object.fromEntries(baseline.problems.map(({ problemId, score }) => [problemId, score]));
        const { score, costUsd } = baseline;
        this.#history.add({ kind: 'ended', seed, atMs: Date.now(), score, problems, costUsd });
      }
      await this.#print({ format: 'rsi-bench-baseline/1', ...baseline }, baselineForms(baseline));
      return EXIT.done;
    });
  }

  async compare({ variants }: BenchFile, names: readonly string[]): Promise<ExitCode> {
    const unknown = names.find((name) => !variants.some((variant) => variant.name === name));
    const known = variants.map(({ name }) => name).join(', ') || 'none: export some as "variants"';
    if (unknown !== undefined)
      throw new LoopError('invalid-input', `there is no variant ${unknown}: known are ${known}`);
    const candidates = names.length === 0 ? variants : variants.filter(({ name }) => names.includes(name));
    if (candidates.length === 0)
      throw new LoopError('invalid-input', `there is no variant to compare: known are ${known}`);
    const seed = await this.#start(
      'compare',
      candidates.map(({ name }) => name),
    );
    const { maxPairs } = this.#options;
    return this.#run(async (signal, runs, limits) => {
      const comparisons = await race(this.#suite, candidates, {
        ...limits,
        maxPairs,
        seed,
        runs,
        signal,
        onDraw: (done) =>
          this.#progress.show(() => `${this.#suite.name}: ${whole(done)} pairs, at most ${whole(maxPairs)}`),
      });
      const isOver = !comparisons.some((one) => one.kind === 'inconclusive' && one.why === 'stopped');
      if (isOver) this.#history.add({ kind: 'ended', seed, atMs: Date.now(), comparisons });
      await this.#print(
        { format: 'rsi-bench-comparison/1', suite: this.#suite.name, comparisons },
        comparisonForms(this.#suite.name, comparisons),
      );
      return comparisons.some(({ kind }) => kind === 'better') ? EXIT.done : EXIT.attention;
    });
  }

  /** Returns the seed of a new benchmark, or with `--resume` that of the interrupted one. */
  async #start(action: Started['action'], candidates: readonly string[]): Promise<number> {
    const same = { suite: this.#suite.name, action, candidates };
    const interrupted = this.#history.interrupted(same);
    if (this.#options.resume && interrupted) return interrupted.seed;
    if (this.#options.resume)
      throw new LoopError('invalid-input', `no interrupted ${action} to continue: leave out --resume`);
    if (interrupted) await notice(`the last ${action} was interrupted; --resume continues it instead of a new one`);
    const atMs = Date.now();
    this.#history.add({ kind: 'started', seed: atMs, atMs, ...same });
    return atMs;
  }

  async #run(
    work: (signal: AbortSignal, runs: FileRuns, limits: { concurrency: number; maxUsd?: number }) => Promise<ExitCode>,
  ): Promise<ExitCode> {
    const { concurrency, maxUsd, runs: folder } = this.#options;
    const { signal, release } = onInterrupt();
    const runs = new FileRuns(folder);
    try {
      const code = await work(signal, runs, { concurrency, ...(maxUsd !== undefined && { maxUsd }) });
      return signal.aborted ? EXIT.interrupted : code;
    } finally {
      this.#progress.clear();
      release();
      await runs.close();
    }
  }

  async #print(document: object, forms: Forms): Promise<void> {
    this.#progress.clear();
    const { json, markdown, junit } = this.#options;
    if (markdown) return write(process.stdout, forms.markdown());
    if (junit) return write(process.stdout, forms.junit());
    return print({ document, text: forms.text(lookAt(process.stdout)) }, json);
  }
}

const BAR = 20;

function bar(share: number): string {
  const full = Math.round(share * BAR);
  return `[${'#'.repeat(full)}${'.'.repeat(BAR - full)}]`;
}
