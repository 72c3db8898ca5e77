import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModelTestServer, ollamaServer, vllmServer } from '../models/servers.js';
import { buildCommand } from './build-command.js';
import { runCommand } from './run-command.js';

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
const rsi = (...args: readonly string[]) => runCommand([command, 'models', ...args], { cwd: folder, env: env() });

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
    expect(stdout).toMatch(/\nno model server is running: start vLLM or Ollama[^:]*\n\nremote\n/);
  });

  it('ends with 2 for an address that is none', async () => {
    expect(await rsi('--vllm', 'gpu-1')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^error: url of the model is not an address: "gpu-1"; give one/),
    });
  });

  describe('with a remote model in the configuration', () => {
    const key = 'sk-planted-1234567890abcdef';
    const remote = (more: object = {}) => ({
      url: `${vllm.url}/v1`,
      model: 'gpt-x',
      keyName: 'TEST_KEY',
      price: { inputUsd: 1, outputUsd: 4 },
      budget: { maxUsd: 0.05, per: 'day' },
      ...more,
    });
    /** Runs a command in a folder of its own with this configuration. */
    async function run(config: object, args: readonly string[], variables: NodeJS.ProcessEnv = { TEST_KEY: key }) {
      const cwd = mkdtempSync(join(folder, 'remote-'));
      writeFileSync(join(cwd, 'rsi.config.json'), JSON.stringify({ models: config }));
      const none = { RSI_VLLM_URL: nowhere, RSI_OLLAMA_URL: nowhere, NO_COLOR: '1' };
      const steps = [];
      for (const each of args) {
        const ran = await runCommand([command, ...each.split(' ').map((word) => word.replaceAll('_', ' '))], {
          cwd,
          env: { ...none, ...variables },
        });
        steps.push({ ...ran, stdout: ran.stdout.replace(/\s+/g, ' ') });
      }
      return { cwd, steps };
    }

    it('names the keys that are set and what the model would cost, and calls no provider', async () => {
      const before = vllm.received.length;
      const env = { TEST_KEY: key, ANTHROPIC_API_KEY: key, GROQ_API_KEY: '' };
      const { cwd, steps } = await run({ remote: remote() }, ['models', 'models --json'], env);
      expect(steps[0]).toMatchObject({ code: 0, stderr: '' });
      expect(steps[0]?.stdout).toContain(
        'keys ANTHROPIC_API_KEY (anthropic), in the environment; no provider was asked',
      );
      expect(steps[0]?.stdout).toContain(
        'price $1 for a million tokens in, $4 out; a question of the loop costs at most 0.019 US dollars',
      );
      expect(steps[0]?.stdout).toMatch(/budget 0 of 0\.05 US dollars spent in \d{4}-\d\d-\d\d \(UTC\)/);
      expect(JSON.parse(steps[1]?.stdout ?? '')).toMatchObject({
        keys: [{ provider: 'anthropic', keyName: 'ANTHROPIC_API_KEY' }],
        remote: { name: expect.stringMatching(/^gpt-x at /), questionUsd: 0.0192 },
      });
      expect(JSON.stringify(steps)).not.toContain(key);
      expect(vllm.received.length).toBe(before);
      // Looking creates nothing.
      expect(existsSync(join(cwd, 'rsi_data'))).toBe(false);
    });

    it('checks the key only when asked to', async () => {
      const before = vllm.received.length;
      const { steps } = await run({ remote: remote() }, ['models --remote']);
      expect(steps[0]?.stdout).toContain('answer it takes the key, and lists');
      const asked = vllm.received.slice(before);
      expect(asked.map(({ path }) => path)).toEqual(['GET /v1/models']);
      expect(asked[0]?.headers.authorization).toBe(`Bearer ${key}`);
    });

    it('says what is missing: the key, the price, the budget', async () => {
      const { steps } = await run({ remote: remote() }, ['models'], { TEST_KEY: '' });
      expect(steps[0]?.code).toBe(1);
      expect(steps[0]?.stdout).toContain(
        'gpt-x cannot be used: the environment variable TEST_KEY is not set: it holds the key',
      );
      const noPrice = await run({ remote: remote({ price: undefined }) }, ['models']);
      expect(noPrice.steps[0]?.stdout).toMatch(
        /the price of gpt-x at .* is unknown: give price, or maxTokens in the budget/,
      );
      const noBudget = await run({ remote: remote({ budget: undefined }) }, ['models']);
      expect(noBudget.steps[0]).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('models.remote has no budget: a remote model costs money, so give both'),
      });
    });

    it('is asked by a cycle within its budget, which the next process knows, and not without this section', async () => {
      const failures = [1, 2, 3, 4].map((step) => `record deploy --error it_went_strange_in_step_${step}_of_the_plan`);
      const before = vllm.received.length;
      const { cwd, steps } = await run({ remote: remote() }, [...failures, 'cycle', 'models']);
      expect(steps[4]).toMatchObject({
        code: 0,
        stderr: expect.stringMatching(/^the loop asks gpt-x at .*, within its budget\n/),
      });
      const asked = vllm.received.slice(before).length;
      expect(asked).toBeGreaterThan(0);
      expect(steps[5]?.stdout).toMatch(/budget 0\.0\d+ of 0\.05 US dollars spent/);
      const files = readdirSync(cwd, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
      for (const { parentPath, name } of files) expect(readFileSync(join(parentPath, name), 'utf8')).not.toContain(key);
      const without = await run({}, [...failures, 'cycle']);
      expect(without.steps[4]).toMatchObject({ code: 0, stderr: '' });
      expect(vllm.received.length).toBe(before + asked);
    });
  });
});
