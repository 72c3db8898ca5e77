import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ended, runNode, startNode } from '../../run-node.js';
import { buildCommand } from './build-command.js';

const folder = mkdtempSync(join(tmpdir(), 'rsi-oversee-'));
let command = '';
const run = (...args: readonly string[]) => runNode([command, 'oversee', ...args], { cwd: folder, env: {} });

/** Stand-in for `claude -p --output-format stream-json`: prints its arguments and its calls. Each call costs 0.30 dollars. */
const CLAUDE = `#!/usr/bin/env node
const { writeFileSync } = require('node:fs');
writeFileSync('arguments.json', JSON.stringify(process.argv.slice(2)));
const say = (event) => console.log(JSON.stringify(event));
const prompt = process.argv[3];
const usage = { input_tokens: 50000, cache_read_input_tokens: 0, output_tokens: 10000 };
(async () => {
  for (let call = 1; prompt === 'short' ? call <= 2 : true; call++) {
    const input = { file: prompt === 'stuck' ? 'same' : 'file' + 'abcdefghijklmnopqrstuvwxyz'[call % 26] + call };
    const message = { id: 'm' + call, model: 'claude-sonnet-4-5-20250929', usage };
    say({ type: 'assistant', message: { ...message, content: [{ type: 'text', text: 'I look.' }] } });
    say({ type: 'assistant', message: { ...message, content: [{ type: 'tool_use', id: 't' + call, name: 'Read', input }] } });
    say({ type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 't' + call, content: 'content of ' + input.file }] } });
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  say({ type: 'result', is_error: false, total_cost_usd: 0.65, result: 'the answer' });
})();
`;

beforeAll(async () => {
  command = await buildCommand(folder);
  writeFileSync(join(folder, 'claude'), CLAUDE);
  chmodSync(join(folder, 'claude'), 0o755);
}, 180_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('rsi oversee', () => {
  it('prints the answer of claude -p as it does itself, and what it cost', async () => {
    const { code, stdout, stderr } = await run('--budget', '5', '--minutes', '2', '--', './claude', '-p', 'short');
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'the answer\n' });
    expect(stderr).toMatch(/claude: .*0\.65.*, 120,000 tokens, 2 calls/);
    const given = JSON.parse(readFileSync(join(folder, 'arguments.json'), 'utf8'));
    expect(given).toEqual(['-p', 'short', '--output-format', 'stream-json', '--verbose']);
    expect(existsSync(join(folder, 'rsi_data'))).toBe(true);
  });

  it('stops claude -p before the call that would exceed its budget, with a receipt', async () => {
    const { code, stdout, stderr } = await run('--budget', '1', '--', './claude', '-p', 'long');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('claude was stopped (budget): claude: 0.9 of 1 US dollars are spent or reserved');
    expect(stderr).toMatch(/0\.90?.*, 180,000 tokens, 3 calls in 0\.\d minutes; in progress: .*claude/);
  });

  it('stops claude -p when it repeats itself, and any command after its minutes', async () => {
    const stuck = await run('--', './claude', '-p', 'stuck');
    expect({ code: stuck.code, stderr: stuck.stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('claude was stopped (loop): Read was called 8 times with the same input'),
    });
    const slow = await run('--minutes', '0.01', '--', 'sleep', '300');
    expect({ code: slow.code, stderr: slow.stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining('sleep was stopped (time): its 0.01 minutes are over'),
    });
  });

  it('passes the output and the failure of a command on, and refuses a budget that it cannot read', async () => {
    expect(await run('--', 'sh', '-c', 'echo hello; exit 3')).toMatchObject({ code: 1, stdout: 'hello\n' });
    expect(await run('--budget', '1', '--', 'sh', '-c', 'true')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('only the calls of "claude -p" can be read'),
    });
    expect(await run('--', './absent')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('cannot be started'),
    });
  });

  it('stops a command that uses too much memory, and one that begins itself inside itself', async () => {
    const greedy = 'const kept = []; setInterval(() => kept.push(Buffer.alloc(20 * 2 ** 20, 1)), 5)';
    const eats = await run('--memory-mb', '300', '--', process.execPath, '-e', greedy);
    expect({ code: eats.code, stderr: eats.stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/node was stopped \(memory\): its processes use \d+ of 300 MiB: node/),
    });
    const self = ['--', process.execPath, command, 'oversee', '--task', 'inner', '--', 'true'];
    expect(await run('--depth', '1', ...self)).toMatchObject({ code: 0 });
    expect(await run('--depth', '0', ...self)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('inner was stopped (depth): the process that started this one allows no further'),
    });
  });

  it('names the processes that a command leaves, and does not take its exit code for success', async () => {
    const left = await run('--', 'sh', '-c', 'sleep 300 & exit 0');
    expect({ code: left.code, stderr: left.stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/sh ended and left processes, which were killed: sleep \(\d+\)/),
    });
  });

  it('starts a command again if it fails, as often as asked', async () => {
    const fails = await run('--restarts', '2', '--', 'sh', '-c', 'echo try; exit 3');
    expect({ code: fails.code, stdout: fails.stdout }).toEqual({ code: 1, stdout: 'try\ntry\ntry\n' });
    expect(fails.stderr).toContain('sh ended with exit code 3: restart 2 of 2');
    const mends = 'test -e tried && exit 0; touch tried; exit 1';
    expect(await run('--restarts', '5', '--', 'sh', '-c', mends)).toMatchObject({ code: 0 });
  });

  it.each<NodeJS.Signals>(['SIGINT', 'SIGHUP'])(
    'ends the command at %s, and leaves nothing at a second one',
    async (signal) => {
      const stubborn = 'trap "" TERM; echo $$; while :; do sleep 1; done';
      const child = startNode([command, 'oversee', '--', 'sh', '-c', stubborn], { cwd: folder });
      const end = ended(child);
      const pid = Number(await new Promise((resolve) => child.stdout.once('data', resolve)));
      child.kill(signal);
      child.kill(signal);
      expect((await end).code).toBe(130);
      await expect.poll(() => runs(pid)).toBe(false);
    },
  );
});

function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
