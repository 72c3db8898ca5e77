import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, relative, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';

/**
 * What the main entry needs at once is built as one file, `base`: opening a file costs Node more than reading it. The main
 * entry and all others take from there what they share, so the package holds one copy of everything.
 */
export interface Base {
  /** The file to build it from. */
  readonly entry: string;
  /** What it loads later, each an entry of its own so that its name is known. */
  readonly later: Readonly<Record<string, string>>;
  /** For the build of `base` itself: leaves out what it loads later. */
  readonly withoutLater: (extension: string) => Plugin;
  /** For the build of everything else: takes from `base` what is in it. */
  readonly withoutBase: (extension: string) => Plugin;
}

export async function findBase(mainEntry: string): Promise<Base> {
  const later: Record<string, string> = {};
  const found = await build({
    entryPoints: [mainEntry],
    bundle: true,
    format: 'esm',
    metafile: true,
    write: false,
    plugins: [
      {
        name: 'later',
        setup({ onResolve }) {
          onResolve({ filter: /./ }, ({ kind, path, resolveDir }) => {
            if (kind !== 'dynamic-import') return undefined;
            later[basename(path, '.js')] = source(resolveDir, path);
            return { path, external: true };
          });
        },
      },
    ],
  });
  const files = Object.keys(found.metafile.inputs).filter((file) => resolve(file) !== resolve(mainEntry));
  const names = await exportedNames(files);
  const entry = '.tmp/base.ts';
  mkdirSync('.tmp', { recursive: true });
  const lines = [...names].map(([file, own]) =>
    reexport(own, ([name, inBase]) => `${name} as ${inBase}`, relative('.tmp', file)),
  );
  writeFileSync(entry, lines.join(''));
  return { entry, later, withoutLater, withoutBase: (extension) => withoutBase(names, extension) };
}

/** Names of values by file: each with the name it has in `base`, where there is one of everything. */
type Names = ReadonlyMap<string, readonly (readonly [name: string, inBase: string])[]>;

async function exportedNames(files: readonly string[]): Promise<Names> {
  const { metafile } = await build({
    entryPoints: [...files],
    outdir: '.tmp/x',
    format: 'esm',
    metafile: true,
    write: false,
  });
  const outputs = Object.values(metafile.outputs).sort((one, other) =>
    (one.entryPoint ?? '') < (other.entryPoint ?? '') ? -1 : 1,
  );
  return new Map(
    outputs.map(({ entryPoint = '', exports }, index) => [
      resolve(entryPoint),
      exports.map((name) => [name, `${name}_${index}`] as const),
    ]),
  );
}

function withoutLater(extension: string): Plugin {
  return {
    name: 'without-later',
    setup({ onResolve }) {
      onResolve({ filter: /./ }, ({ kind, path }) =>
        kind === 'dynamic-import' ? { path: `./${basename(path, '.js')}${extension}`, external: true } : undefined,
      );
    },
  };
}

function withoutBase(names: Names, extension: string): Plugin {
  return {
    name: 'without-base',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\./ }, ({ path, resolveDir, importer, namespace }) => {
        if (namespace === 'base') return { path, external: true, sideEffects: false };
        const file = source(resolveDir, path);
        // A module for each importer, so that the bundler makes no file of what is shared by several. Its name stands in
        // comments of the package: nothing of this machine may be in it.
        return names.has(file)
          ? { path: relative('.', file), suffix: `?${relative('.', importer)}`, namespace: 'base', sideEffects: false }
          : undefined;
      });
      onLoad({ filter: /./, namespace: 'base' }, ({ path }) => ({
        contents: reexport(
          names.get(resolve(path)) ?? [],
          ([name, inBase]) => `${inBase} as ${name}`,
          `./base${extension}`,
        ),
        resolveDir: '.',
      }));
    },
  };
}

function reexport(
  names: readonly (readonly [string, string])[],
  write: (name: readonly [string, string]) => string,
  from: string,
): string {
  return `export { ${names.map(write).join(', ')} } from ${JSON.stringify(from)};\n`;
}

function source(folder: string, path: string): string {
  return resolve(folder, path.replace(/\.js$/, '.ts'));
}
