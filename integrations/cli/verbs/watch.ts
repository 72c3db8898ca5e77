import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { LoopError, RSILoop } from 'rsi-loop';
import { FileStore, machineFileSystem } from 'rsi-loop/node';
import { type DropCounts, DropFolder } from '../../sources/drop-folder/drop-folder.js';
import { DEFAULT_STORE } from '../store/next-command.js';
import { makeStore, reportingErrors } from '../store/open-loop.js';
import { interruption } from '../terminal/interrupt.js';
import { counted, whole } from '../terminal/numbers.js';
import { message as told } from '../terminal/say.js';
import { whyWords } from '../terminal/system-error.js';
import { plain } from '../terminal/text.js';
import { write } from '../terminal/write.js';
import { EXIT, type ExitCode, examples, type Verb } from '../verb.js';

interface Options {
  readonly store: string;
  readonly once?: true;
  readonly polling?: true;
  readonly delete?: true;
  readonly settle: string;
}

/** The verb `rsi watch <folder>`: reads outcomes from files that programs drop into a folder. */
export const watch: Verb = {
  register(program, done) {
    program
      .command('watch')
      .summary('outcomes from files that programs drop into a folder')
      .description(
        'Takes outcomes from files (*.json, *.jsonl, *.ndjson) that any program writes into a folder, into the folder of a loop, and turns the loop every minute. Each file is taken once and moved to done/, or to rejected/ with a reason. Ends with Ctrl-C.',
      )
      .addHelpText(
        'after',
        examples(['watch ./outcomes', 'until Ctrl-C'], ['watch ./outcomes --once --delete', 'from cron']),
      )
      .argument('<folder>', 'the folder that files are dropped into; made where there is none')
      .option('--store <folder>', 'the folder of the loop; made where there is none', DEFAULT_STORE)
      .option('--once', 'take what is there, files written just now included, turn the loop once, and end')
      .option('--polling', 'look every second instead of being told of changes, as network folders need')
      .option('--delete', 'delete files that were taken instead of moving them to done/')
      .option('--settle <ms>', 'a file is complete when nothing was written to it for so long', '1000')
      .action(async (folder: string, options: Options) => {
        done(await reportingErrors(() => run(folder, options)));
      });
  },
};

async function run(folder: string, options: Options): Promise<ExitCode> {
  const settleMs = Number(options.settle);
  if (!(settleMs >= 0)) throw new LoopError('invalid-input', `--settle is ${options.settle}: give milliseconds`);
  await makeStore(options.store);
  await makeDropFolder(folder);
  const loop = new RSILoop({ store: new FileStore(options.store) });
  loop.on('problem', ({ where, message }) => {
    // A host declares custom settings in its code, so they are unknown here.
    if (where !== 'policy') void write(process.stderr, told(message));
  });
  const drops = new DropFolder(loop, folder, {
    settleMs,
    ...(options.polling && { watch: 'polling' }),
    ...(options.delete && { keepDone: false }),
  });
  try {
    await loop.ready();
    if (loop.hasLostStore) {
      throw new LoopError('store-failed', `${options.store} cannot be used: name the folder of a loop with --store`);
    }
    if (options.once) {
      await write(process.stdout, `${describe(await pollUntilSettled(drops, settleMs))}\n`);
      await loop.runCycle();
      return drops.counts.rejected > 0 ? EXIT.attention : EXIT.done;
    }
    const interrupted = interruption();
    await write(process.stdout, `watching ${plain(folder)} for ${plain(options.store)}; Ctrl-C ends it\n`);
    loop.start();
    await drops.start();
    await untilStopped(drops, interrupted);
    return EXIT.done;
  } finally {
    await drops.close();
    await loop.close();
  }
}

/** Number of settling times to wait for a file that is still being written; after that the next call reads it. */
const MAX_SETTLINGS = 10;

/** Reads the files that are there, and waits for files that were written just now. */
async function pollUntilSettled(drops: DropFolder, settleMs: number): Promise<DropCounts> {
  let counts = await drops.poll();
  for (let turn = 0; counts.waiting > 0 && turn < MAX_SETTLINGS; turn++) {
    await new Promise((resolve) => setTimeout(resolve, settleMs + 10));
    counts = await drops.poll();
  }
  return counts;
}

/**
 * Creates the drop folder.
 * @throws LoopError `invalid-input` if it cannot be created, or files in it could not be moved.
 */
async function makeDropFolder(folder: string): Promise<void> {
  try {
    await machineFileSystem.mkdir(folder);
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new LoopError('invalid-input', `cannot take files from ${folder}: ${whyWords(cause)}; name another folder`, {
      cause,
    });
  }
}

/** Prints counts of new records, at most once a second, until the command is asked to stop. */
async function untilStopped(drops: DropFolder, interrupted: Promise<unknown>): Promise<void> {
  let told = '';
  const tell = () => {
    const line = describe(drops.counts);
    if (line !== told && drops.counts.files + drops.counts.rejected > 0) void write(process.stdout, `${line}\n`);
    told = line;
  };
  tell();
  const timer = setInterval(tell, 1_000);
  await interrupted;
  clearInterval(timer);
  tell();
}

function describe({ files, records, rejected, recovered, waiting }: DropCounts): string {
  const parts = [counted(records, 'record'), `${counted(files, 'file')} taken`, `${whole(rejected)} rejected`];
  if (recovered > 0) parts.push(`${recovered} of them left behind by a process that died`);
  if (waiting > 0) parts.push(`${waiting} still being written`);
  return parts.join(', ');
}
