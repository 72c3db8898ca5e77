/** Bundles what users would ship, for the size budget in package.json: size-limit's file plugin measures, it does not bundle. */
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';

const BUNDLES: Readonly<Record<string, string>> = {
  index: `export * from './dist/index.js';`,
  record: `export * from './dist/record.js';`,
  'classify-error': `export { classifyError } from './dist/index.js';`,
};

const outdir = '.tmp/size';
rmSync(outdir, { recursive: true, force: true });
for (const [name, contents] of Object.entries(BUNDLES)) {
  const { metafile } = await build({
    stdin: { contents, resolveDir: process.cwd(), sourcefile: `${name}.js` },
    outdir: join(outdir, name),
    // esbuild adds what the judge shares with a function to each file of a split bundle, although nothing loads the judge.
    splitting: name !== 'classify-error',
    entryNames: 'main',
    ...{ bundle: true, minify: true, metafile: true, format: 'esm' },
    ...{ platform: 'neutral', target: 'es2022', logLevel: 'error' },
  });
  sortOut(name, metafile.outputs);
}

/** Moves the files that are loaded only while a program runs to a folder of their own: `index/` and `index-late/`. */
function sortOut(name: string, outputs: Readonly<Record<string, { readonly imports: readonly Import[] }>>): void {
  const first = new Set<string>();
  const visit = (file: string) => {
    if (first.has(file)) return;
    first.add(file);
    for (const { path, kind } of outputs[file]?.imports ?? []) if (kind === 'import-statement') visit(path);
  };
  visit(join(outdir, name, 'main.js'));
  mkdirSync(join(outdir, `${name}-late`), { recursive: true });
  for (const file of Object.keys(outputs)) {
    if (!first.has(file)) renameSync(file, join(outdir, `${name}-late`, basename(file)));
  }
}

interface Import {
  readonly path: string;
  readonly kind: string;
}
