// Runs the installed `rsi` command in this process, for the hooks and the MCP server of the plugin.
// An agent waits for it, so it searches few places and starts no other program. It never loads code from the folder that
// the agent works in: opening a repository must not run code of that repository.
import { accessSync, constants, realpathSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const command = findCommand();
if (command !== undefined) {
  process.argv[1] = command;
  await import(pathToFileURL(command).href);
} else {
  // A hook that answers nothing lets the agent go on.
  if (process.argv[2] === 'hook') process.stdout.write('{}\n');
  process.stderr.write('rsi-loop is not installed, so nothing is recorded: npm install --global rsi-loop\n');
  process.exitCode = process.argv[2] === 'hook' ? 0 : 2;
}

/** Returns the file of the command: of the package around this folder, or the first on the PATH. */
function findCommand() {
  const own = existing(join(here, '..', '..', 'dist', 'cli.js'));
  if (own !== undefined) return own;
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    if (!isAbsolute(folder) || isInside(folder, process.cwd())) continue;
    const found = existing(join(folder, 'rsi-loop'));
    if (found?.endsWith('.js')) return found;
  }
  return undefined;
}

/** Returns the real path of a file that can be read; undefined if there is none. */
function existing(path) {
  try {
    if (!isAbsolute(path)) return undefined;
    accessSync(path, constants.R_OK);
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function isInside(path, folder) {
  const way = relative(folder, path);
  return way === '' || (!way.startsWith('..') && !isAbsolute(way));
}
