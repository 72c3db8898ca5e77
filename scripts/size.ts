/** Bundles what users would ship, for the size budget in package.json: size-limit's file plugin measures, it does not bundle. */
import { rmSync } from 'node:fs';
import { build, type Plugin } from 'esbuild';

const BUNDLES: Readonly<Record<string, { readonly contents: string; readonly later?: boolean }>> = {
  // Everything that the main entry exports and all that it loads at once: what Node reads for it.
  index: { contents: `export * from './dist/index.js';` },
  loop: { contents: `export { RSILoop } from './dist/index.js';` },
  'classify-error': { contents: `export { classifyError } from './dist/index.js';` },
  // The same with the parts that a loop loads when it is made.
  'index-and-later': { contents: `export * from './dist/index.js';`, later: true },
};

/** Leaves what `import()` loads out of the bundle. */
const notLater: Plugin = {
  name: 'not-later',
  setup(setup) {
    setup.onResolve({ filter: /./ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    );
  },
};

const outdir = '.tmp/size';
rmSync(outdir, { recursive: true, force: true });
for (const [name, { contents, later }] of Object.entries(BUNDLES)) {
  await build({
    stdin: { contents, resolveDir: process.cwd(), sourcefile: `${name}.js` },
    outfile: `${outdir}/${name}.js`,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    logLevel: 'error',
    plugins: later ? [] : [notLater],
  });
}
