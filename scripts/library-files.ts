import { readFile, writeFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { transform } from 'esbuild';
import type { Options } from 'tsup';

/** Removes white space and shortens syntax of the written files. Names stay, so that stack traces can be read. */
export const minified: NonNullable<Options['plugins']>[number] = {
  name: 'minified',
  async buildEnd({ writtenFiles }) {
    const files = writtenFiles.map(({ name }) => name).filter((name) => name.endsWith('.js'));
    await Promise.all(
      files.map(async (file) => {
        const options = { minifyWhitespace: true, minifySyntax: true, target: 'node20', charset: 'utf8' } as const;
        const { code } = await transform(await readFile(file, 'utf8'), options);
        await writeFile(file, code);
      }),
    );
  },
};

/**
 * Writes a CommonJS file for each entry that loads the ES module beside it. Node does that since 20.19 and 22.12, and
 * both kinds of import then share one copy.
 */
export async function writeCommonJs(entries: readonly string[], folder: string): Promise<void> {
  for (const entry of entries) {
    await writeFile(posix.join(folder, `${entry}.cjs`), `module.exports = require('./${posix.basename(entry)}.js');\n`);
  }
}
