import { BaseChatModel, type BaseChatModelCallOptions } from '@langchain/core/language_models/chat_models';
import { AIMessage, AIMessageChunk, type AIMessageFields, type BaseMessage } from '@langchain/core/messages';
import { ChatGenerationChunk, type ChatResult } from '@langchain/core/outputs';
import { RunnableLambda } from '@langchain/core/runnables';
import { tool } from '@langchain/core/tools';
import { createAgent } from 'langchain';
import OpenAI from 'openai';
import { RSILoop } from 'rsi-loop';
import { langchainHandler } from 'rsi-loop/clients/langchain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { compare, compareAll, recorded, see, told } from './differential.js';
import { type Provider, startProvider } from './provider.js';

let provider: Provider;
beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.close());

/** A chat model of LangChain that asks the provider through the SDK of OpenAI. */
class Chat extends BaseChatModel<BaseChatModelCallOptions> {
  readonly model: string;
  readonly #client: OpenAI;

  constructor(model: string) {
    super({ maxRetries: 0 });
    this.model = model;
    this.#client = new OpenAI({ apiKey: 'none', baseURL: `${provider.url}/v1` });
  }

  _llmType() {
    return 'test';
  }

  override getLsParams(options: this['ParsedCallOptions']) {
    return { ...super.getLsParams(options), ls_model_name: this.model };
  }

  async _generate(messages: BaseMessage[], { signal }: this['ParsedCallOptions']): Promise<ChatResult> {
    const body = {
      model: this.model,
      messages: messages.map(({ text }) => ({ role: 'user' as const, content: text })),
    };
    const { choices, usage } = await this.#client.chat.completions.create(body, { signal: signal ?? null });
    const [choice] = choices;
    const message = new AIMessage({
      content: choice?.message.content ?? '',
      usage_metadata: usageOf(usage),
      response_metadata: { finish_reason: choice?.finish_reason },
    } as object as AIMessageFields);
    return { generations: [{ text: message.text, message }] };
  }

  override async *_streamResponseChunks(_messages: BaseMessage[], { signal }: this['ParsedCallOptions']) {
    const body = { model: this.model, messages: [], stream: true as const };
    for await (const chunk of await this.#client.chat.completions.create(body, { signal: signal ?? null })) {
      const [choice] = chunk.choices;
      const text = choice?.delta.content ?? '';
      const finish = choice?.finish_reason;
      yield new ChatGenerationChunk({
        text,
        message: new AIMessageChunk({
          content: text,
          ...(chunk.usage && { usage_metadata: usageOf(chunk.usage) }),
          ...(finish && { response_metadata: { finish_reason: finish } }),
        } as object as AIMessageFields),
      });
    }
  }
}

function usageOf(usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number } | undefined) {
  const { prompt_tokens = 0, completion_tokens = 0, total_tokens = 0 } = usage ?? {};
  return { input_tokens: prompt_tokens, output_tokens: completion_tokens, total_tokens };
}

/** Ids of messages differ from call to call. */
const withoutIds = ({ text, response_metadata, usage_metadata }: AIMessage | AIMessageChunk) => ({
  text,
  response_metadata,
  usage_metadata,
});

describe('langchainHandler', () => {
  it('changes nothing for hosts of LangChain, and records each call of a model', async () => {
    const cases = await compareAll((loop, { model, stream, signal, ...reading }) =>
      see(async () => {
        const chat = new Chat(model);
        const config = { ...(loop && { callbacks: [langchainHandler(loop)] }), ...(signal && { signal }) };
        if (!stream) return withoutIds(await chat.invoke('hello', config));
        const chunks = await chat.stream('hello', config);
        return mapped(chunks, withoutIds);
      }, reading),
    );
    expect(Object.fromEntries(Object.values(cases).map(({ name, outcomes }) => [name, told(outcomes)]))).toEqual({
      success: ['model_call: fine 11+7'],
      stream: ['model_call: fine 11+7'],
      '429, tried again': ['model_call: fine 11+7'],
      '429': ['model_call: rate_limit'],
      '500': ['model_call: server_error'],
      '500 for a stream': ['model_call: server_error'],
      'malformed body': ['model_call: parse_error'],
      'malformed stream': ['model_call: parse_error'],
      // What reaches LangChain of it looks whole.
      'truncated stream': ['model_call: fine'],
      'torn stream': ['model_call: network'],
      'error inside a stream': ['model_call: overloaded'],
      'cut off': ['model_call: incomplete_task 11+7'],
      'stream left early': expect.anything(),
      'stream aborted': expect.anything(),
    });
    expect(cases.success?.outcomes[0]).toMatchObject({ model: 'captured-all-success-fine', source: 'langchain' });
  });

  it('tells what lies in what, and leaves steps and interrupts out', async () => {
    const loop = new RSILoop();
    const broken = tool(
      async () => {
        throw new Error('401 Unauthorized');
      },
      { name: 'lookup', description: 'd', schema: z.object({ password: z.string() }) },
    );
    const interrupt = RunnableLambda.from(() => {
      throw Object.assign(new Error('wait for a person'), { is_bubble_up: true });
    });
    const chain = RunnableLambda.from(async (question: string, config) => {
      await new Chat('a-fine').invoke(question, config);
      await broken.invoke({ password: 'hunter22' }, config).catch(() => {});
      return 'done';
    })
      .pipe(RunnableLambda.from((value: string) => value))
      .withConfig({ runName: 'answer questions' });
    const callbacks = [langchainHandler(loop, { content: true, session: 's' })];
    await loop.run('ticket', () => chain.invoke('what is new?', { callbacks }));
    await expect(interrupt.invoke('x', { callbacks })).rejects.toThrow('wait for a person');
    const outcomes = await recorded(loop);
    expect(told(outcomes)).toEqual(['model_call: fine 11+7', 'lookup: auth', 'answer questions: fine', 'ticket: fine']);
    const [model, lookup, run, ticket] = outcomes;
    expect([model?.parent, lookup?.parent, run?.parent]).toEqual([run?.id, run?.id, ticket?.id]);
    expect(lookup).toMatchObject({ tool: 'lookup', session: 's' });
    expect(JSON.stringify(model?.context)).toContain('what is new?');
    expect(JSON.stringify(outcomes)).not.toContain('hunter22');
    await loop.close();
  });
});

describe('langchainHandler in an agent', () => {
  /** Asks for a tool first, and answers when it has its result. */
  class Scripted extends Chat {
    override async _generate(messages: BaseMessage[]): Promise<ChatResult> {
      const isDone = messages.some((message) => message.type === 'tool');
      const fields: object = isDone
        ? { content: 'it is sunny', usage_metadata: { input_tokens: 2, output_tokens: 3, total_tokens: 5 } }
        : { content: '', tool_calls: [{ id: 'c1', name: 'weather', args: { city: 'Lisbon' } }] };
      const message = new AIMessage(fields as AIMessageFields);
      return { generations: [{ text: message.text, message }] };
    }

    override bindTools() {
      return this;
    }
  }

  it.each(['fine', 'fails'])(
    'changes nothing for an agent whose tool %s, and records models and tools',
    async (way) => {
      const run = (loop?: RSILoop) =>
        see(async () => {
          const weather = tool(
            async () => {
              if (way === 'fails') throw new Error('connect ECONNREFUSED');
              return 'sunny';
            },
            { name: 'weather', description: 'd', schema: z.object({ city: z.string() }) },
          );
          const agent = createAgent({ model: new Scripted('a-fine'), tools: [weather] });
          const callbacks = loop ? [langchainHandler(loop)] : [];
          const asked = { messages: [{ role: 'user', content: 'how is the weather?' }] };
          const { messages } = await agent.invoke(asked, { callbacks });
          return messages.map(({ type, text }) => ({ type, text }));
        });
      const { outcomes } = await compare(run, run);
      const ofTool = way === 'fails' ? 'weather: network' : 'weather: fine';
      expect(told(outcomes)).toEqual(['model_call: fine', ofTool, 'model_call: fine 2+3', 'LangGraph: fine']);
      const [model, called, , whole] = outcomes;
      expect([model?.parent, called?.parent]).toEqual([whole?.id, whole?.id]);
      expect(model?.model).toBe('a-fine');
    },
  );

  it.each(['broken', 'limited', 'malformed'])('changes nothing for an agent whose model is %s', async (way) => {
    class Bound extends Chat {
      override bindTools() {
        return this;
      }
    }
    const run = (loop?: RSILoop) =>
      see(async () => {
        const agent = createAgent({ model: new Bound(`agent-${way}`), tools: [] });
        const callbacks = loop ? [langchainHandler(loop)] : [];
        return agent.invoke({ messages: [{ role: 'user', content: 'hello' }] }, { callbacks });
      });
    const { outcomes } = await compare(run, run);
    expect(outcomes).toMatchObject([
      { success: false, task: 'model_call' },
      { success: false, task: 'LangGraph' },
    ]);
  });
});

async function* mapped<In, Out>(chunks: AsyncIterable<In>, map: (chunk: In) => Out): AsyncGenerator<Out> {
  for await (const chunk of chunks) yield map(chunk);
}
