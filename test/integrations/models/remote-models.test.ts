import { MockLanguageModelV3, MockLanguageModelV4 } from 'ai/test';
import type { JsonSchema } from 'rsi-loop';
import { AiSdkModel, AnthropicModel, ModelBudget, OpenAiModel } from 'rsi-loop/models';
import { ManualClock } from 'rsi-loop/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { closing, failure, QUESTION } from './fixtures.js';
import { plainServer, type Route, sendJson } from './servers.js';

const SECRET = 'sk-planted-1234567890abcdef';
beforeEach(() => void vi.stubEnv('TEST_KEY', SECRET));
afterEach(() => void vi.unstubAllEnvs());

const budgetOf = (maxTokens = 1_000_000) => new ModelBudget({ maxTokens });
const DONE = { type: 'message', model: 'claude', content: [{ type: 'text', text: 'yes' }], stop_reason: 'end_turn' };

/** A client of Anthropic's protocol at a server of the test. */
async function claude(route: Route, more: { budget?: ModelBudget; clock?: ManualClock; timeoutMs?: number } = {}) {
  const { url } = await closing(plainServer(route));
  const budget = more.budget ?? budgetOf();
  const model = new AnthropicModel({ budget, url, model: 'claude', keyName: 'TEST_KEY', maxTokens: 100, ...more });
  return { model, budget };
}

describe('AnthropicModel', () => {
  it('sends what the messages API wants: system apart, the schema, the key in its header, no temperature', async () => {
    const seen: { body?: unknown; headers?: NodeJS.Dict<string | string[]> } = {};
    const { model } = await claude((body, response, request) => {
      Object.assign(seen, { body, headers: request.headers });
      sendJson(response, {
        ...DONE,
        content: [
          { type: 'thinking', thinking: 'hm' },
          { type: 'text', text: '{"a":1}' },
        ],
      });
    });
    const schema: JsonSchema = {
      type: 'object',
      properties: { a: { type: 'number' } },
      required: ['a'],
      additionalProperties: false,
    };
    const messages = [{ role: 'system', content: 'Be short.' }, ...QUESTION.messages] as const;
    expect((await model.complete({ messages, schema, temperature: 0 })).json).toEqual({ a: 1 });
    expect(seen.body).toEqual({
      model: 'claude',
      max_tokens: 100,
      system: 'Be short.',
      messages: QUESTION.messages,
      output_config: { format: { type: 'json_schema', schema } },
    });
    expect(seen.headers).toMatchObject({ 'x-api-key': SECRET, 'anthropic-version': '2023-06-01' });
    expect(seen.headers).not.toHaveProperty('authorization');
  });

  it('counts what caches read and wrote as input', async () => {
    const usage = { input_tokens: 10, cache_read_input_tokens: 30, cache_creation_input_tokens: 5, output_tokens: 2 };
    const { model, budget } = await claude((_, response) => sendJson(response, { ...DONE, usage }));
    expect((await model.complete(QUESTION)).tokens).toEqual({ input: 45, output: 2 });
    expect(await budget.status()).toMatchObject({ tokens: 47 });
  });

  it('says when the model declined', async () => {
    const { model } = await claude((_, response) => sendJson(response, { ...DONE, stop_reason: 'refusal' }));
    expect(await failure(model.complete(QUESTION))).toMatchObject({ code: 'model-refused' });
  });
});

describe('a remote model', () => {
  it('counts the worst case of a call whose cost it cannot know, and nothing for one that was rejected or never sent', async () => {
    const answers = [400, 401, 429, 529, 500];
    const counted: number[] = [];
    for (const status of answers) {
      const { model, budget } = await claude(
        (_, response) => sendJson(response, { error: { message: 'no' } }, status),
        {
          timeoutMs: 500,
        },
      );
      await failure(model.complete(QUESTION));
      counted.push((await budget.status()).tokens);
    }
    expect(counted.map((tokens) => tokens > 0)).toEqual([false, false, false, false, true]);
    const gone = await plainServer(() => {});
    gone.stop();
    const budget = budgetOf();
    const options = { budget, url: gone.url, model: 'm', keyName: 'TEST_KEY', timeoutMs: 2_000 };
    expect(await failure(new OpenAiModel(options).complete(QUESTION))).toMatchObject({ code: 'model-down' });
    expect(await budget.status()).toMatchObject({ tokens: 0 });
  });

  it('counts the worst case of a call that was aborted or timed out after it was sent', async () => {
    const abort = new AbortController();
    const { model, budget } = await claude(() => abort.abort(new Error('enough')));
    await expect(model.complete(QUESTION, { signal: abort.signal })).rejects.toThrow('enough');
    const { tokens } = await budget.status();
    expect(tokens).toBeGreaterThan(100);
    await failure(model.complete(QUESTION, { timeoutMs: 30 }));
    expect(await budget.status()).toMatchObject({ tokens: 2 * tokens });
    // Aborted before it began: nothing was sent.
    await expect(model.complete(QUESTION, { signal: abort.signal })).rejects.toThrow('enough');
    expect(await budget.status()).toMatchObject({ tokens: 2 * tokens });
  });

  it('holds what the provider counted even if that is more than the worst case, and sends no further call', async () => {
    let requests = 0;
    const route: Route = (_, response) => {
      requests++;
      sendJson(response, { ...DONE, usage: { input_tokens: 90_000, output_tokens: 5 } });
    };
    const { model, budget } = await claude(route, { budget: budgetOf(50_000) });
    await model.complete(QUESTION);
    expect(await budget.status()).toMatchObject({ tokens: 90_005 });
    expect((await failure(model.complete(QUESTION))).message).toContain('90005 of 50000 tokens are spent or reserved');
    expect(requests).toBe(1);
  });

  it('waits as long as a 429 says, and lets the other calls wait too', async () => {
    let requests = 0;
    const { model } = await claude((_, response) => {
      if (++requests > 1) return sendJson(response, DONE);
      response.writeHead(429, { 'retry-after': '0.05' });
      response.end('{"error":{"message":"slow down"}}');
    });
    const startedMs = performance.now();
    expect((await model.complete(QUESTION)).text).toBe('yes');
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(45);
    expect(requests).toBe(2);
  });

  it('does not wait longer than the call may take, and sends no request until the wait is over', async () => {
    let requests = 0;
    const clock = new ManualClock(0);
    const { model } = await claude(
      (_, response) => {
        requests++;
        response.writeHead(429, { 'retry-after': '120' });
        response.end('{"error":{"message":"slow down"}}');
      },
      { clock },
    );
    expect((await failure(model.complete(QUESTION))).message).toContain('answered 429: slow down');
    const { code, message } = await failure(model.complete(QUESTION));
    expect([code, message]).toEqual(['model-down', `${model.name} asked to wait for another 120 s: ask later`]);
    expect(requests).toBe(1);
  });

  it('is not made without a key, with one that would travel in the clear, or without a limit that can be checked', () => {
    const options = { budget: budgetOf(), model: 'm' };
    vi.stubEnv('OPENAI_API_KEY', '');
    expect(() => new OpenAiModel(options)).toThrow(
      'the environment variable OPENAI_API_KEY is not set: it holds the key',
    );
    expect(() => new OpenAiModel({ ...options, url: 'https://llm.example/v1' })).toThrow(
      'llm.example is not a known provider: name the variable of its key as keyName',
    );
    expect(() => new OpenAiModel({ ...options, url: 'http://llm.example/v1', keyName: 'TEST_KEY' })).toThrow(
      'the key in TEST_KEY would be sent unencrypted to llm.example: give an https address',
    );
    const onlyUsd = new ModelBudget({ maxUsd: 1 });
    const unknown = { budget: onlyUsd, model: 'claude-next', keyName: 'TEST_KEY' };
    expect(() => new AnthropicModel(unknown)).toThrow(
      'the price of claude-next at api.anthropic.com is unknown: give price, or maxTokens in the budget',
    );
    expect(new AnthropicModel({ ...unknown, model: 'claude-haiku-4-5-20251001' }).name).toContain('claude-haiku-4-5');
  });

  it('never shows its key, even if the provider repeats it', async () => {
    const { model } = await claude((_, response) =>
      sendJson(response, { error: { message: `bad key ${SECRET}` } }, 401),
    );
    const { message } = await failure(model.complete(QUESTION));
    expect(message).toContain('answered 401: bad key [redacted]');
  });
});

const USAGE = {
  inputTokens: { total: 20, noCache: 20, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 4, text: 4, reasoning: 0 },
};

describe('AiSdkModel', () => {
  it('asks models of every version of the interface', async () => {
    const content = [{ type: 'text' as const, text: 'yes' }];
    const finishReason = { unified: 'stop' as const, raw: 'stop' };
    const generated = { content, finishReason, usage: USAGE, warnings: [] };
    const four = new MockLanguageModelV4({ modelId: 'four', doGenerate: async () => generated });
    const three = new MockLanguageModelV3({ modelId: 'three', doGenerate: async () => generated });
    const two = {
      specificationVersion: 'v2',
      provider: 'old',
      modelId: 'two',
      supportedUrls: {},
      // Reasoning is counted only in the total.
      doGenerate: async () => ({
        content,
        finishReason: 'stop',
        usage: { inputTokens: 20, outputTokens: 1, totalTokens: 24 },
        warnings: [],
      }),
      doStream: async () => ({ stream: new ReadableStream() }),
    };
    for (const language of [four, three, two]) {
      const budget = budgetOf();
      const answer = await new AiSdkModel(language, { budget }).complete(QUESTION);
      expect(answer).toMatchObject({ text: 'yes', model: language.modelId, tokens: { input: 20, output: 4 } });
      expect(await budget.status()).toMatchObject({ tokens: 24 });
    }
    expect(four.doGenerateCalls[0]).toMatchObject({
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'Why?' }] }],
      maxOutputTokens: 2_048,
    });
  });

  it('ends a call whose provider ignores the signal', async () => {
    const language = new MockLanguageModelV4({ doGenerate: () => new Promise(() => {}) });
    const model = new AiSdkModel(language, { budget: budgetOf() });
    expect(await failure(model.complete(QUESTION, { timeoutMs: 20 }))).toMatchObject({ code: 'timed-out' });
    expect(await model.health()).toMatchObject({ ok: false, problem: expect.stringContaining('within 20 ms') });
  });

  it('counts the worst case of a stream that broke off with an error', async () => {
    const error = Object.assign(new Error('slow down'), { statusCode: 429 });
    const stream = new ReadableStream({
      start(controller) {
        controller.enqueue({ type: 'text-delta', id: '1', delta: 'The' });
        controller.enqueue({ type: 'error', error });
      },
    });
    const language = new MockLanguageModelV4({ doStream: async () => ({ stream }) });
    const budget = budgetOf();
    const call = new AiSdkModel(language, { budget }).complete(QUESTION, { onText: () => {} });
    expect(await failure(call)).toMatchObject({ code: 'model-down', message: expect.stringContaining('slow down') });
    expect((await budget.status()).tokens).toBeGreaterThan(2_048);
  });

  it('says what to give instead of a name', () => {
    const make = () => new AiSdkModel('openai/gpt-5' as never, { budget: budgetOf() });
    expect(make).toThrow(`the model is "openai/gpt-5": give a model object of the AI SDK, as openai('gpt-5')`);
  });
});
