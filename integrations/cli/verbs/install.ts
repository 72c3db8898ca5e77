import { realpathSync } from 'node:fs';
import { LoopError } from 'rsi-loop';
import {
  type Installation,
  installClaude,
  type Report,
  SCOPES,
  type Scope,
  uninstallClaude,
} from '../install/claude.js';
import { reportingErrors } from '../store/open-loop.js';
import { plain } from '../terminal/text.js';
import { write } from '../terminal/write.js';
import { EXIT, type Verb } from '../verb.js';

interface Options {
  readonly scope: string;
  readonly store?: string;
}

/** `rsi install claude`: lets Claude Code tell the loop what it does. */
export const install: Verb = verb(
  'install',
  'let a coding agent tell the loop what it does',
  'Writes hooks into the settings of Claude Code, and says what it wrote: every tool call, turn and session becomes an outcome, and sessions are handed the rules on trial. Everything else in the file stays as it is. Doing it again changes nothing.',
  installClaude,
);

/** `rsi uninstall claude`: takes exactly that out again. */
export const uninstall: Verb = verb(
  'uninstall',
  'take out what install put in, and nothing else',
  'Takes the hooks that "rsi install" wrote out of the settings of Claude Code. What was recorded stays.',
  uninstallClaude,
);

function verb(
  name: string,
  summary: string,
  description: string,
  work: (about: Installation) => Promise<Report>,
): Verb {
  return {
    register(program, done) {
      program
        .command(name)
        .summary(summary)
        .description(description)
        .argument('<agent>', 'claude')
        .option('--scope <scope>', 'whose settings: project (shared), local (yours, in this project) or user', 'local')
        .option(
          '--store <folder>',
          'the folder of the loop (default: rsi_data in the project; .rsi_data at home for user)',
        )
        .action(async (agent: string, options: Options) => {
          done(
            await reportingErrors(async () => {
              const report = await work(readInstallation(agent, options));
              await write(process.stdout, report.map((line) => `${plain(line)}\n`).join(''));
              return EXIT.done;
            }),
          );
        });
    },
  };
}

function readInstallation(agent: string, { scope, store }: Options): Installation {
  if (agent !== 'claude')
    throw new LoopError(
      'invalid-input',
      `cannot set up ${agent}, only claude: let hooks of codex, gemini or cursor call "rsi hook <agent>" yourself`,
    );
  if (!SCOPES.includes(scope as Scope)) {
    throw new LoopError('invalid-input', `--scope is ${scope}: give ${SCOPES.join(', ')}`);
  }
  return {
    scope: scope as Scope, // just checked
    project: process.cwd(),
    command: realpathSync(process.argv[1] ?? 'rsi'),
    ...(store !== undefined && { store }),
  };
}
