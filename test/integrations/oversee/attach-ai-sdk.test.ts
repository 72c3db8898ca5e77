import * as ai7 from 'ai';
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test';
import * as ai6 from 'ai-6';
import { MockLanguageModelV3 } from 'ai-6/test';
import { attach } from 'rsi-loop/oversee';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { supervisor } from './test-supervisor.js';

const price = () => ({ inputUsd: 1_000, outputUsd: 10_000 });
const usage = {
  inputTokens: { total: 100, noCache: 100, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 10, text: 10, reasoning: 0 },
};

const looks = async () => ({
  content: [{ type: 'tool-call' as const, toolCallId: crypto.randomUUID(), toolName: 'look', input: '{"at":1}' }],
  finishReason: { unified: 'tool-calls' as const, raw: undefined },
  usage,
  warnings: [],
});
const says = async () => ({
  stream: simulateReadableStream({
    chunks: [
      { type: 'text-start' as const, id: '1' },
      { type: 'text-delta' as const, id: '1', delta: 'hello' },
      { type: 'text-end' as const, id: '1' },
      { type: 'finish' as const, finishReason: { unified: 'stop' as const, raw: undefined }, usage },
    ],
    initialDelayInMs: null,
    chunkDelayInMs: null,
  }),
});
const look = { inputSchema: z.object({ at: z.number() }), execute: async () => 'nothing' };
const ask = { prompt: 'find it', maxRetries: 0 };

/** Tests of one version: its model, and the two ways to ask it. */
function describeVersion<Model extends { readonly doGenerateCalls: readonly unknown[] }>(
  version: number,
  model: () => Model,
  generate: (model: Model) => Promise<unknown>,
  stream: (model: Model) => PromiseLike<string>,
): void {
  describe(`an agent of version ${version} of the AI SDK`, () => {
    it('is stopped when it repeats itself, and when its money is used up', async () => {
      const stuck = supervisor({});
      await expect(stuck.guarded('stuck', (run) => generate(attach(run).model(model())))).rejects.toThrow(
        'look was called 8 times',
      );
      expect(stuck.receipts).toMatchObject([{ why: 'loop', spent: { tokens: 880, calls: 8 } }]);
      const poor = supervisor({ budget: { usd: 0.7 }, watch: false });
      const asked = model();
      const paid = poor.guarded('poor', (run) => generate(attach(run, { price }).model(asked)));
      await expect(paid).rejects.toMatchObject({ code: 'budget-exceeded' });
      // 0.20 a call: the fourth does not fit.
      expect(asked.doGenerateCalls).toHaveLength(3);
    });

    it('pays for a stream when it ends, and gets no dollars without a price', async () => {
      const { guarded } = supervisor({ budget: { tokens: 1_000 } });
      const spent = await guarded('stream', async (run) => {
        expect(await stream(attach(run).model(model()))).toBe('hello');
        return run.spent();
      });
      expect(spent).toMatchObject({ tokens: 110, calls: 1 });
      const dollars = supervisor({ budget: { usd: 1 } });
      const unpriced = dollars.guarded('a', (run) => generate(attach(run).model(model())));
      await expect(unpriced).rejects.toThrow('mock-model-id has no known price: give price to attach()');
    });
  });
}

describeVersion(
  7,
  () => new MockLanguageModelV4({ doGenerate: looks, doStream: says }),
  (model) => ai7.generateText({ ...ask, model, tools: { look: ai7.tool(look) }, stopWhen: ai7.isStepCount(50) }),
  (model) => ai7.streamText({ ...ask, model }).text,
);
describeVersion(
  6,
  () => new MockLanguageModelV3({ doGenerate: looks, doStream: says }),
  (model) => ai6.generateText({ ...ask, model, tools: { look: ai6.tool(look) }, stopWhen: ai6.stepCountIs(50) }),
  (model) => ai6.streamText({ ...ask, model }).text,
);

it('counts the usage of a model of version 5 of the AI SDK, which states it as numbers', async () => {
  const { guarded } = supervisor({ budget: { tokens: 1_000 } });
  const model = { modelId: 'm', doGenerate: async (_: object) => ({ usage: { inputTokens: 100, outputTokens: 10 } }) };
  const spent = await guarded('old', async (run) => {
    await attach(run).model(model).doGenerate({ prompt: [] });
    return run.spent();
  });
  expect(spent).toMatchObject({ tokens: 110, calls: 1 });
});
