import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { Option } from 'commander';
import { LoopError, RSILoop } from 'rsi-loop';
import { machineFileSystem } from 'rsi-loop/node';
import { counted, whole } from '../../reports/words/numbers.js';
import { DropFolder } from '../../sources/drop-folder/drop-folder.js';
import type { DropCounts } from '../../sources/drop-folder/drop-folder-options.js';
import { loopOptions } from '../config/loop-options.js';
import { EXIT, type ExitCode } from '../exit.js';
import { modelOption } from '../models/configured-model.js';
import { attachAlerts, notifyOptions } from '../notify/from-config.js';
import { addCompanionKinds } from '../store/companion-kinds.js';
import { shownStore } from '../store/database.js';
import { onProblem } from '../store/open-loop.js';
import { localFolder, openOrCreate } from '../store/open-store.js';
import { interruption } from '../terminal/interrupt.js';
import { notice, write } from '../terminal/output.js';
import { whyWords } from '../terminal/system-error.js';
import { plain } from '../terminal/terminal-text.js';
import { numberOption, storeOption, verb } from '../verb.js';

interface Options {
  readonly store: string;
  readonly once?: true;
  readonly polling?: true;
  readonly delete?: true;
  readonly settle: number;
}

/** The verb `rsi watch <folder>`: reads outcomes from files that programs drop into a folder. */
export const watch = verb<Options, string>({
  description:
    'Reads outcomes from files (*.json, *.jsonl, *.ndjson) that any program writes into a folder, and runs a cycle of the loop every minute. Each file is read once and moved to done/, or to rejected/ with a reason. Ends with Ctrl-C.',
  examples: [
    ['watch ./outcomes', 'until Ctrl-C'],
    ['watch ./outcomes --once --delete', 'from cron'],
  ],
  options: [
    storeOption('the folder of the loop; created if it is missing'),
    new Option('--once', 'read what is there, including files still being written, run one cycle, and end'),
    new Option('--polling', 'check every second instead of waiting for change events, as network folders need'),
    new Option('--delete', 'delete files that were read instead of moving them to done/'),
    numberOption('--settle <ms>', 'a file is complete after so long without a write', {
      min: 0,
      max: 3_600_000,
    }).default(1_000),
  ],
  run: async (options, folder, config) => {
    const { store, settle: settleMs } = options;
    const configuration = await config();
    const alerts = await notifyOptions(configuration, process.env);
    await makeDropFolder(folder);
    const loop = new RSILoop({
      ...loopOptions(configuration),
      ...(await modelOption(configuration, await localFolder(store))),
      store: await openOrCreate(store),
    });
    onProblem(loop, (message) => void notice(message));
    const drops = new DropFolder(loop, folder, {
      // The command carries its own copy, so that nothing has to be installed.
      chokidar: await import('chokidar'),
      settleMs,
      ...(options.polling && { watch: 'polling' }),
      ...(options.delete && { keepDone: false }),
    });
    try {
      await loop.ready();
      await addCompanionKinds(loop);
      if (loop.hasLostStore) {
        throw new LoopError(
          'store-failed',
          `${shownStore(store)} cannot be used: name the folder of a loop with --store`,
        );
      }
      await attachAlerts(loop, alerts);
      if (options.once) {
        await write(process.stdout, `${describe(await pollUntilSettled(drops, settleMs))}\n`);
        await loop.runCycle();
        return drops.counts.rejected > 0 ? EXIT.attention : EXIT.done;
      }
      const interrupted = interruption();
      await write(process.stdout, `watching ${plain(folder)} for ${plain(shownStore(store))}; Ctrl-C ends it\n`);
      loop.start();
      await drops.start();
      return await untilStopped(drops, interrupted);
    } finally {
      await drops.close();
      await loop.close();
    }
  },
});

/** Number of settling times to wait for a file that is still being written; after that the next call reads it. */
const MAX_SETTLINGS = 10;
/** Shortest time to wait. A database takes 10 s to notice that the watcher which held the folder was killed. */
const MIN_WAIT_MS = 15_000;

/** Reads the files that are there, and waits for files that were written just now. */
async function pollUntilSettled(drops: DropFolder, settleMs: number): Promise<DropCounts> {
  const endMs = performance.now() + Math.max(MIN_WAIT_MS, MAX_SETTLINGS * settleMs);
  let counts = await drops.poll();
  while (counts.waiting > 0 && performance.now() < endMs) {
    await new Promise((resolve) => setTimeout(resolve, Math.max(100, settleMs + 10)));
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
    const why = `cannot read files from ${folder}: ${whyWords(cause)}; name another folder`;
    throw new LoopError('invalid-input', why, { cause });
  }
}

/** Prints counts of new records, at most once a second, until the command is asked to stop. */
async function untilStopped(drops: DropFolder, interrupted: Promise<ExitCode>): Promise<ExitCode> {
  let last = '';
  const show = () => {
    const line = describe(drops.counts);
    if (line !== last && drops.counts.files + drops.counts.rejected > 0) void write(process.stdout, `${line}\n`);
    last = line;
  };
  show();
  const timer = setInterval(show, 1_000);
  const exitCode = await interrupted;
  clearInterval(timer);
  // A file that is being read still counts.
  await drops.close();
  show();
  return exitCode;
}

function describe({ files, records, rejected, recovered, waiting }: DropCounts): string {
  const parts = [counted(records, 'record'), `${counted(files, 'file')} read`, `${whole(rejected)} rejected`];
  if (recovered > 0) parts.push(`${recovered} of them left behind by a process that died`);
  if (waiting > 0) parts.push(`${waiting} still being written, or held by another watcher`);
  return parts.join(', ');
}
