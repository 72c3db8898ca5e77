import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { RSILoop } from 'rsi-loop';
import { tools } from 'rsi-loop/clients/tools';
import { FileStore } from 'rsi-loop/node';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ended, startNode } from '../../run-node.js';
import { buildCommand, buildSandbox } from './build-command.js';
import { runCommand } from './run-command.js';

const SHIPPED = resolve(import.meta.dirname, '../../../examples/skills');
const CSV = 'item,amount\na,1\nb,2';

const built = mkdtempSync(join(tmpdir(), 'rsi-skill-'));
let command = '';
let cwd = '';
beforeAll(async () => {
  command = await buildCommand(built);
  await buildSandbox(built);
}, 120_000);
beforeEach(async () => {
  cwd = mkdtempSync(join(built, 'in-'));
  for (const name of ['csv-total', 'text-slug'])
    cpSync(join(SHIPPED, name), join(cwd, '.agents/skills', name), { recursive: true });
  // Copied skills are untested.
  await rsi('skill', 'test');
});
afterAll(() => rmSync(built, { recursive: true, force: true }));

const env = { COLUMNS: '80', HOME: built, RSI_CONFIG: 'none' };
const rsi = (...args: readonly string[]) => runCommand([command, ...args], { cwd, env });

describe('rsi skill serve', () => {
  it('gives skills to the real client of MCP, calls them in the sandbox, and records the calls', async () => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [command, 'skill', 'serve'],
      cwd,
      env,
      stderr: 'pipe',
    });
    const client = new Client({ name: 'agent', version: '1' });
    const faults: Error[] = [];
    client.onerror = (error) => faults.push(error);
    await client.connect(transport);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['csv-total', 'text-slug']);
    const call = (input: Record<string, unknown>) => client.callTool({ name: 'csv-total', arguments: input });
    expect(await call({ csv: CSV, column: 'amount' })).toMatchObject({ structuredContent: { total: 3, rows: 2 } });
    expect(await call({ csv: CSV })).toMatchObject({
      isError: true,
      content: [{ text: 'skill csv-total: the input lacks column' }],
    });
    expect(await call({ csv: CSV, column: 'price' })).toMatchObject({ isError: true });
    await client.close();
    // The real client reports each line on standard output that is no message of the protocol.
    expect(faults).toEqual([]);
    const { stdout } = await rsi('export');
    const outcomes = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(outcomes.map(({ task, success }) => [task, success])).toEqual([
      ['csv-total', true],
      ['csv-total', false],
    ]);
    expect(new Set(outcomes.map(({ session }) => session)).size).toBe(1);
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('ends at %s while its input is open', async (signal) => {
    const child = startNode([command, 'skill', 'serve'], { cwd, env });
    const end = ended(child);
    await new Promise((seen) => child.stderr.once('data', seen));
    child.kill(signal);
    const { code, stdout, stderr } = await end;
    expect({ code, stdout }).toEqual({ code: signal === 'SIGINT' ? 130 : 0, stdout: '' });
    expect(stderr).toBe('serving 2 skills of ./.agents/skills over MCP on standard input and output; Ctrl-C ends it\n');
  });

  it('says what is wrong on standard error only', async () => {
    const { code, stdout, stderr } = await rsi('skill', 'serve', 'csv-total');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe('error: serve offers all active skills: leave out "csv-total"\n');
    expect(existsSync(join(cwd, 'rsi_data'))).toBe(false);
  });
});

/** `script` of Linux gives a program a terminal. */
const hasTerminal = (() => {
  try {
    return process.platform === 'linux' && execFileSync('script', ['--version']).toString().includes('util-linux');
  } catch {
    return false;
  }
})();

/** Runs `rsi skill` on a terminal, types each line once there is a question, and returns what the person sees. */
async function typed(...keys: readonly string[]): Promise<{ readonly code: number | null; readonly seen: string }> {
  const line = `"${process.execPath}" "${command}" skill`;
  const child = spawn('script', ['-qec', line, '/dev/null'], { cwd, env: { ...process.env, ...env, NO_COLOR: '1' } });
  let seen = '';
  let answered = 0;
  const left = [...keys];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    seen += chunk;
    const questions = seen.split(/skill> |as JSON: /).length - 1;
    if (questions <= answered || left.length === 0) return;
    answered = questions;
    child.stdin.write(left.shift() ?? '');
  });
  const code = await new Promise<number | null>((done) => child.on('close', done));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what moves the cursor
  return { code, seen: seen.replace(/\u001b\[[0-9;]*[A-Za-z]/g, '') };
}

describe.skipIf(!hasTerminal)('rsi skill on a terminal', () => {
  it('asks for actions, and for the input of a skill, until Ctrl-D', async () => {
    const input = JSON.stringify({ csv: CSV, column: 'amount' });
    const { code, seen } = await typed('help\r', 'lst\r', 'run csv-total\r', `${input}\r`, '\u0004');
    expect(code, seen).toBe(0);
    expect(seen).toContain('stops offering a skill');
    expect(seen).toContain('error: there is no "skill lst"');
    expect(seen).toMatch(/"total": 3/);
  });

  it('ends at Ctrl-C', async () => {
    expect(await typed('list\r', '\u0003')).toMatchObject({ code: 130, seen: expect.stringContaining('text-slug') });
  });
});

it('prints the list where there is no terminal', async () => {
  const { code, stdout } = await rsi('skill');
  expect({ code, lines: stdout.split('\n').length > 3 }).toEqual({ code: 0, lines: true });
});

describe('rsi skill directive --recorded', () => {
  it('queues a directive with the recorded calls of a tool, and says what is missing if there are none', async () => {
    const loop = new RSILoop({ store: new FileStore(join(cwd, 'rsi_data')) });
    const { double } = tools(loop, { double: ({ n }: { n: number }) => 2 * n }, { content: true });
    for (const n of [1, 2, 2]) double({ n });
    await loop.close();
    const { stdout, stderr } = await rsi('skill', 'directive', 'double a number', '--recorded', 'double', '--json');
    expect(stderr).toContain('2 examples from recorded calls of double');
    expect(JSON.parse(stdout).examples).toEqual([
      [{ n: 2 }, 4],
      [{ n: 1 }, 2],
    ]);
    const none = await rsi('skill', 'directive', 'halve a number', '--recorded', 'halve');
    expect(none.code).toBe(2);
    expect(none.stderr.replace(/\s+/g, ' ')).toContain('no recorded call of halve');
  });
});
