import { existsSync } from 'node:fs';
import { Option } from 'commander';
import { LoopError } from 'rsi-loop';
import { BenchHistory, shippedProblems } from 'rsi-loop/bench';
import { answerProblems, SIDE_ACTION } from '../bench/agent-side.js';
import { benchPath, loadBenchFile, suiteNamed } from '../bench/bench-file.js';
import { type BenchSettings, BenchWork, printComparisons } from '../bench/bench-work.js';
import { rangeOf } from '../bench/commit-folders.js';
import { compareCommits } from '../bench/compare-commits.js';
import { importFiles } from '../bench/import/import-files.js';
import { historyReport, listReport, problemReport, shippedReport } from '../bench/lists.js';
import { areSaved, compareSaved } from '../bench/saved-runs.js';
import { EXIT, type ExitCode } from '../exit.js';
import { lookAt } from '../terminal/look.js';
import { print, type Report } from '../terminal/output.js';
import { shortPath } from '../terminal/short-path.js';
import { jsonOption, numberOption, verb } from '../verb.js';

interface Options extends BenchSettings {
  readonly file?: string;
  readonly suite?: string;
  readonly format?: string;
  readonly out?: string;
}

const ACTIONS = ['list', 'run', 'baseline', 'compare', 'history', 'show', 'import'] as const;

/** The verb `rsi bench`: benchmarks of the project in the working folder. */
export const benchVerb = verb<Options, readonly string[]>({
  description:
    'Runs the benchmarks of rsi.bench.ts (or .mjs, .js). run: every problem once, with exit code 1 if one fails. baseline: the score as it is, with its interval. compare: the variants, or the named ones, against the agent as it is, until the result is known; main..HEAD: two commits; old.json new.json: two saved runs. list, history, and show <problem> print what there is. import <file...> makes a problem file of tests of promptfoo, logs of Inspect and results of evalite, and compares recorded results, also of vitest. Finished runs are kept, so --resume repeats none. compare ends with exit code 1 if no variant is better, or with --not-worse none is not worse.',
  examples: [
    ['bench run', 'one run of each problem: which ones fail?'],
    ['bench baseline', 'the score, and how much it varies'],
    ['bench compare v2', 'is variant v2 better?'],
    ['bench compare cheap --not-worse 2', 'does variant cheap lose fewer than 2 points?'],
    ['bench compare main..HEAD', 'are my commits better than main?'],
    ['bench compare old.json new.json', 'two runs saved with --json'],
    ['bench compare --resume', 'continue after an interruption'],
    ['bench import promptfooconfig.yaml', 'its tests as problems'],
  ],
  options: [
    new Option('--file <file>', 'the file with the benchmarks'),
    new Option('--suite <name>', 'the suite, if there are several'),
    new Option('--runs <folder>', 'where runs and results are kept').default('./rsi_bench'),
    numberOption('--repeats <number>', 'baseline: runs of each problem', { min: 2, max: 1_000 }).default(3),
    numberOption('--pass <score>', 'run: lowest score of a solved problem', { min: 0, max: 1, decimals: true }).default(
      1,
    ),
    numberOption('--max-pairs <number>', 'compare: limit on pairs', { min: 1, max: 100_000 }).default(700),
    numberOption(
      '--not-worse <points>',
      'compare: loss that does not matter, for a cheaper model or a shorter prompt',
      {
        min: 0.1,
        max: 50,
        decimals: true,
      },
    ),
    new Option('--block-losses', 'compare: a problem that is lost makes a variant worse'),
    numberOption('--max-usd <amount>', 'limit on cost, if runs state it', { min: 0.01, max: 1e6, decimals: true }),
    numberOption('--concurrency <number>', 'runs at the same time', { min: 1, max: 256 }).default(4),
    new Option('--format <name>', 'import: inspect, evalite, vitest or promptfoo, if it is not detected'),
    new Option('--out <file>', 'import: the problem file, ./bench/<name>.json if not given'),
    new Option('--resume', 'continue the last one that was interrupted'),
    jsonOption().conflicts(['markdown', 'junit']),
    new Option('--markdown', 'print Markdown instead').conflicts('junit'),
    new Option('--junit', 'print JUnit XML instead'),
  ],
  run: async (options, [action = 'list', ...names]) => {
    if (action === SIDE_ACTION) return answerProblems(options).then(() => EXIT.done);
    if (!isAction(action))
      throw new LoopError('invalid-input', `there is no "bench ${action}": use ${ACTIONS.join(', ')}`);
    if (action === 'import') return importFiles(names, options);
    const history = new BenchHistory(options.runs);
    const look = lookAt(process.stdout);
    if (action === 'history') return printReport(historyReport(await history.list(), look), options);
    if (action === 'compare' && areSaved(names)) return savedReport(names, options);
    const range = action === 'compare' && names.length === 1 ? rangeOf(names[0] ?? '') : undefined;
    if (range) return compareCommits(range, history, options).finally(() => history.close());
    const path = benchPath(options.file);
    if (action === 'list' && options.file === undefined && !existsSync(path))
      return printReport(shippedReport(shortPath(path), (await shippedProblems('code')).length, look), options);
    const file = await loadBenchFile(options.file);
    if (action === 'list') return printReport(listReport(file, look), options);
    const suite = suiteNamed(file, options.suite);
    if (action === 'show') return printReport(problemReport(suite, names, await history.list(), look), options);
    try {
      return await new BenchWork(suite, history, options)[action](file, names);
    } finally {
      await history.close();
    }
  },
});

/** Prints the comparison of two saved runs. */
async function savedReport(names: readonly string[], options: Options): Promise<ExitCode> {
  const { notWorse, blockLosses } = options;
  const { suite, comparison } = compareSaved(names, {
    ...(notWorse !== undefined && { notWorseBy: notWorse / 100 }),
    ...(blockLosses && { losses: 'block' as const }),
  });
  return printComparisons(suite, [comparison], options);
}

async function printReport(report: Report, { json }: Options): Promise<ExitCode> {
  await print(report, json);
  return EXIT.done;
}

function isAction(word: string): word is (typeof ACTIONS)[number] {
  return ACTIONS.some((action) => action === word);
}
