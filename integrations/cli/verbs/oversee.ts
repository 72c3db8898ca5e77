import { basename } from 'node:path';
import { Option } from 'commander';
import { LoopError, RSILoop } from 'rsi-loop';
import { type LeftProcesses, type Receipt, supervise } from 'rsi-loop/oversee';
import { counted, dollars } from '../../reports/words/numbers.js';
import { EXIT, type ExitCode } from '../exit.js';
import { overseenCommand, runOverseen } from '../oversee/oversee-command.js';
import { openOrCreate } from '../store/open-store.js';
import { onInterrupt } from '../terminal/interrupt.js';
import { notice } from '../terminal/output.js';
import { plain } from '../terminal/terminal-text.js';
import { numberOption, storeOption, verb } from '../verb.js';

interface Options {
  readonly store: string;
  readonly budget?: number;
  readonly tokens?: number;
  readonly calls?: number;
  readonly minutes?: number;
  readonly memoryMb?: number;
  readonly processes?: number;
  readonly depth?: number;
  readonly restarts: number;
  readonly task?: string;
}

/** Time that a stopped agent has to end, in milliseconds. */
const GRACE_MS = 5_000;

/** The verb `rsi oversee -- <command>`: runs an agent of the command line inside limits. */
export const oversee = verb<Options, readonly string[]>({
  description:
    'Runs a command inside limits, and records its end in the folder of a loop. Of claude -p, the calls are read: the budget holds for their price, and an agent that repeats itself, is silent for 10 minutes or learns nothing new is stopped. Of any other command, the time, memory and processes are limited. A stop ends the command with all processes that it started, and prints a receipt. Processes that are left 5 seconds after the command are named and killed. Exit code 1 means that the command was stopped, failed, or left processes.',
  examples: [
    ['oversee --budget 5 -- claude -p "fix it"', 'at most 5 dollars'],
    ['oversee --minutes 30 -- npm run agent', 'any command'],
  ],
  options: [
    storeOption(),
    numberOption('--budget <usd>', 'dollars, at list prices', { min: 0, max: 1e6, decimals: true }),
    numberOption('--tokens <number>', 'tokens, input and output together', { min: 1, max: 1e12 }),
    numberOption('--calls <number>', 'calls of the model', { min: 1, max: 1e9 }),
    numberOption('--minutes <number>', 'duration', { min: 0, max: 1e6, decimals: true }),
    numberOption('--memory-mb <number>', 'resident memory of its processes, in MiB', { min: 1, max: 1e9 }),
    numberOption('--processes <number>', 'processes at the same time', { min: 1, max: 1e6 }),
    numberOption('--depth <number>', 'runs of rsi oversee inside each other', { min: 0, max: 1_000 }),
    numberOption('--restarts <number>', 'starts it again if it fails, this often', { min: 0, max: 1_000 }).default(0),
    new Option('--task <name>', 'name of the task in the loop (default: the command)'),
  ],
  run: async (options, words) => {
    const { budget: usd, tokens, calls, restarts, task = basename(words[0] ?? '') } = options;
    const { minutes, memoryMb, processes, depth } = options;
    const overseen = overseenCommand(words);
    const amount = { ...given({ usd, tokens, calls }) };
    if (!overseen.reports && Object.keys(amount).length > 0) {
      const why =
        'only the calls of "claude -p" can be read: limit other commands by --minutes, --memory-mb, --processes';
      throw new LoopError('invalid-input', why);
    }
    const loop = new RSILoop({ store: await openOrCreate(options.store), autoFix: false });
    const { signal, release } = onInterrupt(['SIGINT', 'SIGTERM', 'SIGHUP']);
    let receipt: Receipt | undefined;
    let left: LeftProcesses | undefined;
    const guarded = supervise(loop, {
      budget: { ...amount, ...given({ minutes, memoryMb, processes, depth }) },
      graceMs: GRACE_MS,
      ...(!overseen.reports && { watch: false }),
      onFinding: ({ step, message }) => {
        if (step === 'notify') void notice(`${task}: ${message}`);
      },
      onLeft: (processes) => {
        left = processes;
      },
      onStop: (stopped) => {
        receipt = stopped;
      },
    });
    // A second Ctrl-C exits immediately.
    process.once('exit', guarded.killProcesses);
    try {
      await guarded(
        task,
        async (run) => {
          let code = await runOverseen(run, overseen);
          for (let again = 1; code !== 0 && again <= restarts && !run.signal.aborted; again++) {
            await notice(`${plain(task)} ended with exit code ${code}: restart ${again} of ${restarts}`);
            code = await runOverseen(run, overseen);
          }
          if (run.signal.aborted) return;
          if (overseen.reports) await notice(`${plain(task)}: ${spentText(run.spent())}`);
          if (code !== 0) throw new CommandFailed(`${task} ended with exit code ${code}`);
        },
        { signal },
      );
      return await endOf(undefined, { receipt, left, isInterrupted: signal.aborted, reports: overseen.reports });
    } catch (error) {
      return await endOf(error, { receipt, left, isInterrupted: signal.aborted, reports: overseen.reports });
    } finally {
      process.off('exit', guarded.killProcesses);
      release();
      await loop.close();
    }
  },
});

/** Error of the command, which has printed its own. */
class CommandFailed extends Error {}

interface End {
  readonly receipt: Receipt | undefined;
  readonly left: LeftProcesses | undefined;
  readonly isInterrupted: boolean;
  /** Whether the calls of the command were read. */
  readonly reports: boolean;
}

/** Prints the receipt of a stop and what was left, and returns the exit code. */
async function endOf(error: unknown, { receipt, left, isInterrupted, reports }: End): Promise<ExitCode> {
  if (receipt) {
    const { task, why, message, spent, durationMs, running } = receipt;
    const minutes = `${(durationMs / 60_000).toFixed(1)} minutes`;
    await notice(`${plain(task)} was stopped ${isInterrupted ? 'at your request' : `(${why}): ${plain(message)}`}`);
    const used = reports ? `${spentText(spent)} in` : 'after';
    await notice(`${used} ${minutes}; in progress: ${running.map(plain).join(', ') || 'nothing'}`);
    return isInterrupted ? EXIT.interrupted : EXIT.attention;
  }
  if (left) {
    const names = left.processes.map(plain).join(', ') || 'unknown ones';
    await notice(`${plain(left.command)} ended and left processes, which were killed: ${names}`);
  }
  if (error === undefined) return left ? EXIT.attention : EXIT.done;
  if (error instanceof CommandFailed) return EXIT.attention;
  throw error;
}

function spentText({ usd, tokens, calls }: Receipt['spent']): string {
  return `${dollars(usd)}, ${counted(tokens, 'token')}, ${counted(calls, 'call')}`;
}

function given<Fields extends object>(fields: Fields): Partial<Fields> {
  // The absent ones are left out.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<Fields>;
}
