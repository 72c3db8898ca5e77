import { selectModel } from 'rsi-loop/models';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type ModelTestServer, ollamaServer, sendJson, vllmServer } from './servers.js';

const messages = [{ role: 'user', content: 'Why?' }] as const;
const nowhere = 'http://127.0.0.1:9';
const ends: (() => unknown)[] = [];

afterEach(async () => {
  vi.unstubAllEnvs();
  for (const end of ends.splice(0)) await end();
});

async function started(server: Promise<ModelTestServer>): Promise<ModelTestServer> {
  ends.push((await server).stop);
  return server;
}

describe('selectModel', () => {
  it('lets the loop ask vLLM and people ask Ollama, and says why', async () => {
    const [vllm, ollama] = [await started(vllmServer()), await started(ollamaServer())];
    ollama.routes.set('GET /api/tags', (_, response) =>
      sendJson(response, { models: [{ name: 'qwen3:8b' }, { name: 'qwen3-coder:30b' }, { name: 'nomic-embed-text' }] }),
    );
    vi.stubEnv('RSI_VLLM_URL', vllm.url);
    vi.stubEnv('RSI_OLLAMA_URL', ollama.url);
    const { model, why, probed } = await selectModel();
    const by = async (request: object) => (await model?.complete({ messages, ...request }))?.by;
    expect(await by({})).toMatch(/^vllm at /);
    expect(await by({ mode: 'interactive' })).toMatch(/^ollama at /);
    expect(await by({ role: 'code' })).toMatch(/^qwen3-coder:30b at /);
    expect(why).toEqual([
      expect.stringMatching(/^the loop asks vllm at 127\.0\.0\.1:\d+: vLLM answers many requests in parallel$/),
      expect.stringMatching(/^people ask ollama at .*, and the loop too when vLLM is down$/),
      'code goes to qwen3-coder:30b, by its name',
      'vectors come from nomic-embed-text',
    ]);
    expect(probed.map(({ kind, health }) => [kind, health.version])).toEqual([
      ['vllm', '0.12.0'],
      ['ollama', '0.32.9'],
    ]);
    await vllm.stop();
    expect(await by({})).toMatch(/^ollama at /);
  });

  it('makes a pool of several vLLM hosts, and goes on with those that are there', async () => {
    const hosts = [await started(vllmServer()), await started(vllmServer())];
    const { model, why } = await selectModel({ vllm: [...hosts.map(({ url }) => url), nowhere], ollama: [nowhere] });
    expect(model?.name).toMatch(/^pool of vllm at .*, vllm at /);
    expect(why.filter((line) => line.startsWith(`${nowhere}: `) && line.includes('cannot be reached'))).toHaveLength(2);
  });

  it('claims no other server on the usual port, unless its address is given', async () => {
    const other = await started(vllmServer());
    other.routes.set('GET /version', (_, response) => sendJson(response, {}));
    const toOther: typeof fetch = (url, init) =>
      fetch(String(url).replace(/^http:\/\/127\.0\.0\.1:8000/, other.url.replace(/\/$/, '')), init);
    vi.stubEnv('RSI_VLLM_URL', '');
    const found = await selectModel({ ollama: [nowhere], fetch: toOther });
    expect(found.model).toBeUndefined();
    expect(found.why.join()).toContain('http://127.0.0.1:8000: answers, but not as vLLM does');
    const named = await selectModel({ vllm: [other.url], ollama: [nowhere] });
    expect(named.model?.name).toMatch(/^vllm at /);
  });

  it('takes Ollama alone', async () => {
    const ollama = await started(ollamaServer());
    const { model, why } = await selectModel({ vllm: [nowhere], ollama: [ollama.url] });
    expect((await model?.complete({ messages }))?.by).toMatch(/^ollama at /);
    expect(why[0]).toMatch(/^everybody asks ollama at .*: no vLLM is running$/);
  });

  it('says what to start where nothing is running', async () => {
    const { model, why } = await selectModel({ vllm: [nowhere], ollama: [] });
    expect(model).toBeUndefined();
    expect(why[0]).toMatch(/^no model server is running: start vLLM or Ollama/);
  });
});
