import { createWriteStream } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { Option } from 'commander';
import { exportOutcomes, LoopError, type RSILoop, type Store } from 'rsi-loop';
import { counted } from '../../reports/words/numbers.js';
import { EXIT, type ExitCode } from '../exit.js';
import { CSV_HEAD, csvRow } from '../export/csv.js';
import { type TrainingFormat, trainingOf, trainingOfRules } from '../export/training.js';
import { periodOf, rangeOptions } from '../since.js';
import { withLoop, withStore } from '../store/open-loop.js';
import { onInterrupt } from '../terminal/interrupt.js';
import { notice, write } from '../terminal/output.js';
import { isSystemError, whyWords } from '../terminal/system-error.js';
import { plainJson } from '../terminal/terminal-text.js';
import { storeOption, verb } from '../verb.js';

/** Characters per write, because one write per line would cost more than formatting the line. */
const PIECE_CHARACTERS = 65_536;

interface Options {
  readonly store: string;
  readonly format: keyof typeof LINES | TrainingFormat;
  readonly since?: number;
  readonly until?: number;
  readonly out?: string;
}

/** Formats of outcomes; the others are of training data. */
const LINES = { jsonl: jsonLine, csv: csvRow } as const;

/** The verb `rsi export`: writes the outcomes of a loop for other tools. */
export const exportVerb = verb<Options>({
  description:
    'Prints the outcomes that the folder of a loop still holds. JSON lines carry everything as it was recorded. CSV is for spreadsheets: each text takes one line and none of them is a formula. preference and sft print training data as JSON lines: rules in force, and failures whose outcome says what was expected.',
  examples: [
    ['export --since 7d > outcomes.jsonl', 'the last week'],
    ['export --format csv --out a.csv', 'for a spreadsheet'],
    ['export --format preference --out pairs.jsonl', 'for training'],
  ],
  options: [
    storeOption(),
    new Option('--format <format>', 'how').choices([...Object.keys(LINES), 'preference', 'sft']).default('jsonl'),
    ...rangeOptions(),
    new Option('--out <file>', 'write to this file instead of the standard output'),
  ],
  run: (options) => {
    if (options.format in LINES) return withStore(options.store, (store) => run({ store }, options));
    return withLoop(options.store, 'read', (loop) => run(loop, options));
  },
});

/** Loop or store to export from; only a loop knows the rules. */
type From = { readonly store: Store } & Partial<Pick<RSILoop, 'fixes'>>;

async function run(from: From, options: Options): Promise<ExitCode> {
  const { store, format, out } = options;
  if (out === undefined) return (await copy(from, process.stdout, options)).exitCode;
  if (!relative(resolve(store), resolve(out)).startsWith('..')) {
    throw new LoopError('invalid-input', `--out ${out} lies in the folder of the loop: write it elsewhere`);
  }
  const file = createWriteStream(out);
  // Awaited here, so that a full disk ends the command with a message.
  const [{ count, exitCode }] = await Promise.all([copy(from, file, options), finished(file)]).catch((cause) => {
    if (!isSystemError(cause)) throw cause;
    const why = `cannot write to ${out}: ${whyWords(cause)}; name another file with --out`;
    throw new LoopError('invalid-input', why, { cause });
  });
  const early = exitCode === EXIT.interrupted ? 'stopped early: ' : '';
  await notice(`${early}${counted(count, format in LINES ? 'outcome' : 'example')} written to ${out}`);
  return exitCode;
}

async function copy(
  from: From,
  to: Writable,
  options: Options,
): Promise<{ readonly count: number; readonly exitCode: ExitCode }> {
  const { signal, release } = onInterrupt();
  let count = 0;
  let piece: string = options.format === 'csv' ? CSV_HEAD : '';
  for await (const line of linesOf(from, options)) {
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
  return { count, exitCode: signal.aborted ? EXIT.interrupted : EXIT.done };
}

async function* linesOf(from: From, { format, ...range }: Options): AsyncGenerator<string> {
  const outcomes = exportOutcomes(from, periodOf(range));
  if (format === 'jsonl' || format === 'csv') {
    for await (const outcome of outcomes) yield LINES[format](outcome);
    return;
  }
  for (const example of trainingOfRules(from.fixes?.({ kind: 'rule' }) ?? [], format)) yield jsonLine(example);
  for await (const outcome of outcomes) {
    const example = trainingOf(outcome, format);
    if (example) yield jsonLine(example);
  }
}

function jsonLine(value: object): string {
  return `${plainJson(value, { indent: 0 })}\n`;
}
