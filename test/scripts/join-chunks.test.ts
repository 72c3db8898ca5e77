import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { joinChunks } from '../../scripts/join-chunks.js';
import { markPure } from '../../scripts/mark-pure.js';
import { testFolder } from '../node/folder.js';

/** Modules that the entries share in all combinations, so that each becomes a chunk. */
const SOURCES: Readonly<Record<string, string>> = {
  index: `import { a } from './a.js'; import { b } from './b.js'; import { c } from './c.js'; import { d } from './d.js';
    import { e } from './e.js'; import { g } from './g.js'; export const all = [a, b, c, d, e, g].join(); export const late = () => import('./late.js');`,
  record: `import { a } from './a.js'; import { e } from './e.js'; export const part = a + e;`,
  e: `export const e = 'e';`,
  g: `import { e } from './e.js'; export const g = e + 'g';`,
  parts: `export { a } from './a.js'; export { b as second } from './b.js'; export { same } from './c.js';`,
  small: `export { d } from './d.js';`,
  'deep/inner': `export { b } from '../b.js'; export { g } from '../g.js';`,
  a: `export const a = 'a'; export const same = 'same of a';`,
  b: `import { a } from './a.js'; export const b = a + 'b';`,
  c: `export const c = 'c'; export const same = 'same of c';`,
  d: `export const d = 'd';`,
  late: `import { f } from './f.js'; import { c } from './c.js'; import { h } from './h.js'; import { i } from './i.js'; import { k } from './k.js';
    export const late = f + c; export const rest = h + i + k;`,
  f: `export const f = 'f';`,
  store: `export { h } from './h.js';`,
  judge: `export { i } from './i.js'; export { k } from './k.js';`,
  other: `export { i } from './i.js';`,
  h: `export const h = 'h';`,
  i: `export const i = 'i';`,
  k: `export const k = 'k';`,
};

async function chunksOf(folder: string) {
  mkdirSync(join(folder, 'deep'));
  for (const [name, code] of Object.entries(SOURCES)) writeFileSync(join(folder, `${name}.js`), code);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const names = ['index', 'record', 'parts', 'small', 'deep/inner', 'store', 'judge', 'other'];
  const entries = names.map((name) => [name, join(folder, `${name}.js`)]);
  const outdir = join(folder, 'dist');
  await build({
    ...{ entryPoints: Object.fromEntries(entries), outdir, absWorkingDir: folder },
    ...{ bundle: true, splitting: true, format: 'esm', logLevel: 'error' },
  });
  const files = readdirSync(outdir, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
  const of = (name: string) => join(outdir, `${name}.js`);
  const left = await joinChunks(
    files.map((name) => join(outdir, name)),
    { whole: of('index'), part: of('record'), beside: of('store'), apart: [of('small')] },
  );
  const load = (name: string) => import(/* @vite-ignore */ pathToFileURL(of(name)).href);
  return { files, left, of, load };
}

describe('joined chunks', () => {
  it('export to every entry what the chunks did, in two files', async () => {
    const { files, left, of, load } = await chunksOf(testFolder());
    expect(left.length).toBeLessThan(files.length);
    expect(left.every((file) => existsSync(file))).toBe(true);
    expect(left).toEqual(expect.arrayContaining([of('index-parts'), of('record-parts')]));
    const { all, late } = await load('index');
    expect(all).toBe('a,ab,c,d,e,eg');
    expect(await late()).toMatchObject({ late: 'fc' });
    expect(await load('record')).toMatchObject({ part: 'ae' });
    expect(await load('parts')).toMatchObject({ a: 'a', second: 'ab', same: 'same of c' });
    expect(await load('deep/inner')).toMatchObject({ b: 'ab', g: 'eg' });
  });

  it('stay files if a small entry loads them', async () => {
    const { of, load } = await chunksOf(testFolder());
    expect(readFileSync(of('small'), 'utf8')).not.toContain('-parts.js');
    expect(await load('small')).toMatchObject({ d: 'd' });
  });
});

describe('the judge', () => {
  it('is not loaded by the entry that opens stores', async () => {
    const { of, load } = await chunksOf(testFolder());
    expect(readFileSync(of('judge'), 'utf8')).toContain('judge-parts.js');
    expect(readFileSync(of('store'), 'utf8')).not.toContain('-parts.js');
    expect(await load('store')).toMatchObject({ h: 'h' });
    expect(await (await load('index')).late()).toMatchObject({ rest: 'hik' });
  });
});

describe('constants of a minified file', () => {
  it('are left out by bundlers if nothing uses them', async () => {
    const code =
      'var a=f("unused").g(),b=new K(h(1)),c=()=>f(2);function f(x){return{g:()=>x}}function h(x){return x}class K{constructor(x){this.x=x}}export{a as unused,b as other,c as used};';
    const marked = markPure(code);
    const bundled = async (contents: string) => {
      const chunk = { name: 'chunk', setup: (on: Parameters<typeof pluginOf>[0]) => pluginOf(on, contents) };
      const { outputFiles } = await build({
        stdin: { contents: 'export { used } from "chunk";' },
        ...{ bundle: true, write: false, format: 'esm', plugins: [chunk] },
      });
      return outputFiles[0]?.text ?? '';
    };
    expect(await bundled(code)).toContain('unused');
    expect(await bundled(marked)).not.toMatch(/unused|new K/);
    expect(marked.replaceAll('/* @__PURE__ */', '')).toBe(code);
  });
});

function pluginOf({ onLoad, onResolve }: import('esbuild').PluginBuild, contents: string): void {
  onResolve({ filter: /^chunk$/ }, () => ({ path: 'chunk', namespace: 'test' }));
  onLoad({ filter: /./, namespace: 'test' }, () => ({ contents, loader: 'js' }));
}
