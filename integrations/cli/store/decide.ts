import { userInfo } from 'node:os';
import type { Command } from 'commander';
import { type Answer, type Fix, LoopError, type RSILoop } from 'rsi-loop';
import { commandsFor } from '../fixes/commands.js';
import { findFix } from '../fixes/find-fix.js';
import { paintStatus, statusWords } from '../fixes/status.js';
import { paintFor } from '../terminal/paint.js';
import { prose } from '../terminal/say.js';
import { plain, plainJson } from '../terminal/text.js';
import { write } from '../terminal/write.js';
import { EXIT, type Example, type ExitCode, examples, type Verb } from '../verb.js';
import { DEFAULT_STORE, type NextCommand, nextCommand } from './next-command.js';
import { reportingErrors, withLoop } from './open-loop.js';
import { withWorkspace, workspaceOf } from './workspace.js';

interface Options {
  readonly store: string;
  readonly by?: string;
  readonly reason?: string;
  readonly workspace?: string;
  readonly json?: true;
}

interface Words {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly examples: readonly Example[];
}

/**
 * Creates a verb that decides on one fix: `rsi <name> <id> --by <name> --reason <text>`. `follows` describes the
 * effect. With `files` it may write into the agent's own files.
 */
export function fixDecision(
  words: Words & { readonly follows: (fix: Fix, loop: RSILoop) => string; readonly files?: true },
  decide: (loop: RSILoop, id: string, answer: Answer) => Promise<Fix>,
): Verb {
  return {
    register(program, done) {
      const command = withOptions(program.command(words.name), words);
      if (words.files) withWorkspace(command);
      command
        .argument('<id>', 'the id of the fix, or the beginning of it')
        .action(async (id: string, options: Options) => {
          done(
            await decided(options, async (loop, answer, next) => {
              const before = findFix(loop, id, next);
              const fix = await decide(loop, before.id, answer).catch((error: unknown) => {
                throw inWords(error, words.name, before, next);
              });
              const status = paintStatus(fix.status, fix.status, paintFor(process.stdout));
              const text = `${plain(fix.id)} is ${status} now: ${words.follows(fix, loop)}`;
              return { text, document: { format: 'rsi-decision/1', fix } };
            }),
          );
        });
    },
  };
}

/** Converts an illegal step into a message with the steps that the fix allows, as commands. */
function inWords(error: unknown, verb: string, fix: Fix, next: NextCommand): unknown {
  if (!LoopError.is(error) || error.code !== 'illegal-step') return error;
  const commands = commandsFor(fix, next).map(([command, does]) => `"${command}" ${does}`);
  const wait = fix.status === 'trial' && fix.verdict === undefined ? 'wait for its verdict; ' : '';
  const instead = commands.length === 0 ? 'nothing can be decided on it any more' : `${wait}${commands.join('; ')}`;
  return new LoopError('illegal-step', `cannot ${verb} ${fix.id}, which is ${statusWords(fix.status)}: ${instead}`, {
    cause: error,
  });
}

/** Creates a verb that decides on the whole loop. `decide` returns the message to print. */
export function loopDecision(
  words: Words,
  decide: (loop: RSILoop, answer: Answer, next: NextCommand) => Promise<string>,
): Verb {
  return {
    register(program, done) {
      withOptions(program.command(words.name), words).action(async (options: Options) => {
        done(
          await decided(options, async (loop, answer, next) => {
            const text = await decide(loop, answer, next);
            return { text, document: { format: 'rsi-freeze/1', frozen: loop.frozen() ?? null } };
          }),
        );
      });
    },
  };
}

/** Creates a verb that answers a question about all tasks of one name: `rsi <name> <task>`, or with `--no`. */
export function taskDecision(
  words: Words & { readonly no: string },
  decide: (loop: RSILoop, task: string, isNo: boolean, answer: Answer) => Promise<string>,
): Verb {
  return {
    register(program, done) {
      withOptions(program.command(words.name), words)
        .argument('<task>', 'the name of the task, as the program that runs it calls it')
        .option('--no', words.no)
        .action(async (task: string, { no, ...options }: Options & { readonly no?: true }) => {
          const isNo = no === true;
          done(
            await decided(options, async (loop, answer) => {
              const text = await decide(loop, task, isNo, answer);
              return { text, document: { format: 'rsi-repeatable/1', task, mayRepeat: !isNo, by: answer.by } };
            }),
          );
        });
    },
  };
}

function withOptions(command: Command, { summary, description, ...words }: Words): Command {
  return command
    .summary(summary)
    .description(description)
    .addHelpText('after', examples(...words.examples))
    .option('--store <folder>', 'the folder of the loop', DEFAULT_STORE)
    .option('--by <name>', 'who decides (default: the user of the system)')
    .option('--reason <text>', 'why; stands in the ledger for ever')
    .option('--json', 'print one JSON document instead');
}

interface Decided {
  readonly text: string;
  readonly document: object;
}

function decided(
  { store, by, reason, workspace, json }: Options,
  decide: (loop: RSILoop, answer: Answer, next: NextCommand) => Promise<Decided>,
): Promise<ExitCode> {
  return reportingErrors(async () => withLoop(store, 'decide', work, workspaceOf(workspace)));
  async function work(loop: RSILoop): Promise<ExitCode> {
    const answer = { by: by ?? userName(), ...(reason !== undefined && { reason }) };
    if (answer.by.trim() === '') throw new LoopError('invalid-input', '--by is empty: say who decides');
    const { text, document } = await decide(loop, answer, nextCommand(store));
    await write(process.stdout, json ? `${plainJson(document)}\n` : prose(text, process.stdout));
    return EXIT.done;
  }
}

/**
 * Returns the name of the user.
 * @throws LoopError if the system has no name for the user, as in some containers.
 */
function userName(): string {
  try {
    return userInfo().username;
  } catch (cause) {
    throw new LoopError('invalid-input', 'the system has no name for its user: say who decides with --by', { cause });
  }
}
