import { realpathSync } from 'node:fs';
import { Option } from 'commander';
import { LoopError } from 'rsi-loop';
import { EXIT } from '../exit.js';
import { type Installation, installClaude, SCOPES, type Scope, uninstallClaude } from '../install/claude.js';
import { prose, write } from '../terminal/output.js';
import { plain } from '../terminal/terminal-text.js';
import { type Verb, type VerbSpec, verb } from '../verb.js';

interface Options {
  readonly scope: Scope;
  readonly store?: string;
  readonly weekly?: true;
}

/** The verb `rsi install claude`: makes Claude Code report to the loop. */
export const install = settingsVerb(
  {
    description:
      'Writes hooks into the settings of Claude Code and prints what it wrote. Every tool call, turn and session becomes an outcome, and sessions get the rules on trial. Everything else in the file stays as it is. Running it again changes nothing.',
    examples: [
      ['install claude', 'your settings in this project'],
      ['install claude --scope project', 'those that go with the repository'],
    ],
  },
  installClaude,
  [new Option('--weekly', 'begin a session with a line on the last 7 days, once a week; the agent does not get it')],
);

/** The verb `rsi uninstall claude`: removes exactly what the installation added. */
export const uninstall = settingsVerb(
  {
    description: 'Removes the hooks that "rsi install" wrote from the settings of Claude Code. Records stay.',
    examples: [
      ['uninstall claude', 'your settings in this project'],
      ['uninstall claude --scope user', 'yours everywhere'],
    ],
  },
  uninstallClaude,
);

function settingsVerb(
  words: Pick<VerbSpec<Options>, 'description' | 'examples'>,
  work: (installation: Installation) => Promise<readonly string[]>,
  more: readonly Option[] = [],
): Verb {
  return verb<Options, string>({
    ...words,
    options: [
      new Option('--scope <scope>', 'whose settings: of the project (shared), yours in it, or yours everywhere')
        .choices(SCOPES)
        .default('local'),
      new Option(
        '--store <folder>',
        'the folder of the loop (default: rsi_data in the project, or that of rsi.config for local; .rsi_data at home for user)',
      ),
      ...more,
    ],
    run: async ({ scope, store, weekly }, agent, config) => {
      // Settings that are shared must not hold a path of one machine, and those of a user hold for every project.
      const folder = store ?? (scope === 'local' ? (await config()).values.store : undefined);
      const lines = await work({ ...readInstallation(agent, scope, folder), ...(weekly && { weekly }) });
      // A command, which is indented, stays on one line, so that it can be copied.
      const shown = lines.map((line) => (line.startsWith('  ') ? `  ${plain(line)}\n` : prose(plain(line))));
      await write(process.stdout, shown.join(''));
      return EXIT.done;
    },
  });
}

function readInstallation(agent: string, scope: Scope, store: string | undefined): Installation {
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
