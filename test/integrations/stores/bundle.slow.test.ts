import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { PostgresStore } from 'rsi-loop/stores/postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { all } from '../../../src/testing/sample-records.js';
import { runNode } from '../../run-node.js';
import { newSchema, type PostgresServer, startPostgres, whyNoPostgres } from './postgres-server.js';

const why = whyNoPostgres();
const ROOT = resolve(import.meta.dirname, '../../../.tmp');
let server: PostgresServer;
/** Folder of the sources, where the bundler finds the package, and one without packages, where the bundles run. */
let sources: string;
let elsewhere: string;

beforeAll(async () => {
  mkdirSync(ROOT, { recursive: true });
  sources = mkdtempSync(join(ROOT, 'bundle-'));
  elsewhere = mkdtempSync(join(tmpdir(), 'rsi-bundle-'));
  if (why === undefined) server = await startPostgres();
});
afterAll(async () => {
  await server?.stop();
  for (const folder of [sources, elsewhere]) rmSync(folder, { recursive: true, force: true });
});

/** An application that records one outcome. `store` is an expression. */
const application = (store: string, more = '') => `
import { RSILoop } from 'rsi-loop';
${more}
async function main() {
  const loop = new RSILoop({ store: ${store} });
  loop.on('problem', ({ message }) => console.log(message));
  await loop.ready();
  loop.observer.recordSimple('api_call', { success: false, error: '429 Too Many Requests' });
  await loop.close();
}
void main();`;

/** Bundles the application to one file, as a user would, and runs it in a folder without packages. Returns its output. */
async function outputOf(name: string, code: string, options: BuildOptions): Promise<string> {
  const entry = join(sources, `${name}.ts`);
  const outfile = join(elsewhere, `${name}.${options.format === 'cjs' ? 'cjs' : 'mjs'}`);
  writeFileSync(entry, code);
  await build({ entryPoints: [entry], outfile, bundle: true, platform: 'node', logLevel: 'error', ...options });
  const { code: exitCode, stdout, stderr } = await runNode([outfile], { cwd: elsewhere });
  expect([exitCode, stderr]).toEqual([0, '']);
  return stdout;
}

const ESM = { format: 'esm', target: 'node20' } as const;
const CJS = { format: 'cjs', target: 'node20' } as const;

describe('an application in one file', () => {
  it('says which store to give in place of an address or a folder', async () => {
    const address = application(`'postgres://agent:secret@127.0.0.1:1/app'`);
    for (const options of [ESM, CJS]) {
      const output = await outputOf('address', address, options);
      expect(output).toContain('in a bundle, give store: new PostgresStore({ url }) of rsi-loop/stores/postgres');
      expect(output).not.toContain('secret');
    }
    expect(await outputOf('folder', application(`'./rsi_data'`), ESM)).toContain(
      'in a bundle, give store: new FileStore(folder) of rsi-loop/node',
    );
  });

  it.skipIf(why)(`records into the database through that store${why ? ` (${why})` : ''}`, async () => {
    const schema = newSchema();
    const given = `new PostgresStore({ url: '${server.url}', schema: '${schema}' })`;
    const code = application(given, `import { PostgresStore } from 'rsi-loop/stores/postgres';`);
    expect(await outputOf('cjs', code, CJS)).toBe('');
    // The driver is a CommonJS package, which a bundle in ESM cannot load without this line.
    const js = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";
    expect(await outputOf('esm', code, { ...ESM, banner: { js } })).toBe('');
    expect(await outputOf('plain', code, ESM)).toContain('leave it out of a bundle');
    const store = new PostgresStore({ url: server.url, schema });
    expect(await all(store.journal.read())).toHaveLength(2);
    await store.close();
  });
});
