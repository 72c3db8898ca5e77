import { gzipSync } from 'node:zlib';
import { VllmModel } from 'rsi-loop/models';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { closing, failure, QUESTION } from './fixtures.js';
import { plainServer, type Route, sendJson, vllmServer } from './servers.js';

const FINDING = {
  type: 'object',
  properties: { cause: { type: 'string' } },
  required: ['cause'],
  additionalProperties: false,
} as const;
afterEach(() => void vi.unstubAllEnvs());

async function behind(handle: Route) {
  const server = await closing(plainServer(handle));
  return new VllmModel({ url: server.url, model: 'qwen3', apiKey: 'sk-planted-1234567890' });
}

function stream(lines: readonly string[]): Route {
  return (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
    // In pieces that end in the middle of lines and of letters.
    const bytes = Buffer.from(lines.map((line) => `${line}\r\n\r\n`).join(''));
    for (let from = 0; from < bytes.length; from += 7) response.write(bytes.subarray(from, from + 7));
    response.end();
  };
}

describe('what VllmModel asks', () => {
  it('asks for JSON by response_format, with the key as bearer token', async () => {
    const server = await closing(vllmServer());
    server.play([{ kind: 'json', json: { cause: 'auth' } }]);
    const model = new VllmModel({ url: server.url, model: 'qwen3', apiKey: 'sk-1', headers: { 'x-team': 'blue' } });
    await model.complete({ ...QUESTION, schema: FINDING, maxTokens: 100, temperature: 0 });
    expect(server.received[0]?.body).toEqual({
      model: 'qwen3',
      messages: QUESTION.messages,
      max_tokens: 100,
      temperature: 0,
      response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: FINDING, strict: true } },
    });
    expect(server.received[0]?.headers).toMatchObject({ authorization: 'Bearer sk-1', 'x-team': 'blue' });
  });

  it('takes the key of the environment, and the first model that is served', async () => {
    vi.stubEnv('VLLM_API_KEY', 'sk-environment');
    const server = await closing(vllmServer());
    server.play([
      { kind: 'text', text: 'one' },
      { kind: 'text', text: 'two' },
    ]);
    const model = new VllmModel({ url: server.url });
    await Promise.all([model.complete(QUESTION), model.complete(QUESTION)]);
    expect(server.received.map(({ path }) => path)).toEqual([
      'GET /v1/models',
      'POST /v1/chat/completions',
      'POST /v1/chat/completions',
    ]);
    expect(server.received.every(({ headers }) => headers.authorization === 'Bearer sk-environment')).toBe(true);
  });

  it('holds the key where no program finds it', async () => {
    const model = new VllmModel({ url: 'http://127.0.0.1:1', model: 'qwen3', apiKey: 'sk-planted-1234567890' });
    const { inspect } = await import('node:util');
    expect(`${JSON.stringify(model)} ${inspect(model, { depth: 9, showHidden: true })}`).not.toContain('planted');
    expect(() => new VllmModel({ apiKey: 'sk-\nplanted' })).toThrow(/^apiKey or a header .* line ends in it$/);
    expect(() => new VllmModel({ url: 'http://me:planted@gpu-1' })).toThrow(/^(?!.*planted).* user or password/);
    expect(() => new VllmModel({ url: 'me:planted@gpu-1' })).toThrow(/^(?!.*planted).* not an address: .*@gpu-1/);
  });

  it.for([
    [{ url: 'gpu-1:8000' }, 'url of the model is not an address: "gpu-1:8000"'],
    [{ url: 'http://gpu-1:8000?key=1' }, 'has a query'],
    [{ timeoutMs: 0 }, 'timeoutMs of the model is 0'],
  ] as const)('refuses %j', ([options, problem]) => {
    expect(() => new VllmModel(options)).toThrow(problem);
  });
});

describe('what VllmModel makes of answers', () => {
  it('reads a stream, whatever pieces it comes in, and its usage at the end', async () => {
    const piece = (content: string, reason: string | null = null) =>
      `data: ${JSON.stringify({ model: 'qwen3-8b', choices: [{ delta: { content }, finish_reason: reason }] })}`;
    const model = await behind(
      stream([
        ': keep-alive',
        piece('täg'),
        piece('lich 漢😀', 'stop'),
        `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 9, completion_tokens: 4 } })}`,
        'data: [DONE]',
      ]),
    );
    const answer = await model.complete(QUESTION, { onText: () => {} });
    expect(answer).toMatchObject({ text: 'täglich 漢😀', model: 'qwen3-8b', tokens: { input: 9, output: 4 } });
  });

  it('names an error that comes in the middle of a stream', async () => {
    const model = await behind(
      stream([
        'data: {"choices":[{"delta":{"content":"The key"}}]}',
        'data: {"error":{"message":"EngineCore encountered an issue","type":"InternalServerError","code":500}}',
        'data: [DONE]',
      ]),
    );
    expect(await failure(model.complete(QUESTION, { onText: () => {} }))).toMatchObject({
      code: 'model-down',
      message: expect.stringContaining('answered 500: EngineCore encountered an issue'),
    });
  });

  it('names an error that comes with a 200', async () => {
    const model = await behind((_, response) =>
      sendJson(response, { object: 'error', message: 'unknown field', code: 400 }),
    );
    expect(await failure(model.complete(QUESTION))).toMatchObject({
      code: 'model-refused',
      message: expect.stringContaining('answered 400: unknown field'),
    });
  });

  it('takes an answer in one piece from a server that cannot stream', async () => {
    const model = await behind((_, response) =>
      sendJson(response, { choices: [{ message: { content: 'whole' }, finish_reason: 'stop' }] }),
    );
    const pieces: string[] = [];
    expect((await model.complete(QUESTION, { onText: (piece) => pieces.push(piece) })).text).toBe('whole');
    expect(pieces).toEqual(['whole']);
  });

  it.for([
    [200, '<html>Sign in</html>', 'model-answer', 'sent no JSON but: <html>Sign in</html>'],
    [200, '{}', 'model-answer', 'the answer is empty'],
    [
      200,
      '{"choices":[{"message":{"content":null},"finish_reason":"length"}]}',
      'model-answer',
      'no answer before its end',
    ],
    [
      200,
      '{"choices":[{"message":{"content":"x"},"finish_reason":"content_filter"}]}',
      'model-refused',
      'content filter',
    ],
    [401, '{"error":{"message":"Incorrect API key: sk-planted-1234567890"}}', 'model-refused', 'check apiKey'],
    [404, '{"object":"error","message":"The model `x` does not exist."}', 'model-refused', 'does not exist'],
    [429, '{"detail":"Too many"}', 'model-down', 'answered 429: Too many'],
    [302, '', 'model-refused', 'a redirect: give the address it leads to'],
    [503, 'no healthy\u202e upstream\u0007', 'model-down', 'answered 503: no healthy upstream'],
  ] as const)('names an answer of %d with %s', async ([status, body, code, message]) => {
    const model = await behind((_, response) => {
      response.writeHead(status, { location: 'http://127.0.0.1:1/' });
      response.end(body);
    });
    const found = await failure(model.complete(QUESTION));
    expect(found).toMatchObject({ code, message: expect.stringContaining(message) });
    expect(found.message).not.toContain('planted');
  });

  it('does not take in an answer without end', async () => {
    const model = await behind((_, response) => {
      response.writeHead(200);
      const piece = 'x'.repeat(1_000_000);
      const more = () => {
        while (response.writable && response.write(piece));
        response.once('drain', more);
      };
      more();
    });
    expect(await failure(model.complete(QUESTION))).toMatchObject({
      code: 'model-answer',
      message: expect.stringContaining('more than 32000000 bytes'),
    });
  });

  it('does not take in what a small body unpacks to', async () => {
    const packed = gzipSync(Buffer.alloc(40_000_000, 0x20));
    const model = await behind((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': packed.length });
      response.end(packed);
    });
    expect(await failure(model.complete(QUESTION))).toMatchObject({
      code: 'model-answer',
      message: expect.stringContaining('more than 32000000 bytes'),
    });
  });

  it('does not follow a stream without end', async () => {
    const piece = `data: ${JSON.stringify({ choices: [{ delta: { content: 'x'.repeat(100_000) } }] })}\n\n`;
    let sent = 0;
    const model = await behind((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const more = () => {
        while (response.writable && sent < 500 && response.write(piece)) sent++;
        if (sent++ < 500) response.once('drain', more);
        else response.end();
      };
      more();
    });
    expect(await failure(model.complete(QUESTION, { onText: () => {} }))).toMatchObject({
      code: 'model-answer',
      message: expect.stringContaining('more than 32000000 bytes'),
    });
  });

  it('shows no header, also where the server says a part of it again', async () => {
    const server = await closing(
      plainServer((_, response) => {
        response.writeHead(400);
        response.end('unknown key planted-zebra-42');
      }),
    );
    const headers = { authorization: 'Custom planted-zebra-42' };
    const found = await failure(new VllmModel({ url: server.url, model: 'qwen3', headers }).complete(QUESTION));
    expect(found.message).toContain('unknown key [redacted]');
  });

  it.for([
    [[{ index: 0, embedding: [1, 2] }], '1 vectors for 2 texts'],
    [
      [
        { index: 0, embedding: [1, 2] },
        { index: 1, embedding: [1] },
      ],
      'different lengths',
    ],
    [
      [
        { index: 0, embedding: [1, 2] },
        { index: 1, embedding: 'AACAPw==' },
      ],
      'not a list of numbers',
    ],
  ] as const)('refuses vectors like %j', async ([data, problem]) => {
    const model = await behind((_, response) => sendJson(response, { data }));
    expect(await failure(model.embed(['a', 'b']))).toMatchObject({
      code: 'model-answer',
      message: expect.stringContaining(problem),
    });
  });

  it('puts vectors in the order of their texts', async () => {
    const model = await behind((_, response) =>
      sendJson(response, {
        data: [
          { index: 1, embedding: [2] },
          { index: 0, embedding: [1] },
        ],
      }),
    );
    expect(await model.embed(['a', 'b'])).toEqual([[1], [2]]);
  });
});

describe('the health of vLLM', () => {
  it('tells its version, its models, and its queue over all engines', async () => {
    const server = await closing(vllmServer());
    const health = await new VllmModel({ url: server.url, model: 'qwen3' }).health();
    expect(health).toMatchObject({ ok: true, version: '0.12.0', running: 7, waiting: 2 });
  });

  it('takes 503 for a dead engine', async () => {
    const server = await closing(vllmServer());
    server.routes.set('GET /health', (_, response) => response.writeHead(503).end());
    const health = await new VllmModel({ url: server.url, model: 'qwen3' }).health();
    expect(health).toMatchObject({
      ok: false,
      problem: expect.stringContaining('the engine is dead: restart the server'),
    });
  });

  it('judges servers without /health and /metrics by what they serve', async () => {
    const server = await closing(vllmServer());
    for (const path of ['GET /health', 'GET /metrics', 'GET /version']) {
      server.routes.set(path, (_, response) => response.writeHead(404).end());
    }
    const model = new VllmModel({ url: server.url, model: 'qwen3' });
    const health = await model.health();
    expect(health.ok).toBe(true);
    expect(Object.keys(health).sort()).toEqual(['latencyMs', 'models', 'ok']);
    server.routes.set('GET /v1/models', (_, response) => sendJson(response, { data: [] }));
    expect(await model.health()).toMatchObject({ ok: false, problem: 'it serves no model' });
  });
});
