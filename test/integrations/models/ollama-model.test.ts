import { OllamaModel } from 'rsi-loop/models';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { closing, failure, QUESTION } from './fixtures.js';
import { ollamaServer, plainServer, type Route, sendJson } from './servers.js';

afterEach(() => void vi.unstubAllEnvs());

async function behind(handle: Route) {
  const server = await closing(plainServer(handle));
  return new OllamaModel({ url: server.url, model: 'qwen3:8b', numCtx: 4_096 });
}

function lines(...records: readonly (object | string)[]): Route {
  return (_, response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    response.end(records.map((record) => `${typeof record === 'string' ? record : JSON.stringify(record)}\n`).join(''));
  };
}

const said = (content: string, more: object = {}) => ({
  model: 'qwen3:8b',
  message: { role: 'assistant', content },
  ...more,
});
const last = { done: true, done_reason: 'stop', prompt_eval_count: 12, eval_count: 5 };

describe('what OllamaModel asks', () => {
  it('says how much context it wants, that nothing may be cut, and the schema as format', async () => {
    const server = await closing(ollamaServer());
    server.play([{ kind: 'json', json: true }]);
    const model = new OllamaModel({ url: server.url, model: 'qwen3:8b', numCtx: 16_384 });
    await model.complete({ ...QUESTION, schema: { type: 'boolean' }, maxTokens: 298, temperature: 0 });
    expect(server.received[0]?.body).toEqual({
      model: 'qwen3:8b',
      messages: QUESTION.messages,
      stream: false,
      truncate: false,
      shift: false,
      format: { type: 'boolean' },
      options: { num_ctx: 16_384, num_predict: 298, temperature: 0 },
    });
  });

  it('takes the first model that answers questions, and for vectors one that embeds', async () => {
    const asked: unknown[] = [];
    const server = await closing(
      plainServer((body, response, { url }) => {
        if (url === '/api/tags') {
          return sendJson(response, { models: [{ name: 'nomic-embed-text:latest' }, { name: 'qwen3:8b' }] });
        }
        asked.push((body as { model: string }).model);
        sendJson(response, url === '/api/embed' ? { embeddings: [[1, 2]] } : said('yes', last));
      }),
    );
    const model = new OllamaModel({ url: server.url });
    await model.complete(QUESTION);
    await model.embed(['text']);
    expect(asked).toEqual(['qwen3:8b', 'nomic-embed-text:latest']);
  });

  it('sends the key of the environment over https only', async () => {
    vi.stubEnv('OLLAMA_API_KEY', 'sk-cloud-1234567890');
    const seen: (string | null)[] = [];
    const fetch = async (_: unknown, init?: RequestInit) => {
      seen.push(new Headers(init?.headers).get('authorization'));
      return new Response(JSON.stringify(said('yes', last)));
    };
    for (const url of ['http://gpu-1:11434', 'https://ollama.example']) {
      await new OllamaModel({ url, model: 'qwen3:8b', fetch }).complete(QUESTION);
    }
    expect(seen).toEqual([null, 'Bearer sk-cloud-1234567890']);
  });

  it('refuses a context that holds nothing', () => {
    expect(() => new OllamaModel({ numCtx: 10 })).toThrow('numCtx is 10: give tokens, at least 256');
  });
});

describe('what OllamaModel makes of answers', () => {
  const long = {
    messages: [{ role: 'user', content: 'The search fails with another error each time. '.repeat(600) }],
  } as const;

  it('notices that the server silently read only a part of the prompt', async () => {
    const model = await behind(lines(said('All is well.', { ...last, prompt_eval_count: 2_050 })));
    expect(await failure(model.complete(long))).toEqual(
      expect.objectContaining({
        code: 'model-answer',
        message: expect.stringMatching(
          /it read 2050 of about 7050 tokens of the prompt \(numCtx is 4096\): raise numCtx or send less$/,
        ),
      }),
    );
  });

  it('takes an answer to a prompt that was read whole, or where the server does not count', async () => {
    for (const prompt_eval_count of [6_300, 0, undefined]) {
      const model = await behind(lines(said('All is well.', { ...last, prompt_eval_count })));
      const { tokens } = await model.complete(long);
      expect(tokens).toEqual(prompt_eval_count ? { input: 6_300, output: 5 } : undefined);
    }
  });

  it('does not take rows of one character for a prompt that was cut', async () => {
    const model = await behind(lines(said('A line.', { ...last, prompt_eval_count: 120 })));
    const content = `${'='.repeat(20_000)} What is this?`;
    expect((await model.complete({ messages: [{ role: 'user', content }] })).text).toBe('A line.');
  });

  it('says that the context was full when an answer ends before its longest', async () => {
    const model = await behind(lines(said('The key', { ...last, done_reason: 'length', eval_count: 40 })));
    expect((await failure(model.complete({ ...QUESTION, maxTokens: 500 }))).message).toMatch(
      /its context of 4096 tokens was full after 40 tokens of answer: raise numCtx or send less$/,
    );
  });

  it.for([
    [
      'an error in the middle',
      [said('The key'), { error: 'an error was encountered while running the model' }],
      'model-down',
      'answered 500: an error was encountered',
    ],
    [
      'an error that is no JSON',
      [said('The key'), 'internal server error'],
      'model-answer',
      'sent no JSON but: internal server error',
    ],
    [
      'an end before the last record',
      [said('The key')],
      'model-down',
      'broke off in the middle of its answer, after 7 characters',
    ],
    ['nothing', [], 'model-down', 'broke off in the middle of its answer, after 0 characters'],
  ] as const)('names %s of a stream', async ([, records, code, message]) => {
    const model = await behind(lines(...records));
    const found = await failure(model.complete(QUESTION, { onText: () => {} }));
    expect(found).toMatchObject({ code, message: expect.stringContaining(message) });
  });

  it.for([
    [404, { error: 'model "qwen3:8b" not found, try pulling it first' }, 'model-refused', 'try pulling it first'],
    [400, { error: 'prompt exceeds context length' }, 'model-refused', 'prompt exceeds context length'],
    [503, { error: 'server busy, please try again. maximum pending requests exceeded' }, 'model-down', 'server busy'],
    [
      500,
      { error: 'model requires more system memory (12.1 GiB) than is available' },
      'model-down',
      'more system memory',
    ],
  ] as const)('names an answer of %d', async ([status, body, code, message]) => {
    const model = await behind((_, response) => sendJson(response, body, status));
    expect(await failure(model.complete(QUESTION))).toMatchObject({ code, message: expect.stringContaining(message) });
  });

  it('refuses vectors that are not those asked for', async () => {
    // Answer of servers before 0.3.
    const model = await behind((_, response) => sendJson(response, { embedding: [1, 2] }));
    expect(await failure(model.embed(['a']))).toMatchObject({
      code: 'model-answer',
      message: expect.stringContaining('no vectors for 1 texts'),
    });
  });
});

describe('the health of Ollama', () => {
  it('tells its version and its models', async () => {
    const server = await closing(ollamaServer());
    const health = await new OllamaModel({ url: server.url }).health();
    expect(health).toMatchObject({ ok: true, version: '0.32.9' });
    server.routes.set('GET /api/tags', (_, response) => sendJson(response, { models: [] }));
    expect(await new OllamaModel({ url: server.url }).health()).toMatchObject({
      ok: false,
      problem: 'it has no model: run "ollama pull" with the name of one',
    });
  });
});
