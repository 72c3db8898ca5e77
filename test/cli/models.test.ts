import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModelTestServer, ollamaServer, vllmServer } from '../integrations/models/servers.js';
import { runNode } from '../run-node.js';
import { buildCommand } from './build-command.js';

const folder = mkdtempSync(join(tmpdir(), 'rsi-models-'));
const nowhere = 'http://127.0.0.1:9';
let command = '';
let vllm: ModelTestServer;
let ollama: ModelTestServer;
beforeAll(async () => {
  command = await buildCommand(folder);
  [vllm, ollama] = [await vllmServer(), await ollamaServer()];
});
afterAll(async () => {
  await vllm.stop();
  await ollama.stop();
  rmSync(folder, { recursive: true, force: true });
});

const env = () => ({ RSI_VLLM_URL: vllm.url, RSI_OLLAMA_URL: ollama.url, NO_COLOR: '1' });
const rsi = (...args: readonly string[]) => runNode([command, 'models', ...args], { cwd: folder, env: env() });

describe('rsi models', () => {
  it('says what is there and what a loop would make of it', async () => {
    const before = [vllm.received.length, ollama.received.length] as const;
    const { code, stdout, stderr } = await rsi();
    const asked = [...vllm.received.slice(before[0]), ...ollama.received.slice(before[1])];
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`✓ ${vllm.url}  vllm 0.12.0\n  models  `);
    expect(stdout).toContain('\n  queue   7 running, 2 waiting\n');
    expect(stdout).toContain(`✓ ${ollama.url}  ollama 0.32.9\n`);
    expect(stdout).toMatch(/\nthe loop asks vllm at .*\npeople ask ollama at /);
    // It only looked.
    expect(asked.filter(({ path }) => path.startsWith('POST'))).toEqual([]);
  });

  it('measures how fast they answer when asked to', async () => {
    vllm.play([{ kind: 'text', text: 'one, two, three, four, five, six', tokens: { input: 20, output: 12 } }]);
    ollama.play([{ kind: 'refused' }]);
    const { code, stdout } = await rsi('--speed', '--json');
    const { servers } = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(servers[0].speed).toMatchObject({
      ok: true,
      firstMs: expect.any(Number),
      tokensPerSecond: expect.any(Number),
    });
    expect(servers[1].speed).toMatchObject({
      ok: false,
      problem: expect.stringContaining('answered 400: no such thing'),
    });
    const text = (await rsi('--speed')).stdout.replace(/\s+/g, ' ');
    expect(text).toMatch(/speed .*: first text after [\d.]+ ms, all after [\d.]+ ms/);
  });

  it('says what to start, and ends with 1, where nothing is running', async () => {
    const { code, stdout } = await rsi('--vllm', nowhere, '--ollama', nowhere);
    expect(code).toBe(1);
    expect(stdout).toContain(`✗ ${nowhere}  vllm\n  problem vllm at 127.0.0.1:9 cannot be reached`);
    expect(stdout).toMatch(/\nno model server is running: start vLLM or Ollama[^:]*$/);
  });

  it('ends with 2 for an address that is none', async () => {
    expect(await rsi('--vllm', 'gpu-1')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^error: url of the model is not an address: "gpu-1"; give one/),
    });
  });
});
