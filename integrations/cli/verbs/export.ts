import { createWriteStream } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { type Command, Option } from 'commander';
import { exportOutcomes, LoopError, type Outcome } from 'rsi-loop';
import type { FileStore } from 'rsi-loop/node';
import { parseSince } from '../analyze/since.js';
import { CSV_HEAD, csvRow } from '../export/csv.js';
import { DEFAULT_STORE, withStore } from '../store/open-loop.js';
import { onInterrupt } from '../terminal/interrupt.js';
import { counted } from '../terminal/numbers.js';
import { plain, plainJson } from '../terminal/text.js';
import { write } from '../terminal/write.js';
import { EXIT, type ExitCode, type Verb } from '../verb.js';

/** Handed over in pieces of so many characters: one call per line would cost more than making the line. */
const PIECE_CHARACTERS = 65_536;

interface Options {
  readonly store: string;
  readonly format: keyof typeof FORMATS;
  readonly since?: string;
  readonly out?: string;
}

const FORMATS = {
  jsonl: { head: '', line: (outcome: Outcome) => `${plainJson(outcome, { indent: 0 })}\n` },
  csv: { head: CSV_HEAD, line: csvRow },
} as const;

/** `rsi export`: the outcomes of a loop, for other tools. */
export const exportVerb: Verb = {
  register(program, done) {
    program
      .command('export')
      .summary('the outcomes of a loop as JSON lines or CSV, for other tools')
      .description(
        'Prints the outcomes that the folder of a loop still holds. JSON lines carry everything as it was recorded; CSV is for spreadsheets: texts stand on one line and none of them is a formula.',
      )
      .option('--store <folder>', 'the folder of the loop', DEFAULT_STORE)
      .addOption(new Option('--format <format>', 'how').choices(Object.keys(FORMATS)).default('jsonl'))
      .option('--since <when>', 'only what ended since then: 90m, 24h, 7d, 2w or a date such as 2025-10-03')
      .option('--out <file>', 'write to this file instead of the standard output')
      .action(async (options: Options, command: Command) => {
        const { store, since } = options;
        const sinceMs = since === undefined ? undefined : parseSince(since, Date.now());
        if (since !== undefined && sinceMs === undefined) {
          const wanted = 'give a time before now, such as 90m, 24h, 7d, 2w or 2025-10-03';
          command.error(`error: --since is ${plain(since)}: ${wanted}`);
        }
        done(await withStore(store, (opened) => run(opened, options, sinceMs)));
      });
  },
};

async function run(store: FileStore, { format, out }: Options, sinceMs: number | undefined): Promise<ExitCode> {
  if (out === undefined) {
    const { interrupted } = await copy(store, process.stdout, format, sinceMs);
    return interrupted ? EXIT.interrupted : EXIT.done;
  }
  if (!relative(store.folder, resolve(out)).startsWith('..')) {
    throw new LoopError('invalid-input', `--out ${out} lies in the folder of the loop: write it elsewhere`);
  }
  const file = createWriteStream(out);
  const closed = finished(file);
  // Heard here, so that a disk that is full ends the command with a word about it.
  const [{ count, interrupted }] = await Promise.all([copy(store, file, format, sinceMs), closed]);
  const early = interrupted ? 'stopped early: ' : '';
  await write(process.stderr, `${early}${counted(count, 'outcome')} written to ${plain(out)}\n`);
  return interrupted ? EXIT.interrupted : EXIT.done;
}

interface Copied {
  readonly count: number;
  readonly interrupted: boolean;
}

async function copy(
  store: FileStore,
  to: Writable,
  format: Options['format'],
  sinceMs: number | undefined,
): Promise<Copied> {
  const { signal, release } = onInterrupt();
  const { head, line } = FORMATS[format];
  let count = 0;
  let piece: string = head;
  for await (const outcome of exportOutcomes({ store }, sinceMs === undefined ? {} : { sinceMs })) {
    if (signal.aborted) break;
    piece += line(outcome);
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
