import { userInfo } from 'node:os';
import type { Command } from 'commander';
import { type Answer, type Fix, LoopError, type RSILoop } from 'rsi-loop';
import { findFix } from '../fixes/find-fix.js';
import { paintStatus } from '../fixes/status.js';
import { paintFor } from '../terminal/paint.js';
import { plain } from '../terminal/text.js';
import { write } from '../terminal/write.js';
import { EXIT, type ExitCode, type Verb } from '../verb.js';
import { DEFAULT_STORE, withLoop } from './open-loop.js';
import { withWorkspace, workspaceOf } from './workspace.js';

interface Options {
  readonly store: string;
  readonly by?: string;
  readonly reason?: string;
  readonly workspace?: string;
}

interface Words {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
}

/**
 * A verb that decides on one fix: `rsi <name> <id> --by <name> --reason <text>`. `next` says what follows from it. With
 * `files` it may write into the agent's own files.
 */
export function fixDecision(
  words: Words & { readonly next: (fix: Fix, loop: RSILoop) => string; readonly files?: true },
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
            await decided(options, async (loop, answer) => {
              const fix = await decide(loop, findFix(loop, id).id, answer);
              const paint = paintFor(process.stdout);
              const status = paintStatus(fix.status, fix.status, paint);
              return `${plain(fix.id)} is ${status} now: ${words.next(fix, loop)}`;
            }),
          );
        });
    },
  };
}

/** A verb that decides on the whole loop. `decide` gives what to say. */
export function loopDecision(words: Words, decide: (loop: RSILoop, answer: Answer) => Promise<string>): Verb {
  return {
    register(program, done) {
      withOptions(program.command(words.name), words).action(async (options: Options) => {
        done(await decided(options, decide));
      });
    },
  };
}

function withOptions(command: Command, { summary, description }: Words): Command {
  return command
    .summary(summary)
    .description(description)
    .option('--store <folder>', 'the folder of the loop', DEFAULT_STORE)
    .option('--by <name>', 'who decides (default: the user of the system)')
    .option('--reason <text>', 'why; stands in the ledger for ever');
}

function decided(
  { store, by, reason, workspace }: Options,
  decide: (loop: RSILoop, answer: Answer) => Promise<string>,
): Promise<ExitCode> {
  return withLoop(store, 'decide', work, workspaceOf(workspace));
  async function work(loop: RSILoop): Promise<ExitCode> {
    const answer = { by: by ?? userName(), ...(reason !== undefined && { reason }) };
    if (answer.by.trim() === '') throw new LoopError('invalid-input', '--by is empty: say who decides');
    await write(process.stdout, `${await decide(loop, answer)}\n`);
    return EXIT.done;
  }
}

/** @throws LoopError where the system has no name for its user, as in some containers. */
function userName(): string {
  try {
    return userInfo().username;
  } catch (cause) {
    throw new LoopError('invalid-input', 'the system has no name for its user: say who decides with --by', { cause });
  }
}
