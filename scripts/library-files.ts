import { readFile, writeFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { type Plugin, transform } from 'esbuild';
import type { Options } from 'tsup';
import { breakLines } from './break-lines.js';
import { joinChunks } from './join-chunks.js';
import { markPure } from './mark-pure.js';

/** Maximum length of a line of code. Node prints the whole source line of an uncaught error. */
const LINE_LIMIT = 200;

/** Packages that the library carries: a reader of YAML and one of cron patterns. */
const BUNDLED: readonly string[] = ['js-yaml', 'croner'];

/** Files of the main entry, of which users bundle parts. */
const LIBRARY = /^(?:index|index-parts|record-parts)\.js$/;

/**
 * Joins chunks, removes white space, and shortens the syntax and the local names of the written files. Names of methods
 * and exports stay, so stack traces still name the call of the host.
 */
export const minified: NonNullable<Options['plugins']>[number] = {
  name: 'minified',
  async buildEnd({ writtenFiles }) {
    const written = writtenFiles.map(({ name }) => name).filter((name) => name.endsWith('.js'));
    const main = { whole: 'dist/index.js', part: 'dist/record.js', beside: 'dist/node.js' };
    const entries = { ...main, apart: ['dist/loop-detector.js'] };
    const files = await joinChunks(written, entries);
    const codes = await Promise.all(
      files.map(async (file) => {
        const { code } = await transform(await readFile(file, 'utf8'), {
          minify: true,
          format: 'esm',
          target: 'node20',
          charset: 'utf8',
        });
        return [file, code] as const;
      }),
    );
    // The file with what CommonJS packages need. The bundler names it in every entry, but only the command uses it.
    const helpers = codes.filter(([, code]) => code.includes('typeof require')).map(([file]) => posix.basename(file));
    await Promise.all(
      codes.map(([file, code]) => {
        const own = withoutImportsOf(helpers, code);
        const name = posix.basename(file);
        const text = helpers.includes(name) ? withRequire(own) : LIBRARY.test(name) ? markPure(own) : own;
        return writeFile(file, breakLines(text, LINE_LIMIT));
      }),
    );
  },
};

/** Removes imports that only load a file and take nothing from it. */
function withoutImportsOf(files: readonly string[], code: string): string {
  return files.reduce((text, file) => text.replace(new RegExp(`import"(?:\\.{1,2}/)+${file}";`, 'g'), ''), code);
}

/** CommonJS packages in the command call `require`, which an ES module does not have. */
function withRequire(code: string): string {
  return `import{createRequire as rsiRequire}from'node:module';const require=rsiRequire(import.meta.url);\n${code}`;
}

/** Packages that the command imports and does not carry. */
export const INSTALLED_BY_USERS: readonly string[] = ['ioredis'];

/**
 * Bundles the packages that the command imports. Leaves out `INSTALLED_BY_USERS` and those that the library imports: users install
 * these.
 */
export const packagesOfCommand: Plugin = {
  name: 'packages-of-command',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, importer, kind }) => {
      if (kind === 'entry-point') return undefined;
      const isOfCommand = /[\\/](?:node_modules|integrations[\\/]cli)[\\/]/.test(importer) || BUNDLED.includes(path);
      return isOfCommand && !/^(?:rsi-loop(?:\/|$)|node:)/.test(path) && !INSTALLED_BY_USERS.includes(path)
        ? undefined
        : { path, external: true };
    });
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
