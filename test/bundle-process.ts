import { basename, join } from 'node:path';
import { build } from 'tsup';

/** Makes one file of a program that tests start hundreds of times: starting it must cost little. Gives its path. */
export async function bundleProcess(
  program: string,
  folder: string,
  options: { readonly external?: string[]; readonly noExternal?: string[] } = {},
): Promise<string> {
  const name = basename(program, '.ts');
  await build({
    entry: { [name]: program },
    outDir: folder,
    format: ['esm'],
    outExtension: () => ({ js: '.mjs' }),
    platform: 'node',
    target: 'node20',
    config: false,
    silent: true,
    ...options,
  });
  return join(folder, `${name}.mjs`);
}
