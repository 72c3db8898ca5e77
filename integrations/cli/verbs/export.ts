import { createWriteStream } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { type Command, Option } from 'commander';
import { exportOutcomes, LoopError, type Outcome, type RSILoop, type Store } from 'rsi-loop';
import { parseSince } from '../analyze/since.js';
import { CSV_HEAD, csvRow } from '../export/csv.js';
import { type TrainingFormat, trainingOf, trainingOfRules } from '../export/training.js';
import { DEFAULT_STORE } from '../store/next-command.js';
import { withLoop, withStore } from '../store/open-loop.js';
import { onInterrupt } from '../terminal/interrupt.js';
import { counted } from '../terminal/numbers.js';
import { isSystemError, whyWords } from '../terminal/system-error.js';
import { plain, plainJson } from '../terminal/text.js';
import { write } from '../terminal/write.js';
import { EXIT, type ExitCode, examples, type Verb } from '../verb.js';

/** Characters per write, because one write per line would cost more than formatting the line. */
const PIECE_CHARACTERS = 65_536;

interface Options {
  readonly store: string;
  readonly format: keyof typeof FORMATS | TrainingFormat;
  readonly since?: string;
  readonly out?: string;
}

const FORMATS = {
  jsonl: { head: '', line: (outcome: Outcome) => `${plainJson(outcome, { indent: 0 })}\n` },
  csv: { head: CSV_HEAD, line: csvRow },
} as const;
const TRAINING = ['preference', 'sft'] as const satisfies readonly TrainingFormat[];

/** The verb `rsi export`: writes the outcomes of a loop for other tools. */
export const exportVerb: Verb = {
  register(program, done) {
    program
      .command('export')
      .summary('outcomes as JSON lines or CSV, or as training data')
      .description(
        'Prints the outcomes that the folder of a loop still holds. JSON lines carry everything as it was recorded; CSV is for spreadsheets: texts stand on one line and none of them is a formula. preference and sft print what a model can learn from, as JSON lines: rules in force, and failures whose outcome says what was expected.',
      )
      .addHelpText(
        'after',
        examples(
          ['export --since 7d > outcomes.jsonl', 'the last week'],
          ['export --format csv --out outcomes.csv', 'for a spreadsheet'],
          ['export --format preference --out pairs.jsonl', 'for training'],
        ),
      )
      .option('--store <folder>', 'the folder of the loop', DEFAULT_STORE)
      .addOption(
        new Option('--format <format>', 'how').choices([...Object.keys(FORMATS), ...TRAINING]).default('jsonl'),
      )
      .option('--since <when>', 'only what ended since then: 90m, 24h, 7d, 2w or a date such as 2025-10-03')
      .option('--out <file>', 'write to this file instead of the standard output')
      .action(async (options: Options, command: Command) => {
        const { store, since } = options;
        const sinceMs = since === undefined ? undefined : parseSince(since, Date.now());
        if (since !== undefined && sinceMs === undefined) {
          const wanted = 'give a time before now, such as 90m, 24h, 7d, 2w or 2025-10-03';
          command.error(`error: --since is ${plain(since)}: ${wanted}`);
        }
        const isTraining = TRAINING.some((format) => format === options.format);
        if (isTraining) done(await withLoop(store, 'read', (loop) => run(loop, options, sinceMs, store)));
        else done(await withStore(store, (opened) => run({ store: opened }, options, sinceMs, store)));
      });
  },
};

/** Loop or store to export from; only a loop knows the rules. */
type From = { readonly store: Store } & Partial<Pick<RSILoop, 'fixes'>>;

async function run(
  from: From,
  { format, out }: Options,
  sinceMs: number | undefined,
  folder: string,
): Promise<ExitCode> {
  if (out === undefined) {
    const { interrupted } = await copy(from, process.stdout, format, sinceMs);
    return interrupted ? EXIT.interrupted : EXIT.done;
  }
  if (!relative(resolve(folder), resolve(out)).startsWith('..')) {
    throw new LoopError('invalid-input', `--out ${out} lies in the folder of the loop: write it elsewhere`);
  }
  const file = createWriteStream(out);
  const closed = finished(file);
  // Awaited here, so that a full disk ends the command with a message.
  const [{ count, interrupted }] = await Promise.all([copy(from, file, format, sinceMs), closed]).catch((cause) => {
    if (!isSystemError(cause)) throw cause;
    throw new LoopError('invalid-input', `cannot write to ${out}: ${whyWords(cause)}; name another file with --out`, {
      cause,
    });
  });
  const early = interrupted ? 'stopped early: ' : '';
  const noun = format === 'jsonl' || format === 'csv' ? 'outcome' : 'example';
  await write(process.stderr, `${early}${counted(count, noun)} written to ${plain(out)}\n`);
  return interrupted ? EXIT.interrupted : EXIT.done;
}

interface Copied {
  readonly count: number;
  readonly interrupted: boolean;
}

async function copy(from: From, to: Writable, format: Options['format'], sinceMs: number | undefined): Promise<Copied> {
  const { signal, release } = onInterrupt();
  let count = 0;
  let piece: string = format === 'csv' ? FORMATS.csv.head : '';
  for await (const line of linesOf(from, format, sinceMs)) {
    if (signal.aborted) break;
    piece += line;
    count++;
    if (piece.length < PIECE_CHARACTERS) continue;
    await write(to, piece);
    piece = '';
  }
  await write(to, piece);
  if (to !== process.stdout) to.end();
  release();
  return { count, interrupted: signal.aborted };
}

async function* linesOf(from: From, format: Options['format'], sinceMs: number | undefined): AsyncGenerator<string> {
  const since = sinceMs === undefined ? {} : { sinceMs };
  if (format === 'jsonl' || format === 'csv') {
    for await (const outcome of exportOutcomes(from, since)) yield FORMATS[format].line(outcome);
    return;
  }
  const line = (example: object) => `${plainJson(example, { indent: 0 })}\n`;
  for (const example of trainingOfRules(from.fixes?.() ?? [], format)) yield line(example);
  for await (const outcome of exportOutcomes(from, since)) {
    const example = trainingOf(outcome, format);
    if (example) yield line(example);
  }
}
