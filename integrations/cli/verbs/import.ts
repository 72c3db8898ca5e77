import type { Command } from 'commander';
import { FileStore } from 'rsi-loop/node';
import type { InputProblem } from '../../sources/import/importer.js';
import { type ImportResult, importInto } from '../../sources/import/index.js';
import { parseSince } from '../analyze/since.js';
import { NOTHING_READ } from '../import/nothing-read.js';
import { DEFAULT_STORE, nextCommand, shellWord } from '../store/next-command.js';
import { mayBeStore, reportingErrors } from '../store/open-loop.js';
import { onInterrupt } from '../terminal/interrupt.js';
import { widthOf, wrap } from '../terminal/lines.js';
import { counted, whole } from '../terminal/numbers.js';
import { Progress } from '../terminal/progress.js';
import { plain, plainJson } from '../terminal/text.js';
import { write } from '../terminal/write.js';
import { EXIT, type ExitCode, examples, type Verb } from '../verb.js';

/** Number of unusable places named on standard error; the rest is only counted. */
const SHOWN_PROBLEMS = 10;

interface Options {
  readonly store: string;
  readonly since?: string;
  readonly json?: true;
}

/** The verb `rsi import <path...>`: writes the outcomes of existing logs into the folder of a loop. */
export const importVerb: Verb = {
  register(program, done) {
    program
      .command('import')
      .summary('such logs, into the folder of a loop')
      .description(DESCRIPTION)
      .addHelpText(
        'after',
        examples(
          ['import ~/.codex/sessions', 'into ./rsi_data'],
          ['import trajectories --store ./eval_data --since 30d', 'into another folder'],
        ),
      )
      .argument('<path...>', 'files or folders; - reads standard input')
      .option('--store <folder>', 'the folder of the loop; it is made if it is not there', DEFAULT_STORE)
      .option('--since <when>', 'only what ended since then: 90m, 24h, 7d, 2w or a date such as 2025-10-03')
      .option('--json', 'print one JSON document instead of the report')
      .action(async (paths: readonly string[], options: Options, command: Command) => {
        const { store, since } = options;
        const nowMs = Date.now();
        const sinceMs = since === undefined ? undefined : parseSince(since, nowMs);
        if (since !== undefined && sinceMs === undefined) {
          const wanted = 'give a time before now, such as 90m, 24h, 7d, 2w or 2025-10-03';
          command.error(`error: --since is ${plain(since)}: ${wanted}`);
        }
        done(await reportingErrors(() => run(paths, store, { sinceMs, nowMs, json: options.json === true })));
      });
  },
};

const DESCRIPTION = [
  'Reads transcripts of coding agents, trajectories of benchmarks, traces and tables, finds out by itself what each file',
  'is, and writes their outcomes into the folder of a loop under the ids they have there: importing the same again adds',
  'nothing. docs/import.md says what becomes an outcome in each format. Nothing leaves the machine.',
].join(' ');

interface RunOptions {
  readonly sinceMs: number | undefined;
  readonly nowMs: number;
  readonly json: boolean;
}

async function run(paths: readonly string[], folder: string, { sinceMs, nowMs, json }: RunOptions): Promise<ExitCode> {
  await mayBeStore(folder);
  const { signal, release } = onInterrupt();
  const progress = new Progress(process.stderr);
  const problems: InputProblem[] = [];
  let told = 0;
  const store = new FileStore(folder);
  try {
    const result = await importInto(store, paths, {
      signal,
      nowMs,
      ...(sinceMs !== undefined && { sinceMs }),
      onProblem: (problem) => {
        told++;
        if (problems.length < SHOWN_PROBLEMS) problems.push(problem);
      },
      onBatch: ({ written, summary }) =>
        progress.show(() => `${counted(written, 'outcome')} from ${whole(summary.bytes / 1e6)} MB so far`),
    });
    progress.clear();
    await write(process.stderr, complaints(problems, told));
    const nothing = result.summary.outcomes === 0;
    if (json) await write(process.stdout, `${plainJson(reportOf(result, signal.aborted))}\n`);
    else if (!nothing) await write(process.stdout, shown(result, folder));
    else await write(process.stderr, NOTHING_READ);
    if (signal.aborted) return EXIT.interrupted;
    return nothing ? EXIT.unusable : EXIT.done;
  } finally {
    progress.clear();
    release();
    await store.close();
  }
}

function reportOf({ summary, ...counts }: ImportResult, interrupted: boolean): object {
  const { filesRead, filesFailed, filesIgnored, skipped, leftOut, nothingFound } = summary;
  return {
    format: 'rsi-import/1',
    interrupted,
    ...counts,
    files: { read: filesRead, failed: filesFailed, ignored: filesIgnored },
    skipped,
    leftOut: { ...leftOut },
    nothingFound: { ...nothingFound },
  };
}

function shown({ written, failures, known, erased, formats, summary }: ImportResult, folder: string): string {
  const lines = [
    `${counted(written, 'outcome')} written to ${plain(folder)}, ${whole(failures)} of them failed`,
    ...(known > 0 ? [`${counted(known, 'outcome')} ${known === 1 ? 'was' : 'were'} there already`] : []),
    ...(erased > 0 ? [`${counted(erased, 'outcome')} ${erased === 1 ? 'was' : 'were'} erased before: left out`] : []),
    '',
  ];
  const row = (name: string, text: string) => {
    wrap(text, widthOf(process.stdout) - 12).forEach((line, index) => {
      lines.push(`  ${(index === 0 ? name : '').padEnd(10)}${line}`);
    });
  };
  const files = counted(summary.filesRead, 'file');
  row('read', Object.keys(formats).length === 0 ? files : `${files}: ${listed(formats)}`);
  if (summary.filesIgnored > 0) row('ignored', `${counted(summary.filesIgnored, 'file')} of other kinds`);
  for (const [reason, files] of Object.entries(summary.nothingFound))
    row('nothing', `${counted(files, 'file')} ${reason}`);
  if (Object.keys(summary.leftOut).length > 0) row('left out', listed(summary.leftOut));
  if (summary.skipped > 0) row('skipped', `${counted(summary.skipped, 'place')} that could not be read`);
  lines.push('', `next: ${nextCommand()(`analyze ${shellWord(folder)}`)}`);
  return `${lines.join('\n')}\n`;
}

/** Formats counts, the most frequent first: `codex 184, tau-bench 70`. */
function listed(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .sort(([, one], [, other]) => other - one)
    .map(([name, count]) => `${plain(name)} ${whole(count)}`)
    .join(', ');
}

function complaints(problems: readonly InputProblem[], told: number): string {
  const lines = problems.map(({ path, line, reason }) => {
    const name = path === '-' ? 'standard input' : path;
    return `${plain(name)}${line === undefined ? '' : `:${line}`}: ${plain(reason)}`;
  });
  const more = told - lines.length;
  if (more > 0) lines.push(`and ${counted(more, 'more place')} that could not be read`);
  return lines.map((line) => `${line}\n`).join('');
}
