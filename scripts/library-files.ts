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
 * Writes two small files for each entry. The CommonJS file loads the ES module beside it, which Node can do since 20.19
 * and 22.12. The types for `import` are those for `require`, which the bundler writes. Both kinds of import then share
 * one copy of code and types.
 */
export async function writeTwins(entries: readonly string[], folder: string): Promise<void> {
  for (const entry of entries) {
    const name = posix.basename(entry);
    await writeFile(posix.join(folder, `${entry}.cjs`), `module.exports = require('./${name}.js');\n`);
    await writeFile(posix.join(folder, `${entry}.d.ts`), `export * from './${name}.cjs';\n`);
  }
}
