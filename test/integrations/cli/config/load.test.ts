import { chmodSync, chownSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../../integrations/cli/config/load.js';

let folder = '';
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'rsi-config-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

const load = (cwd = '.', env: NodeJS.ProcessEnv = {}) => loadConfig({ cwd: join(folder, cwd), env });
const keysOf = async (...args: Parameters<typeof load>) =>
  Object.fromEntries([...(await load(...args)).settings].map(([key, { value, from }]) => [key, [value, from.name]]));

describe('the configuration', () => {
  it.for<[name: string, text: string]>([
    ['rsi.config.mjs', 'await 0; export default { loop: { alpha: 0.01 } }'],
    ['rsi.config.js', 'module.exports = { loop: { alpha: 0.01 } }'],
    ['rsi.config.json', '\ufeff{ "loop": { "alpha": 0.01 } }'],
    ['rsi.config.ts', 'export default { loop: { alpha: 0.01 as number } } satisfies object;'],
  ])('is read from %s', async ([name, text]) => {
    write('package.json', '{}');
    write('node_modules/typescript/index.js', TYPESCRIPT);
    write(name, text);
    expect(await keysOf()).toEqual({ 'loop.alpha': [0.01, name] });
  });

  it('takes each value from the place that has the last word', async () => {
    write('package.json', '{ "rsi": { "store": "./one", "loop": { "alpha": 0.01, "source": "a", "holdout": 0.1 } } }');
    write('rsi.config.json', '{ "loop": { "alpha": 0.02, "source": "b" } }');
    expect(await keysOf('.', { RSI_LOOP_ALPHA: '0.03' })).toEqual({
      store: [join(folder, 'one'), '"rsi" in package.json'],
      'loop.holdout': [0.1, '"rsi" in package.json'],
      'loop.source': ['b', 'rsi.config.json'],
      'loop.alpha': [0.03, 'RSI_LOOP_ALPHA'],
    });
  });

  it('resolves a path against the folder of the file that names it, and of a variable against the working folder', async () => {
    write('package.json', '{}');
    write('rsi.config.json', '{ "store": "data" }');
    write('src/deep/file', '');
    expect((await load('src/deep')).values.store).toBe(join(folder, 'data'));
    expect((await load('src/deep', { RSI_STORE: 'data' })).values.store).toBe(join(folder, 'src/deep/data'));
  });

  it('is searched up to the folder that holds .git, and no further', async () => {
    write('rsi.config.json', '{ "store": "outside" }');
    write('project/.git/HEAD', '');
    write('project/packages/one/package.json', '{}');
    const { values, files } = await load('project/packages/one');
    expect(values).toEqual({});
    expect(files.searched).toEqual(['project/packages/one', 'project/packages', 'project'].map((x) => join(folder, x)));
    write('project/rsi.config.json', '{ "store": "inside" }');
    expect((await load('project/packages/one')).values.store).toBe(join(folder, 'project/inside'));
  });

  it('is searched in the working folder alone where there is no project', async () => {
    write('rsi.config.json', '{ "store": "above" }');
    write('some/file', '');
    expect((await load('some')).values).toEqual({});
  });

  it('is never read from the folder of a store, nor from below one', async () => {
    write('package.json', '{}');
    for (const store of ['rsi_data', 'other']) {
      write(`${store}/store.json`, '{}');
      write(`${store}/rsi.config.mjs`, 'throw new Error("was run")');
      write(`${store}/hooks/rsi.config.mjs`, 'throw new Error("was run")');
    }
    for (const cwd of ['rsi_data', 'rsi_data/hooks', 'other/hooks']) expect((await load(cwd)).values).toEqual({});
  });

  it.runIf(process.getuid?.() === 0)('is not run above the working folder if another user placed it', async () => {
    write('package.json', '{}');
    write('rsi.config.mjs', 'export default { store: "theirs" }');
    write('mine/file', '');
    chownSync(join(folder, 'rsi.config.mjs'), 12_345, 12_345);
    await expect(load('mine')).rejects.toThrow(/rsi\.config\.mjs belongs to another user .* so it is not run/);
    expect((await load('mine', { RSI_CONFIG: 'none' })).values).toEqual({});
    chownSync(join(folder, 'mine'), 12_345, 12_345); // a project of one other user, as in a container
    expect((await load('mine')).values.store).toBe(join(folder, 'theirs'));
  });

  it('is the file that RSI_CONFIG names, or none', async () => {
    write('rsi.config.mjs', 'throw new Error("was run")');
    write('mine.json', '{ "store": "mine" }');
    expect((await load('.', { RSI_CONFIG: 'none' })).values).toEqual({});
    expect((await load('.', { RSI_CONFIG: 'mine.json' })).values.store).toBe(join(folder, 'mine'));
    await expect(load('.', { RSI_CONFIG: 'gone.json' })).rejects.toThrow(
      'RSI_CONFIG names gone.json, which does not exist: correct it or unset it',
    );
  });
});

describe('a mistake in the configuration is one sentence', () => {
  it.for<[text: string, sentence: string]>([
    ['{ "stor": "x" }', 'rsi.config.json: unknown key stor: did you mean store?'],
    ['{ "what": "x" }', 'rsi.config.json: unknown key what: use one of store, loop, notify, services, models'],
    ['{ "loop": { "holdot": 1 } }', 'rsi.config.json: unknown key loop.holdot: did you mean holdout?'],
    ['{ "loop": { "alpha": 1 } }', 'rsi.config.json: loop.alpha is 1: give a share above 0 and at most 0.2'],
    ['{ "loop": { "autoFix": "yes" } }', 'rsi.config.json: loop.autoFix is "yes": give true or false'],
    ['{ "loop": 3 }', 'rsi.config.json: loop is 3: give an object'],
    ['{ "loop": { "constructor": 1 } }', 'rsi.config.json: unknown key loop.constructor: use one of policy,'],
    ['{ "__proto__": { "store": "x" } }', 'rsi.config.json: unknown key __proto__: use one of store,'],
    ['{ "store": "" }', `rsi.config.json: store is "": give a folder such as './rsi_data'`],
    ['[]', 'exports no object: write "export default'],
    ['{ "store": ', 'rsi.config.json is not valid JSON: '],
  ])('%s', async ([text, sentence]) => {
    write('rsi.config.json', text);
    await expect(load()).rejects.toThrow(sentence);
  });

  it('names the variable with a wrong value', async () => {
    await expect(load('.', { RSI_LOOP_ALPHA: 'much' })).rejects.toThrow(
      'RSI_LOOP_ALPHA is "much": give a share above 0 and at most 0.2',
    );
    await expect(load('.', { RSI_LOOP_AUTO_FIX: 'x' })).rejects.toThrow('RSI_LOOP_AUTO_FIX is "x": give true or false');
    expect(await keysOf('.', { RSI_LOOP_AUTO_FIX: '0', RSI_STORE: '' })).toEqual({
      'loop.autoFix': [false, 'RSI_LOOP_AUTO_FIX'],
    });
  });

  it('names the file that fails, and why', async () => {
    write('rsi.config.mjs', 'throw new Error("no network")');
    await expect(load()).rejects.toThrow(/rsi\.config\.mjs cannot be run: no network$/);
    write('rsi.config.json', '{}');
    await expect(load()).rejects.toThrow(`${folder} holds rsi.config.mjs and rsi.config.json: keep one of them`);
  });

  it('leaves a broken package.json to other programs, unless it holds settings', async () => {
    write('package.json', '{ "name": ');
    expect((await load()).values).toEqual({});
    write('package.json', '{ "rsi": ');
    await expect(load()).rejects.toThrow(/package\.json is not valid JSON: /);
    write('package.json', '{ "bin": { "rsi": "x" } }');
    expect((await load()).values).toEqual({});
  });

  it.skipIf(process.getuid?.() === 0)('says that a file cannot be opened', async () => {
    write('rsi.config.json', '{}');
    chmodSync(join(folder, 'rsi.config.json'), 0);
    await expect(load()).rejects.toThrow(/EACCES/);
  });
});

/** Stands for the compiler of a project. */
const TYPESCRIPT = `exports.transpile = (text) => text.replace('export default', 'exports.default =').replace(/ (as|satisfies) \\w+/g, '');`;
