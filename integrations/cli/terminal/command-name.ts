import { realpathSync } from 'node:fs';
import { delimiter, join, sep } from 'node:path';

/**
 * Returns the prefix that a person types for the next command. It is `rsi` if their shell finds this very command, and
 * `npx rsi` if it belongs to a project. It is `npx rsi-loop` if npx fetched it, because `npx rsi` would then fetch an
 * unrelated package.
 */
export function commandName(
  script: string = process.argv[1] ?? '',
  environment: NodeJS.ProcessEnv = process.env,
): 'rsi' | 'npx rsi' | 'npx rsi-loop' {
  if (script.split(sep).includes('_npx')) return 'npx rsi-loop';
  // A package runner adds the project's commands to the path; the person's shell does not have them.
  const isByRunner = environment.npm_execpath !== undefined || environment.npm_config_user_agent !== undefined;
  return !isByRunner && isOnPath(script, environment.PATH ?? '') ? 'rsi' : 'npx rsi';
}

function isOnPath(script: string, path: string): boolean {
  const own = realOf(script);
  const names = process.platform === 'win32' ? ['rsi.cmd'] : ['rsi'];
  return path.split(delimiter).some((folder) =>
    names.some((name) => {
      const found = folder === '' ? undefined : realOf(join(folder, name));
      // A shim on Windows is a file of its own that contains the path of its target.
      return found !== undefined && (found === own || process.platform === 'win32');
    }),
  );
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
