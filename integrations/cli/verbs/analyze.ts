import { type Command, InvalidArgumentError } from 'commander';
import { readInputs } from '../../sources/import/read-inputs.js';
import { render } from '../analyze/render.js';
import { makeReport, type Reading, type Report, type Skipped } from '../analyze/report.js';
import { parseSince } from '../analyze/since.js';
import { Survey } from '../analyze/survey.js';
import { NOTHING_READ } from '../import/nothing-read.js';
import { onInterrupt, until } from '../terminal/interrupt.js';
import { counted, whole } from '../terminal/numbers.js';
import { paintFor } from '../terminal/paint.js';
import { Progress } from '../terminal/progress.js';
import { plain, plainJson } from '../terminal/text.js';
import { write } from '../terminal/write.js';
import { EXIT, type ExitCode, examples, type Verb } from '../verb.js';

const DEFAULT_LIMIT = 10;
/** Number of unusable lines named on standard error, and (`KEPT_SKIPPED`) in `--json`. The rest is only counted. */
const SHOWN_SKIPPED = 10;
const KEPT_SKIPPED = 100;
/** Width for output to a file or a pipe. */
const USUAL_WIDTH = 80;

interface Options {
  readonly json?: true;
  readonly since?: string;
  readonly limit: number;
}

/** The verb `rsi analyze <path...>`: shows what fails most in existing logs. */
export const analyze: Verb = {
  register(program, done) {
    program
      .command('analyze')
      .summary('what fails most in logs that are already there')
      .description(DESCRIPTION)
      .addHelpText(
        'after',
        examples(
          ['analyze ~/.claude/projects', 'your sessions with Claude Code'],
          ['analyze outcomes.jsonl --since 7d', 'the last week of a file'],
          ["analyze logs --json | jq '.patterns[0]'", 'for a program'],
        ),
      )
      .argument('[path...]', 'files or folders; - or nothing reads standard input')
      .option('--json', 'print one JSON document instead of the report')
      .option('--since <when>', 'only what happened since then: 90m, 24h, 7d, 2w or a date such as 2025-10-03')
      .option('--limit <count>', 'how many patterns to show', parseLimit, DEFAULT_LIMIT)
      .action(async (paths: readonly string[], options: Options, command: Command) => {
        done(await run(paths, options, command));
      });
  },
};

const DESCRIPTION = [
  'Reads logs of agents and prints what fails most: for which tool and model, how often of how many, since when, rising',
  'or falling, with examples. It reads sessions of coding agents, trajectories of benchmarks, traces, and outcomes as JSON,',
  'JSON lines or CSV, and finds out by itself which of them a file holds (docs/import.md lists them). Nothing is written',
  'and nothing leaves the machine.',
].join(' ');

async function run(paths: readonly string[], options: Options, command: Command): Promise<ExitCode> {
  const nowMs = Date.now();
  const sinceMs = options.since === undefined ? undefined : parseSince(options.since, nowMs);
  if (options.since !== undefined && sinceMs === undefined) {
    command.error(
      `error: --since is ${plain(options.since)}: give a time before now, such as 90m, 24h, 7d, 2w or 2025-10-03`,
    );
  }
  if (paths.length === 0 && process.stdin.isTTY) command.error('error: nothing to read: name files or folders');

  const survey = new Survey({ nowMs, ...(sinceMs !== undefined && { sinceMs }) });
  const reading = await read(paths.length === 0 ? ['-'] : paths, survey, nowMs);
  await write(process.stderr, complaints(reading));
  if (survey.isEmpty) {
    await write(process.stderr, reading.interrupted ? 'stopped before anything was read\n' : NOTHING_READ);
    return reading.interrupted ? EXIT.interrupted : EXIT.unusable;
  }
  const report = makeReport(survey, reading, { limit: options.limit, sinceMs });
  await write(process.stdout, options.json ? `${plainJson(report)}\n` : shown(report));
  return reading.interrupted ? EXIT.interrupted : EXIT.done;
}

/** Reads everything into the survey, or until Ctrl-C. */
async function read(paths: readonly string[], survey: Survey, nowMs: number): Promise<Reading> {
  const { signal, release } = onInterrupt();
  const progress = new Progress(process.stderr);
  const firstSkipped: Skipped[] = [];
  let told = 0;
  const inputs = readInputs(paths, {
    signal,
    nowMs,
    onProblem: ({ path, line, reason }) => {
      told++;
      if (firstSkipped.length === KEPT_SKIPPED) return;
      firstSkipped.push({ file: nameOf(path), ...(line !== undefined && { line }), message: reason });
    },
  });
  for await (const batch of until(inputs, signal)) {
    survey.absorb(batch);
    progress.show(() => {
      const { lines, bytes } = inputs.summary;
      return `reading ${plain(nameOf(batch.path))}: ${counted(lines, 'line')}, ${whole(bytes / 1e6)} MB so far`;
    });
  }
  survey.end();
  progress.clear();
  release();
  return { summary: inputs.summary, firstSkipped, told, interrupted: signal.aborted };
}

function nameOf(path: string): string {
  return path === '-' ? 'standard input' : path;
}

function shown(report: Report): string {
  return render(report, {
    width: process.stdout.columns ?? (Number(process.env.COLUMNS) || USUAL_WIDTH),
    paint: paintFor(process.stdout),
  });
}

/** Renders one line per unusable place, the first ones only. */
function complaints({ told, firstSkipped }: Reading): string {
  const lines = firstSkipped.slice(0, SHOWN_SKIPPED).map(({ file, line, message }) => {
    return `${plain(file)}${line === undefined ? '' : `:${line}`}: ${plain(message)}`;
  });
  const more = told - lines.length;
  if (more > 0) lines.push(`and ${counted(more, 'more place')} that could not be read`);
  return lines.map((line) => `${line}\n`).join('');
}

function parseLimit(text: string): number {
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1) throw new InvalidArgumentError('Give a whole number from 1 on.');
  return limit;
}
