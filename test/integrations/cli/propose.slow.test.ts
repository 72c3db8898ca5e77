import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileStore } from 'rsi-loop/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BETTER, NAME, PromptWorld } from '../../scenarios/prompt-world.js';
import { buildCommand } from './build-command.js';
import { runCommand } from './run-command.js';

const folder = mkdtempSync(join(tmpdir(), 'rsi-try-'));
const store = join(folder, 'rsi_data');
let command = '';
beforeAll(async () => {
  command = await buildCommand(folder);
  const world = new PromptWorld({ store: new FileStore(store) }, Date.now() - 4 * 3_600_000);
  await world.work(100);
  await world.loop.close();
  writeFileSync(join(folder, 'v2.md'), BETTER);
  writeFileSync(join(folder, 'short.md'), 'Be polite.');
  writeFileSync(join(folder, 'empty.md'), '\n');
  writeFileSync(join(folder, 'huge.md'), 'x'.repeat(10_000_000));
  writeFileSync(join(folder, 'latin.md'), Buffer.from([0xe4, 0x20, 0xff]));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const rsi = (...args: readonly string[]) => runCommand([command, ...args], { cwd: folder });

describe('rsi propose', () => {
  it('proposes a file as a version of a text that only the program declares', async () => {
    const { code, stdout } = await rsi('propose', 'v2.md', '--for', NAME, '--by', 'ann', '--reason', 'amounts');
    expect(code).toBe(0);
    const id = /as\s(fix-\w+)/.exec(stdout)?.[1] ?? '';
    expect(stdout).toMatch(/^proposed text support\.system: version \w{8} by ann \(74 characters, was 48\)/);
    expect(stdout).toContain(`\nnpx rsi approve ${id.slice(4, 8)}`);
    const shown = await rsi('explain', id);
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    expect(shown.stdout).toContain('written by ann');
    expect(shown.stdout).toContain('-Be polite.');
    expect(shown.stdout).toContain('+Be polite. Give the amount in euros.');
    const listed = await rsi('fixes');
    expect(listed.stdout).toContain('text support.system: version');
    const approved = await rsi('approve', id, '--by', 'ann');
    expect(approved.stdout).toContain('its trial begins with the next cycle of the loop');
    const again = await rsi('propose', 'v2.md', '--for', NAME);
    expect(again).toMatchObject({ code: 2 });
    expect(again.stderr).toContain(`is approved: see rsi explain ${id}`);
  });

  it.for<[args: string, words: string]>([
    ['v2.md', 'v2.md is a version of which text? Add --for <name>'],
    [`none.md --for ${NAME}`, 'none.md is not a file: name the file with your version of the text'],
    [`short.md --for ${NAME}`, 'support.system stays as it is: the draft lacks {{customer}}'],
    [`empty.md --for ${NAME}`, 'the draft is empty: give a text'],
    [`huge.md --for ${NAME}`, 'huge.md has 10000000 bytes: a text has at most 2000000'],
    [`latin.md --for ${NAME}`, 'latin.md is not UTF-8'],
    ['v2.md --for suport.system', 'no prompt is called "suport.system": did you mean support.system?'],
    [`v2.md --for ${NAME} --task deploy`, 'support.system is read by answer'],
  ])('%s', async ([args, words]) => {
    const { code, stdout, stderr } = await rsi('propose', ...args.split(' '));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(words);
  });
});
