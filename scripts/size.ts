/** Bundles what users would ship, for the size budget in package.json: size-limit's file plugin measures, it does not bundle. */
import { rmSync } from 'node:fs';
import { build } from 'esbuild';

const BUNDLES: Readonly<Record<string, string>> = {
  index: `export * from './dist/index.js';`,
  record: `export * from './dist/record.js';`,
  'classify-error': `export { classifyError } from './dist/index.js';`,
};

const outdir = '.tmp/size';
rmSync(outdir, { recursive: true, force: true });
for (const [name, contents] of Object.entries(BUNDLES)) {
  await build({
    stdin: { contents, resolveDir: process.cwd(), sourcefile: `${name}.js` },
    outfile: `${outdir}/${name}.js`,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    logLevel: 'error',
  });
}
