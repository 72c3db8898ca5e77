import { realpathSync } from 'node:fs';
import { delimiter, join, sep } from 'node:path';

/**
 * What a person types in front of the next command: `rsi` where their shell finds this very command, `npx rsi` where it
 * belongs to a project, `npx rsi-loop` where nothing is installed and npx fetched it: there, `npx rsi` would fetch a stranger.
 */
export function commandName(
  script: string = process.argv[1] ?? '',
  environment: NodeJS.ProcessEnv = process.env,
): 'rsi' | 'npx rsi' | 'npx rsi-loop' {
  if (script.split(sep).includes('_npx')) return 'npx rsi-loop';
  // What a package runner starts finds the commands of the project, which the shell of the person does not.
  const isByRunner = environment.npm_execpath !== undefined || environment.npm_config_user_agent !== undefined;
  return !isByRunner && isOnPath(script, environment.PATH ?? '') ? 'rsi' : 'npx rsi';
}

function isOnPath(script: string, path: string): boolean {
  const own = realOf(script);
  const names = process.platform === 'win32' ? ['rsi.cmd'] : ['rsi'];
  return path.split(delimiter).some((folder) =>
    names.some((name) => {
      const found = folder === '' ? undefined : realOf(join(folder, name));
      // A shim of Windows is a file of its own, and names what it starts inside.
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
