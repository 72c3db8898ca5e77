import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Transcript } from '../sources/import/transcript.js';
import { buildCommand } from './build-command.js';
import { runCommand } from './run-command.js';

const folder = mkdtempSync(join(tmpdir(), 'rsi-import-'));
const logs = join(folder, 'session.jsonl');
const store = join(folder, 'data');
let command = '';
beforeAll(async () => {
  command = await buildCommand(folder);
  const transcript = new Transcript('s-1').call('a', 'Bash').result('a', 'Exit code 1\nno', { error: true });
  transcript.call('b', 'Edit').result('b', "The user doesn't want to proceed with this tool use.", { error: true });
  writeFileSync(logs, `${transcript.text}{"type":"user","tool_result\n`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const rsi = (...args: readonly string[]) => runCommand([command, ...args], { cwd: folder });

describe('rsi import', () => {
  it('writes outcomes into a folder that analyze reads, and the same again adds nothing', async () => {
    const first = await rsi('import', logs, '--store', store);
    expect(first.code).toBe(0);
    expect(first.stderr).toBe(`${logs}:5: the line is cut off: its JSON has no end\n`);
    expect(first.stdout).toBe(
      [
        `3 outcomes written to ${store}, 1 of them failed`,
        '',
        '  read      1 file: claude-code 3',
        '  left out  rejected by a person 1',
        '  skipped   1 place that could not be read',
        '',
        `next: npx rsi analyze ${store}`,
        '',
      ].join('\n'),
    );
    const again = await rsi('import', logs, '--store', store, '--json');
    expect(JSON.parse(again.stdout)).toMatchObject({
      format: 'rsi-import/1',
      written: 0,
      known: 3,
      files: { read: 1, failed: 0 },
      skipped: 1,
      leftOut: { 'rejected by a person': 1 },
    });
    const report = JSON.parse((await rsi('analyze', store, '--json')).stdout) as { read: object };
    expect(report.read).toMatchObject({ outcomes: 3, failures: 1 });
  });

  it('leaves a folder alone that is not a loop’s, and says what to do', async () => {
    const other = join(folder, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'notes.txt'), 'mine');
    const { code, stderr } = await rsi('import', logs, '--store', other);
    expect(code).toBe(2);
    expect(stderr).toContain('is not the folder of a loop');
    expect(existsSync(join(other, 'journal'))).toBe(false);
  });

  it.each([
    [['nowhere.jsonl'], 'error: nothing to read: there is no file or folder nowhere.jsonl'],
    [[logs, '--since', 'soon'], "argument 'soon' is invalid. Give a time before now"],
    [[], "missing required argument 'path'"],
  ])('names what is wrong with %o', async (args, words) => {
    const { code, stderr } = await rsi('import', ...args, '--store', join(folder, 'none'));
    expect(code).toBe(2);
    expect(stderr).toContain(words);
  });
});
