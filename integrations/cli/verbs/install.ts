import { realpathSync } from 'node:fs';
import { Option } from 'commander';
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
import { prose } from '../terminal/say.js';
import { plain } from '../terminal/text.js';
import { write } from '../terminal/write.js';
import { EXIT, type Example, examples, type Verb } from '../verb.js';

interface Options {
  readonly scope: Scope;
  readonly store?: string;
}

/** The verb `rsi install claude`: makes Claude Code report to the loop. */
export const install: Verb = verb(
  {
    name: 'install',
    summary: 'let a coding agent tell the loop what it does',
    examples: [
      ['install claude', 'your settings in this project'],
      ['install claude --scope project', 'those that go with the repository'],
    ],
    description:
      'Writes hooks into the settings of Claude Code, and says what it wrote: every tool call, turn and session becomes an outcome, and sessions are handed the rules on trial. Everything else in the file stays as it is. Doing it again changes nothing.',
  },
  installClaude,
);

/** The verb `rsi uninstall claude`: removes exactly what the installation added. */
export const uninstall: Verb = verb(
  {
    name: 'uninstall',
    summary: 'take out what install put in, and nothing else',
    examples: [
      ['uninstall claude', 'your settings in this project'],
      ['uninstall claude --scope user', 'yours everywhere'],
    ],
    description:
      'Takes the hooks that "rsi install" wrote out of the settings of Claude Code. What was recorded stays.',
  },
  uninstallClaude,
);

interface Words {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly examples: readonly Example[];
}

function verb(words: Words, work: (about: Installation) => Promise<Report>): Verb {
  return {
    register(program, done) {
      program
        .command(words.name)
        .summary(words.summary)
        .description(words.description)
        .addHelpText('after', examples(...words.examples))
        .argument('<agent>', 'claude')
        .addOption(
          new Option('--scope <scope>', 'whose settings: of the project (shared), yours in it, or yours everywhere')
            .choices(SCOPES)
            .default('local'),
        )
        .option(
          '--store <folder>',
          'the folder of the loop (default: rsi_data in the project; .rsi_data at home for user)',
        )
        .action(async (agent: string, options: Options) => {
          done(
            await reportingErrors(async () => {
              const report = await work(readInstallation(agent, options));
              await write(process.stdout, report.map((line) => shown(line)).join(''));
              return EXIT.done;
            }),
          );
        });
    },
  };
}

/** Formats a line. A command stays on one line, so that it can be copied. */
function shown(line: string): string {
  return line.startsWith('  ') ? `  ${plain(line)}\n` : prose(plain(line), process.stdout);
}

function readInstallation(agent: string, { scope, store }: Options): Installation {
  if (agent !== 'claude')
    throw new LoopError(
      'invalid-input',
      `cannot set up ${agent}, only claude: let the hooks of codex, gemini or cursor call "rsi hook ${agent}" yourself`,
    );
  return {
    scope,
    project: process.cwd(),
    command: realpathSync(process.argv[1] ?? 'rsi'),
    ...(store !== undefined && { store }),
  };
}
