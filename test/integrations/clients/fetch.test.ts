import OpenAI from 'openai';
import { RSILoop, untracked } from 'rsi-loop';
import { type CaptureFetchOptions, captureFetch } from 'rsi-loop/clients/fetch';
import { ManualClock } from 'rsi-loop/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compare, recorded, see } from './differential.js';
import { type Provider, startProvider } from './provider.js';

type Fetch = typeof globalThis.fetch;

const CHAT = 'https://models.example/v1/chat/completions';
const POST = { method: 'POST', body: '{"model": "m-1", "messages": []}' };
const encode = (text: string) => new TextEncoder().encode(text);

/** A `fetch` that gives a body of these parts, as bytes on demand, and tells what its source was asked. */
function scripted(parts: readonly (string | Error)[], init: ResponseInit = EVENTS) {
  const asked: string[] = [];
  const fetch: Fetch = async () => {
    let next = 0;
    const body = new ReadableStream(
      {
        type: 'bytes',
        pull(controller) {
          const part = parts[next++];
          asked.push(part === undefined ? 'end' : `part ${next}`);
          if (part instanceof Error) controller.error(part);
          else if (part !== undefined) controller.enqueue(encode(part));
          else {
            controller.close();
            controller.byobRequest?.respond(0);
          }
        },
        cancel(reason) {
          asked.push(`cancel ${reason}`);
        },
      },
      { highWaterMark: 0 },
    );
    return new Response(body, init);
  };
  return { fetch, asked };
}

const EVENTS: ResponseInit = { headers: { 'content-type': 'text/event-stream' } };
const chat = (more: object) => `data: ${JSON.stringify(more)}\n\n`;
const STREAM = [
  chat({ model: 'm-1-2026', choices: [{ delta: { content: 'Hel' }, finish_reason: null }] }),
  chat({ choices: [{ delta: { content: 'lo' }, finish_reason: 'stop' }], usage: null }).slice(0, 20),
  chat({ choices: [{ delta: { content: 'lo' }, finish_reason: 'stop' }], usage: null }).slice(20),
  chat({ model: 'm-1-2026', choices: [], usage: { prompt_tokens: 5, completion_tokens: 2 } }),
  'data: [DONE]\n\n',
];
const WHOLE = { success: true, issues: [], tokens: { input: 5, output: 2 }, model: 'm-1' };

const textOf = (chunk: unknown) => (chunk instanceof Uint8Array ? new TextDecoder().decode(chunk) : chunk);

/** Every way a host can read a body. */
const READERS: Readonly<Record<string, (response: Response) => Promise<unknown>>> = {
  text: (response) => response.text(),
  arrayBuffer: async (response) => textOf(new Uint8Array(await response.arrayBuffer())),
  blob: async (response) => (await response.blob()).text(),
  'a reader': async (response) => {
    const reader = response.body?.getReader();
    const read: unknown[] = [];
    for (;;) {
      const result = await reader?.read();
      if (!result || result.done) return [read, response.bodyUsed, response.body?.locked];
      read.push(textOf(result.value));
    }
  },
  'a reader with a buffer of its own': async (response) => {
    const reader = response.body?.getReader({ mode: 'byob' });
    const read: unknown[] = [];
    for (;;) {
      const result = await reader?.read(new Uint8Array(16));
      if (!result || result.done) return read;
      read.push(textOf(result.value));
    }
  },
  'for await': async (response) => {
    const read: unknown[] = [];
    for await (const chunk of iterable(response)) read.push(textOf(chunk));
    return [read, response.bodyUsed];
  },
  values: async (response) => {
    const read: unknown[] = [];
    const { body } = response;
    // The types of browsers lack it, Node has it.
    const { values } = body as unknown as { values(options: object): AsyncIterable<Uint8Array> };
    for await (const chunk of values.call(body, { preventCancel: true })) {
      read.push(textOf(chunk));
      if (read.length === 2) break;
    }
    return [read, body?.locked, await response.text().catch((error) => String(error))];
  },
  pipeThrough: async (response) => {
    const read: unknown[] = [];
    const texts = response.body?.pipeThrough(new TextDecoderStream() as never);
    for await (const text of texts as unknown as AsyncIterable<string>) read.push(text);
    return read;
  },
  pipeTo: async (response) => {
    const read: unknown[] = [];
    await response.body?.pipeTo(new WritableStream({ write: (chunk) => void read.push(textOf(chunk)) }));
    return [read, response.body?.locked];
  },
  tee: async (response) => {
    const [one, other] = response.body?.tee() ?? [];
    return [await new Response(one ?? null).text(), await new Response(other ?? null).text()];
  },
  clone: async (response) => [await response.clone().text(), await response.text()],
  'a new Response': async (response) => new Response(response.body, response).text(),
  'text, twice': async (response) => [await response.text(), await response.text().catch((error) => error.message)],
  'cancel after a chunk': async (response) => {
    const reader = response.body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    await reader?.cancel('enough');
    return [textOf(value), response.bodyUsed];
  },
  'leaving a loop': async (response) => {
    for await (const chunk of iterable(response)) return textOf(chunk);
    return undefined;
  },
  'cancel at once': async (response) => response.body?.cancel('not needed'),
  'looking only': async (response) => [
    response.status,
    response.ok,
    Object.keys(response),
    Object.prototype.toString.call(response),
    response instanceof Response,
    response.body instanceof ReadableStream,
    new Set([response.body, response.body]).size,
    response.bodyUsed,
    [...response.headers],
  ],
};

describe('captureFetch', () => {
  it.each(Object.entries(READERS))('changes nothing for a host that reads by: %s', async (name, read) => {
    const [bare, inner] = [scripted(STREAM), scripted(STREAM)];
    const run = async (fetch: Fetch) => see(async () => read(await fetch(CHAT, POST)));
    const { outcomes } = await compare(
      () => run(bare.fetch),
      (loop) => run(captureFetch(loop, { fetch: inner.fetch })),
    );
    expect(inner.asked).toEqual(bare.asked);
    if (name === 'looking only') expect(outcomes).toEqual([]);
    else expect(outcomes).toMatchObject([{ success: true, task: 'model_call', source: 'openai', model: 'm-1' }]);
    const readsAll = !/cancel|leaving|looking|values|blob/.test(name);
    if (readsAll) expect(outcomes).toMatchObject([{ ...WHOLE, context: { finish: 'stop', answeredBy: 'm-1-2026' } }]);
  });

  it.each(Object.entries(READERS))('passes on the very error of a broken body to: %s', async (_name, read) => {
    const error = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
    const [bare, inner] = [scripted([STREAM[0] ?? '', error]), scripted([STREAM[0] ?? '', error])];
    const run = async (fetch: Fetch) => see(async () => read(await fetch(CHAT, POST)));
    await compare(
      () => run(bare.fetch),
      (loop) => run(captureFetch(loop, { fetch: inner.fetch })),
    );
    expect(inner.asked).toEqual(bare.asked);
  });

  it('reads nothing ahead of its host', async () => {
    const loop = new RSILoop();
    const inner = scripted(STREAM);
    const response = await captureFetch(loop, { fetch: inner.fetch })(CHAT, POST);
    await new Promise((resolve) => setImmediate(resolve));
    expect(inner.asked).toEqual([]);
    await response.body?.getReader().read();
    expect(inner.asked).toEqual(['part 1']);
    await loop.close();
  });

  it('gives the very promise, response and error of the inner fetch', async () => {
    const loop = new RSILoop();
    const response = new Response('{}');
    const answered = Promise.resolve(response);
    const failed = Promise.reject(new TypeError('fetch failed'));
    expect(captureFetch(loop, { fetch: () => answered })(CHAT, POST)).toBe(answered);
    expect(captureFetch(loop, { fetch: () => failed })(CHAT, POST)).toBe(failed);
    expect(await answered).toBe(response);
    await failed.catch(() => {});
    const [outcome] = await recorded(loop);
    expect(outcome).toMatchObject({ success: false, issues: ['network'], model: 'm-1' });
    await loop.close();
  });

  it('waits a second for the caller to read the body of an error, and lets an unread answer go', async () => {
    const loop = new RSILoop();
    const clock = new ManualClock();
    const limited = scripted([], { status: 429, statusText: 'Too Many Requests', headers: { 'retry-after': '7' } });
    await captureFetch(loop, { fetch: limited.fetch, clock })(CHAT, POST);
    await captureFetch(loop, { fetch: scripted(STREAM).fetch, clock })(CHAT, POST);
    await clock.advance(999);
    expect(await recorded(loop)).toEqual([]);
    await clock.advance(1);
    expect(await recorded(loop)).toMatchObject([
      { success: false, issues: ['rate_limit'], error: { retryAfterMs: 7_000 } },
    ]);
    expect(clock.pending).toBe(0);
    await loop.close();
  });

  const json = (body: object, status = 200) => scripted([JSON.stringify(body)], { status });

  it.each([
    ['https://g.example/v1beta/models/gemini-9:generateContent?key=k', 'gemini', 'model_call', 'gemini-9'],
    ['https://g.example/v1beta/models/gemini-9:embedContent', 'gemini', 'embedding_call', 'gemini-9'],
    ['http://127.0.0.1:11434/api/chat', 'ollama', 'model_call', 'm-1'],
    ['http://127.0.0.1:11434/api/embed', 'ollama', 'embedding_call', 'm-1'],
    ['http://vllm:8000/v1/completions', 'openai', 'model_call', 'm-1'],
    ['https://gateway.example/team/anthropic/v1/messages', 'anthropic', 'model_call', 'm-1'],
    ['https://models.example/v1/embeddings', 'openai', 'embedding_call', 'm-1'],
  ])('knows %s', async (url, source, task, model) => {
    const loop = new RSILoop();
    await (await captureFetch(loop, { fetch: json({ usage: { prompt_tokens: 3 } }).fetch })(url, POST)).json();
    const [outcome] = await recorded(loop);
    expect(outcome).toMatchObject({ source, task, model, success: true, tokens: { input: 3, output: 0 } });
    expect(JSON.stringify(outcome)).not.toContain('key=k');
    await loop.close();
  });

  it.each([
    ['a Gemini answer', { candidates: [{ finishReason: 'SAFETY' }] }, { success: false, issues: ['content_filter'] }],
    [
      'a Gemini answer with thoughts',
      {
        modelVersion: 'g-2',
        candidates: [{ finishReason: 'STOP', content: { parts: [{ text: 'x' }] } }],
        usageMetadata: { promptTokenCount: 4, candidatesTokenCount: 5, thoughtsTokenCount: 6 },
      },
      { success: true, issues: [], tokens: { input: 4, output: 11 }, context: { answeredBy: 'g-2', finish: 'STOP' } },
    ],
    [
      'an Ollama answer',
      {
        model: 'm-1',
        message: { content: 'x' },
        done: true,
        done_reason: 'length',
        prompt_eval_count: 1,
        eval_count: 2,
      },
      { success: true, issues: ['incomplete_task'], tokens: { input: 1, output: 2 } },
    ],
    [
      'an empty Ollama answer',
      { message: { content: ' ' }, done: true },
      { success: false, issues: ['empty_response'] },
    ],
    ['an error under 200', { error: { message: 'model overloaded' } }, { success: false, issues: ['overloaded'] }],
  ])('reads %s', async (_name, body, expected) => {
    const loop = new RSILoop();
    await (await captureFetch(loop, { fetch: json(body).fetch })(CHAT, POST)).text();
    expect(await recorded(loop)).toMatchObject([expected]);
    await loop.close();
  });

  it('reads a stream of lines, and one whose last event is longer than it holds', async () => {
    const loop = new RSILoop();
    const lines = [
      `${JSON.stringify({ message: { content: 'a' }, done: false })}\n`,
      `${JSON.stringify({ model: 'm-1', done: true, prompt_eval_count: 9, eval_count: 8 })}\n`,
    ];
    const ndjson = { headers: { 'content-type': 'application/x-ndjson' } };
    await (await captureFetch(loop, { fetch: scripted(lines, ndjson).fetch })('http://o:11434/api/chat', POST)).text();
    const text = 'x "error": {'.repeat(20_000);
    const usage = { input_tokens: 70, output_tokens: 60_000 };
    const long = { type: 'response.completed', response: { object: 'response', status: 'completed', text, usage } };
    const fetch = captureFetch(loop, { fetch: scripted(chunked(chat(long), 4_000)).fetch });
    for await (const _ of iterable(await fetch('https://m.example/v1/responses', POST)));
    expect(await recorded(loop)).toMatchObject([
      { success: true, issues: [], tokens: { input: 9, output: 8 } },
      { success: true, issues: [], tokens: { input: 70, output: 60_000 } },
    ]);
    await loop.close();
  });

  it('takes no count of tokens for the words of an answer', async () => {
    const loop = new RSILoop();
    const usage = { prompt_tokens: 5, completion_tokens: 0 };
    const answer = { object: 'response', status: 'completed', output: [{ type: 'message' }], usage };
    await (await captureFetch(loop, { fetch: json(answer).fetch })('https://m.example/v1/responses', POST)).text();
    for (const content of ['Hello', '']) {
      const words = chat({ choices: [{ delta: { role: 'assistant', content }, finish_reason: null }] });
      const end = chat({ choices: [{ delta: {}, finish_reason: 'stop' }], usage });
      await (await captureFetch(loop, { fetch: scripted([words, end]).fetch })(CHAT, POST)).text();
    }
    expect((await recorded(loop)).map(({ issues }) => issues[0])).toEqual([undefined, undefined, 'empty_response']);
    await loop.close();
  });

  it('keeps words only when asked to, and redacts them', async () => {
    const body = JSON.stringify({ model: 'm-1', messages: [{ content: 'my password=hunter22hunter22' }] });
    const kept = async (options: CaptureFetchOptions) => {
      const loop = new RSILoop();
      const fetch = captureFetch(loop, { fetch: scripted(STREAM).fetch, ...options });
      await (await fetch(CHAT, { method: 'POST', body })).text();
      const [outcome] = await recorded(loop);
      await loop.close();
      return outcome?.context;
    };
    const context = await kept({ content: true });
    expect(context?.answer).toBe('Hello');
    expect(context?.request).toContain('[redacted');
    expect(JSON.stringify(context)).not.toContain('hunter22');
    expect(JSON.stringify(await kept({}))).not.toMatch(/Hello|hunter22|redacted/);
  });

  it.each(['json', 'text'] as const)(
    'keeps no words that a parser quotes from a malformed answer (%s)',
    async (how) => {
      const loop = new RSILoop();
      const body = '{"choices":[{"message":{"content": Alice told me}}]}';
      const init = { headers: { 'content-type': 'application/json' } };
      const fetch = captureFetch(loop, { fetch: async () => new Response(body, init) });
      await (await fetch(CHAT, POST))[how]().catch(() => undefined);
      const [outcome] = await recorded(loop);
      await loop.close();
      expect(outcome).toMatchObject({ success: false, issues: ['parse_error'], error: { name: 'SyntaxError' } });
      expect(JSON.stringify(outcome)).not.toContain('Alice');
    },
  );

  it('tells the host alone, whatever stands before it', async () => {
    const loop = new RSILoop();
    const fetch = captureFetch(loop, { fetch: scripted(STREAM).fetch });
    await (await fetch('https://me:p@ss@models.example:8443/v1/chat/completions?key=1', POST)).text();
    const [outcome] = await recorded(loop);
    await loop.close();
    expect(outcome?.context).toMatchObject({ host: 'models.example:8443' });
  });

  it('leaves other requests alone, names those it is told to name, and ignores what it is told to', async () => {
    const loop = new RSILoop();
    const fetch = captureFetch(loop, {
      fetch: json({}, 500).fetch,
      task: (url, method) => (url.endsWith('/search') ? `search ${method}` : undefined),
      ignore: (url) => url.startsWith('http://127.0.0.1:4747/'),
      source: 'bot',
      session: 's',
      agent: 'a',
    });
    await (await fetch('https://x.example/observe', POST)).text();
    await (await fetch('http://127.0.0.1:4747/v1/chat/completions', POST)).text();
    await (await fetch(new Request('https://x.example/search'))).text();
    await untracked(loop, async () => (await fetch(CHAT, POST)).text());
    await expect(fetch('not an address', { method: 'GET' })).resolves.toBeInstanceOf(Response);
    expect(await recorded(loop)).toMatchObject([
      { task: 'search GET', source: 'bot', session: 's', agent: 'a', issues: ['server_error'] },
    ]);
    await loop.close();
  });

  it('makes a child of the task around it, so that nothing is counted twice', async () => {
    const loop = new RSILoop();
    const fetch = captureFetch(loop, { fetch: scripted(STREAM).fetch });
    await loop.run('answer', async () => {
      const twice = captureFetch(loop, { fetch });
      return (await twice(CHAT, POST)).text();
    });
    const [inner, outer, task] = await recorded(loop);
    expect([inner?.task, outer?.task, task?.task]).toEqual(['model_call', 'model_call', 'answer']);
    expect(new Set([inner?.parent, outer?.parent])).toEqual(new Set([task?.id, outer?.id]));
    await loop.close();
  });
});

describe('an SDK whose own time is up', () => {
  let provider: Provider;
  beforeAll(async () => {
    provider = await startProvider();
  });
  afterAll(() => provider.close());

  it('is a time-out, although it aborts as a host would', async () => {
    const loop = new RSILoop();
    const hanging: Fetch = (_, init) =>
      new Promise((_, reject) => {
        const stop = () => reject(new DOMException('This operation was aborted', 'AbortError'));
        init?.signal?.addEventListener('abort', stop);
      });
    const ask = (options: CaptureFetchOptions, timeout: number | undefined) =>
      new OpenAI({
        apiKey: 'none',
        baseURL: provider.url,
        maxRetries: 0,
        timeout: 1_000,
        fetch: captureFetch(loop, { fetch: hanging, ...options }),
      }).chat.completions.create({ model: 'm', messages: [] }, timeout === undefined ? {} : { timeout });
    const asked = [ask({}, 1_000), ask({ timeoutMs: 1_000 }, undefined), ask({}, undefined)];
    for (const { status } of await Promise.allSettled(asked)) expect(status).toBe('rejected');
    await loop.close(); // without it, they wait for the SDK to try again
    const issues = (await recorded(loop)).map((outcome) => outcome.issues[0]);
    expect(issues.sort()).toEqual(['cancelled', 'timeout', 'timeout']);
  });
});

function chunked(text: string, size: number): string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  );
}

/** The types of browsers lack it, Node has it. */
function iterable(response: Response): AsyncIterable<Uint8Array> {
  return response.body as unknown as AsyncIterable<Uint8Array>;
}
