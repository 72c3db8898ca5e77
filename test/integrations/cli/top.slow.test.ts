import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { columns } from '../../../integrations/cli/terminal/terminal-text.js';
import { runNode } from '../../run-node.js';
import { buildCommand } from './build-command.js';
import { scriptFolder } from './scripted-folder.js';

const folder = mkdtempSync(join(tmpdir(), 'rsi-top-'));
const socket = join(folder, 'tmux');
const tmux = (...args: readonly string[]) =>
  spawnSync('tmux', ['-S', socket, ...args], { encoding: 'utf8' }).stdout ?? '';
const isThere = spawnSync('tmux', ['-V']).status === 0;
if (!isThere) console.warn('rsi top is not tested in a terminal: install tmux');

let command = '';
beforeAll(async () => {
  command = await buildCommand(folder);
  await scriptFolder(join(folder, 'rsi_data'));
});
afterAll(() => {
  tmux('kill-server');
  rmSync(folder, { recursive: true, force: true });
});

/** Returns the text of the pane when it contains `sign`. Every look is a process of its own, so waiting costs no busy loop. */
async function screen(sign: string): Promise<string> {
  await expect.poll(() => tmux('capture-pane', '-p', '-t', 'top'), { timeout: 25_000, interval: 100 }).toContain(sign);
  return tmux('capture-pane', '-p', '-t', 'top');
}

describe.skipIf(!isThere)('rsi top in a terminal', () => {
  beforeEach(() => {
    tmux('kill-session', '-t', 'top');
    const script = join(folder, 'run.sh');
    writeFileSync(
      script,
      `cd ${folder}; echo before; sh -c 'echo $$ > pid; exec ${process.execPath} ${command} top'; echo "ended $?"; exec sleep 60\n`,
    );
    tmux('new-session', '-d', '-s', 'top', '-x', '60', '-y', '20', `sh ${script}`);
  });

  it('draws, follows the size of the window, and gives the screen back at q', async () => {
    const shown = await screen('q or Ctrl-C ends');
    expect(shown).toMatch(/^rsi top {2}\.\/rsi_data/);
    expect(shown).not.toContain('before');
    expect(shown).toContain('waits   nothing');
    tmux('resize-window', '-t', 'top', '-x', '44', '-y', '12');
    const small = await screen('q or Ctrl-C ends');
    expect(small.split('\n').filter((line) => columns(line) > 44)).toEqual([]);
    tmux('send-keys', '-t', 'top', 'q');
    expect(await screen('ended')).toMatch(/^before\nended 0\n/);
    expect(tmux('display-message', '-p', '-t', 'top', '#{cursor_flag} #{alternate_on}').trim()).toBe('1 0');
  });

  it('ends with 130 at Ctrl-C', async () => {
    await screen('q or Ctrl-C ends');
    tmux('send-keys', '-t', 'top', 'C-c');
    expect(await screen('ended')).toMatch(/^before\nended 130\n/);
    expect(tmux('display-message', '-p', '-t', 'top', '#{cursor_flag} #{alternate_on}').trim()).toBe('1 0');
  });

  it('gives the screen back when the system asks it to stop', async () => {
    await screen('q or Ctrl-C ends');
    process.kill(Number(readFileSync(join(folder, 'pid'), 'utf8')), 'SIGTERM');
    expect(await screen('ended')).toMatch(/^before\nended 0\n/);
    expect(tmux('display-message', '-p', '-t', 'top', '#{cursor_flag} #{alternate_on}').trim()).toBe('1 0');
  });
});

describe('rsi top without a terminal', () => {
  it('names the verb that prints the same', async () => {
    const { code, stdout, stderr } = await runNode([command, 'top'], { cwd: folder });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe('error: rsi top needs a terminal that it can draw on: rsi status prints the same\n');
  });
});
