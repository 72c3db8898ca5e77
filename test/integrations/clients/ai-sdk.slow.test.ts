import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOpenAI } from '@ai-sdk/openai';
import { embed, generateText, isStepCount, streamText, tool, wrapLanguageModel } from 'ai';
import { RSILoop } from 'rsi-loop';
import { aiSdkMiddleware, captureAiSdk } from 'rsi-loop/clients/ai-sdk';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { type Ask, compareAll, recorded, see, told } from './differential.js';
import { type Provider, startProvider } from './provider.js';

let provider: Provider;
beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.close());

type Model = Parameters<typeof wrapLanguageModel>[0]['model'];

const chat = (model: string) => createOpenAI({ apiKey: 'none', baseURL: `${provider.url}/v1` }).chat(model);

function ask(model: Model, { stream, signal, ...reading }: Ask) {
  const call = { model, prompt: 'hello', maxRetries: 1, ...(signal && { abortSignal: signal }) };
  return see(async () => {
    if (stream) return streamText({ ...call, onError() {} }).textStream;
    const { text, finishReason, usage } = await generateText(call);
    return { text, finishReason, usage };
  }, reading);
}

const summaryOf = (cases: Awaited<ReturnType<typeof compareAll>>) =>
  Object.fromEntries(Object.values(cases).map(({ name, outcomes }) => [name, told(outcomes)]));

describe('captureAiSdk', () => {
  it('changes nothing for hosts of the AI SDK, and records operations and calls', async () => {
    const cases = await compareAll(async (loop, each) => {
      const stop = loop && captureAiSdk(loop);
      const seen = await ask(chat(each.model), each);
      // Ends are published when the SDK has put its house in order, a moment after the host has its answer.
      for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
      stop?.();
      return seen;
    });
    expect(summaryOf(cases)).toEqual({
      success: ['model_call: fine 11+7', 'generateText: fine'],
      stream: ['model_call: fine 11+7', 'streamText: fine'],
      '429, tried again': ['model_call: fine 11+7', 'generateText: fine'],
      '429': ['model_call: rate_limit', 'generateText: rate_limit'],
      '500': expect.arrayContaining(['model_call: server_error', 'generateText: server_error']),
      '500 for a stream': expect.arrayContaining(['model_call: server_error']),
      'malformed body': ['model_call: parse_error', 'generateText: parse_error'],
      'malformed stream': expect.arrayContaining([expect.stringMatching(/^model_call: parse_error/)]),
      'truncated stream': expect.arrayContaining([expect.stringMatching(/^model_call: /)]),
      'torn stream': ['streamText: network', 'model_call: network'],
      'error inside a stream': expect.arrayContaining([expect.stringMatching(/^model_call: overloaded/)]),
      'cut off': ['model_call: incomplete_task 11+7', 'generateText: fine'],
      'stream left early': expect.anything(),
      'stream aborted': expect.anything(),
    });
    const { outcomes = [] } = cases.success ?? {};
    expect(outcomes[0]).toMatchObject({
      parent: outcomes[1]?.id,
      source: 'ai-sdk',
      model: 'captured-all-success-fine',
    });
    expect(JSON.stringify(outcomes)).not.toMatch(/hello|Hello/);
  });

  it('records tools as children of their operation, and those that throw as failures', async () => {
    const loop = new RSILoop();
    const stop = captureAiSdk(loop, { session: 's-1', content: true });
    const steps = [
      [{ type: 'tool-call', toolCallId: 't1', toolName: 'search', input: '{"query":"password=hunter22hunter22"}' }],
      [{ type: 'text', text: 'done' }],
    ];
    const usage = { inputTokens: { total: 3 }, outputTokens: { total: 4 } };
    const model = {
      specificationVersion: 'v4',
      provider: 'scripted',
      modelId: 'm-1',
      supportedUrls: {},
      doGenerate: async () => ({ content: steps.shift(), finishReason: { unified: 'stop' }, usage, warnings: [] }),
    } as unknown as Model; // as much of a model as this call needs
    const search = tool({
      inputSchema: z.object({ query: z.string() }),
      execute: async (): Promise<string> => {
        throw new Error('the index broke');
      },
    });
    await loop.run('answer', () =>
      generateText({
        model,
        prompt: 'x',
        tools: { search },
        stopWhen: isStepCount(3),
        telemetry: { functionId: 'summarise' },
      }),
    );
    stop();
    await generateText({ model: chat('a-fine'), prompt: 'not seen any more' });
    const outcomes = await recorded(loop);
    expect(told(outcomes)).toEqual([
      'model_call: fine 3+4',
      'search: tool_failure',
      'model_call: fine 3+4',
      'summarise: fine',
      'answer: fine',
    ]);
    const [first, failed, second, operation, task] = outcomes;
    expect([first?.parent, failed?.parent, second?.parent]).toEqual([operation?.id, operation?.id, operation?.id]);
    expect(operation?.parent).toBe(task?.id);
    expect(failed).toMatchObject({ tool: 'search', session: 's-1', error: { message: 'the index broke' } });
    expect(JSON.stringify(failed?.context)).toContain('[redacted');
    await loop.close();
  });

  it('records embeddings and telemetry without words', async () => {
    const loop = new RSILoop();
    const stop = captureAiSdk(loop);
    const model = {
      specificationVersion: 'v4',
      provider: 'scripted',
      modelId: 'e-1',
      maxEmbeddingsPerCall: 9,
      supportsParallelCalls: false,
      doEmbed: async () => ({ embeddings: [[1]], usage: { tokens: 6 }, warnings: [] }),
    };
    await embed({ model: model as never, value: 'x' });
    await generateText({ model: chat('a-fine'), prompt: 'x', telemetry: { recordInputs: false } });
    await generateText({ model: chat('a-fine'), prompt: 'x', telemetry: { isEnabled: false } });
    stop();
    expect(told(await recorded(loop))).toEqual(['embed: fine 6+0', 'model_call: fine', 'generateText: fine']);
    await loop.close();
  });
});

describe('captureAiSdk where it could hear nothing', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rsi-loop-ai-'));
  const started = process.argv[1];
  afterEach(() => {
    process.argv[1] = started ?? '';
    vi.unstubAllGlobals();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('says so for a version that publishes nothing', () => {
    mkdirSync(join(folder, 'node_modules/ai'), { recursive: true });
    writeFileSync(join(folder, 'node_modules/ai/package.json'), '{ "version": "6.0.326" }');
    process.argv[1] = join(folder, 'agent.js');
    expect(() => captureAiSdk(new RSILoop())).toThrow(
      /^ai 6\.0\.326 publishes no calls, .*Node 22.* install ai@7, or .*middleware: aiSdkMiddleware\(loop\)/,
    );
    process.argv[1] = join(tmpdir(), 'elsewhere.js');
    captureAiSdk(new RSILoop())();
  });

  it('says so on a platform without diagnostics channels', () => {
    const loop = new RSILoop();
    vi.stubGlobal('process', { ...process, getBuiltinModule: undefined });
    expect(() => captureAiSdk(loop)).toThrow('no diagnostics channels');
  });
});

describe('aiSdkMiddleware', () => {
  it('changes nothing for hosts of the AI SDK, and records each attempt as one', async () => {
    const cases = await compareAll((loop, each) => {
      const model = chat(each.model);
      return ask(loop ? wrapLanguageModel({ model, middleware: aiSdkMiddleware(loop) }) : model, each);
    }, 'middleware');
    expect(summaryOf(cases)).toEqual({
      success: ['model_attempt: fine 11+7'],
      stream: ['model_attempt: fine 11+7'],
      '429, tried again': ['model_attempt: rate_limit', 'model_attempt: fine 11+7'],
      '429': ['model_attempt: rate_limit', 'model_attempt: rate_limit'],
      '500': expect.arrayContaining(['model_attempt: server_error']),
      '500 for a stream': expect.arrayContaining(['model_attempt: server_error']),
      'malformed body': ['model_attempt: parse_error'],
      'malformed stream': [expect.stringMatching(/^model_attempt: parse_error/)],
      'truncated stream': [expect.stringMatching(/^model_attempt: /)],
      'torn stream': [expect.stringMatching(/^model_attempt: network/)],
      'error inside a stream': [expect.stringMatching(/^model_attempt: overloaded/)],
      'cut off': ['model_attempt: incomplete_task 11+7'],
      'stream left early': expect.anything(),
      'stream aborted': expect.anything(),
    });
  });
});
