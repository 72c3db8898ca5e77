import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RSILoop } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildCommand } from './build-command.js';
import { runCommand } from './run-command.js';

const folder = mkdtempSync(join(tmpdir(), 'rsi-erase-'));
const store = join(folder, 'data');
let command = '';
beforeAll(async () => {
  command = await buildCommand(folder);
  const loop = new RSILoop({ store: new FileStore(store) });
  for (let index = 0; index < 20; index++) {
    loop.observer.recordSimple('mail', { success: false, error: `no mailbox of Zebediah`, session: `s${index % 2}` });
  }
  await loop.runCycle();
  await loop.close();
  mkdirSync(join(store, 'hooks', 'inbox'), { recursive: true });
  writeFileSync(join(store, 'hooks', 'inbox', 'one.json'), '{"task":"mail","session":"s1","error":"Zebediah"}');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const rsi = (...args: readonly string[]) => runCommand([command, ...args, '--store', store], { cwd: folder });
const content = () =>
  readdirSync(store, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(store, name)).isFile())
    .map((name) => readFileSync(join(store, name), 'utf8'))
    .join('\n');

it('counts first, and erases with a receipt', async () => {
  const before = content();
  const dry = await rsi('erase', '--session', 's1', '--dry-run', '--json');
  expect(JSON.parse(dry.stdout)).toMatchObject({ format: 'rsi-erase/1', dryRun: true, records: 10 });
  expect(content()).toBe(before);
  const done = await rsi('erase', '--session', 's1', '--by', 'kim', '--json');
  expect(JSON.parse(done.stdout)).toMatchObject({ dryRun: false, records: 10, by: 'kim' });
  expect(content()).not.toContain('"s1"');
  const rest = await rsi('erase', '--text', 'Zebediah');
  expect(rest.stdout).toMatch(/^erased 10 records/);
  expect(content()).not.toContain('Zebediah');
});

it('says what is missing when nothing is named', async () => {
  const { code, stderr } = await rsi('erase');
  expect(code).toBe(2);
  expect(stderr).toContain('give --session, --agent, --source or --text');
});
