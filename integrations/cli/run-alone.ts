import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT, type ExitCode } from './exit.js';
import { commandName } from './terminal/command-name.js';
import { DEFAULT_STORE, widthOf } from './terminal/look.js';
import { write } from './terminal/output.js';
import { wrap } from './terminal/terminal-text.js';

/** Runs `rsi` without a verb: calls `status` in a folder that has records, or else prints how to begin. */
export async function runAlone(status: () => Promise<ExitCode>): Promise<ExitCode> {
  if (existsSync(join(DEFAULT_STORE, 'store.json'))) return status();
  const { reportingErrors } = await import('./terminal/report-errors.js');
  return reportingErrors(async () => {
    const { loadConfig } = await import('./config/load.js');
    const { store } = (await loadConfig()).values;
    if (store !== undefined && existsSync(join(store, 'store.json'))) return status();
    await write(process.stdout, beginning(widthOf(process.stdout)));
    return EXIT.done;
  });
}

/** Renders the first commands to type, for a folder without records. */
function beginning(width: number): string {
  const name = commandName();
  const lines = [
    ...wrap(`No records in ${DEFAULT_STORE} yet. ${NEEDS_NOTHING}`, width),
    ...BEGINNING.flatMap(([words, does]) => [
      '',
      `  ${name} ${words}`,
      ...wrap(does, width - 6).map((line) => `      ${line}`),
    ]),
    '',
    `${name} --help lists all commands`,
  ];
  return `${lines.join('\n')}\n`;
}

const NEEDS_NOTHING = 'Nothing here needs an account or a key, and no data leaves this machine.';
const BEGINNING = [
  ['analyze ~/.claude/projects', 'shows what fails most in logs that you have; writes nothing'],
  ['init', 'shows how to attach a loop to this project, and asks'],
  ['serve', 'records what your own agents send, in any language'],
] as const;
