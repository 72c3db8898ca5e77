import { BaseChatModel, type BaseChatModelCallOptions } from '@langchain/core/language_models/chat_models';
import { AIMessage, AIMessageChunk, type AIMessageFields, type BaseMessage } from '@langchain/core/messages';
import { ChatGenerationChunk, type ChatResult } from '@langchain/core/outputs';
import { RunnableLambda } from '@langchain/core/runnables';
import { tool } from '@langchain/core/tools';
import { createAgent, createMiddleware } from 'langchain';
import OpenAI from 'openai';
import { RSILoop, untracked } from 'rsi-loop';
import { langchainHandler, langchainMiddleware } from 'rsi-loop/clients/langchain';
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
      // LangChain sees a whole answer.
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

describe('langchainHandler in an agent', () => {
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

describe('langchainMiddleware', () => {
  const question = { messages: [{ role: 'user', content: 'how is the weather?' }] };
  const weather = (work: () => unknown, schema = z.object({ city: z.string() }) as z.ZodType) =>
    tool(async () => work(), { name: 'weather', description: 'd', schema });
  const middlewareOf = (loop: RSILoop | undefined, options = {}) =>
    loop ? [createMiddleware(langchainMiddleware(loop, options))] : [];

  it.each([
    ['is fine', () => 'sunny', undefined, 'weather: fine'],
    [
      'fails',
      () => {
        throw new Error('connect ECONNREFUSED');
      },
      undefined,
      'weather: network',
    ],
    ['refuses what it is given', () => 'sunny', z.object({ city: z.number() }), 'weather: validation'],
  ])('changes nothing for an agent whose tool %s', async (_, work, schema, ofTool) => {
    const run = (loop?: RSILoop) =>
      see(async () => {
        const agent = createAgent({
          model: new Scripted('a-fine'),
          tools: [weather(work, schema)],
          middleware: middlewareOf(loop),
        });
        const { messages } = await agent.invoke(question, { configurable: { thread_id: 't-1' } });
        return messages.map((message) => ({
          type: message.type,
          text: message.text.replaceAll(/^ +at .*\n/gm, ''), // LangChain quotes its own stack where a schema refuses
          status: Reflect.get(message, 'status'),
        }));
      });
    const { outcomes } = await compare(run, run);
    expect(told(outcomes)).toEqual(['model_call: fine', ofTool, 'model_call: fine 2+3']);
    expect(outcomes.map(({ session, source }) => `${session} ${source}`)).toEqual(Array(3).fill('t-1 langchain'));
    expect(outcomes.map(({ managed, model, tool }) => [managed, model, tool])).toEqual([
      [true, 'a-fine', undefined],
      [false, undefined, 'weather'],
      [true, 'a-fine', undefined],
    ]);
  });

  it.each(['broken', 'limited', 'malformed'])(
    'gives what a model that is %s throws as LangChain gives it from any middleware',
    async (way) => {
      class Bound extends Chat {
        override bindTools() {
          return this;
        }
      }
      const other = createMiddleware({ name: 'other', wrapModelCall: (request, handler) => handler(request) });
      const run = (loop?: RSILoop) =>
        see(async () => {
          const middleware = loop ? middlewareOf(loop) : [other];
          return createAgent({ model: new Bound(`agent-${way}`), tools: [], middleware }).invoke(question);
        });
      const { seen, outcomes } = await compare(run, run);
      expect(seen.error).toMatchObject({ class: 'MiddlewareError', cause: {} });
      expect(outcomes).toMatchObject([{ success: false, task: 'model_call' }]);
    },
  );

  it('records each call once beside a handler, as children of the run that the handler records', async () => {
    const loop = new RSILoop();
    const inner = new Chat('inner-fine');
    const agent = createAgent({
      model: new Scripted('a-fine'),
      tools: [weather(async () => (await inner.invoke('and the wind?')).text)],
      middleware: middlewareOf(loop),
    });
    await agent.invoke(question, { callbacks: [langchainHandler(loop)] });
    const outcomes = await recorded(loop);
    const whole = outcomes.at(-1);
    expect(told(outcomes)).toEqual([
      'model_call: fine',
      'model_call: fine 11+7',
      'weather: fine',
      'model_call: fine 2+3',
      'LangGraph: fine',
    ]);
    const [first, nested, tooled, last] = outcomes;
    expect([first?.parent, tooled?.parent, last?.parent]).toEqual(Array(3).fill(whole?.id));
    expect(nested).toMatchObject({ model: 'inner-fine', parent: tooled?.id });
    await loop.close();
  });

  it('lets the loop try again, and go on with the next model', async () => {
    const loop = new RSILoop({ policy: { 'retries.network': 1, 'backoff.baseMs': 10 } });
    class Failing extends Scripted {
      calls = 0;
      override async _generate(messages: BaseMessage[]): Promise<ChatResult> {
        if (this.calls++ === 0 && this.model !== 'never') throw new Error('socket hang up');
        if (this.model === 'never') throw new Error('403 Forbidden');
        return super._generate(messages);
      }
    }
    const [once, never, other] = [new Failing('once'), new Failing('never'), new Scripted('other')];
    for (const models of [{ once }, { never, other }]) {
      const [model = other] = Object.values<Chat>(models);
      const agent = createAgent({
        model,
        tools: [weather(() => 'sunny')],
        middleware: middlewareOf(loop, { models }),
      });
      expect((await agent.invoke(question)).messages.at(-1)?.text).toBe('it is sunny');
    }
    expect([once.calls, never.calls]).toEqual([3, 1]);
    const asked = (await recorded(loop)).filter(({ task }) => task === 'model_call');
    expect(asked.map(({ model, attempts }) => `${model} ${attempts?.length ?? 1}`)).toEqual([
      'once 2',
      'once 1',
      'other 2',
      'other 1',
    ]);
    await loop.close();
  });

  it('hands the rules for the session to the model when asked, behind the words of the host', async () => {
    const loop = new RSILoop();
    await loop.ready();
    for (let call = 0; call < 10; call++) {
      const failed = { task: 'weather', issues: ['incomplete_task'], severity: 'high' as const };
      loop.observer.recordFailure({ ...failed, source: 'langchain', expected: 'a week', actual: `${call % 4} days` });
    }
    const { fixes } = await loop.runCycle();
    const [rule] = fixes.filter(({ change }) => change.kind === 'rule');
    await loop.apply(rule?.id ?? '', { by: 'ada', reason: 'at once' });
    const [text = ''] = loop.advice({ source: 'langchain', session: 's-1' });
    expect(text).not.toBe('');
    const said: string[] = [];
    class Listening extends Scripted {
      override async _generate(messages: BaseMessage[]): Promise<ChatResult> {
        const [system] = messages;
        said.push(system?.type === 'system' ? system.text : 'no system message');
        return super._generate(messages);
      }
    }
    for (const systemPrompt of ['Be kind.', '']) {
      for (const advice of [true, false]) {
        const agent = createAgent({
          model: new Listening('a-fine'),
          tools: [],
          systemPrompt,
          middleware: middlewareOf(loop, { advice, session: 's-1' }),
        });
        await agent.invoke(question);
      }
    }
    expect(new Set(said)).toEqual(new Set([`Be kind.\n\n- ${text}`, 'Be kind.', `- ${text}`, 'no system message']));
    await loop.close();
  });

  it('records nothing inside `untracked`', async () => {
    const loop = new RSILoop();
    const agent = createAgent({
      model: new Scripted('a-fine'),
      tools: [weather(() => 'sunny')],
      middleware: middlewareOf(loop),
    });
    await untracked(loop, () => agent.invoke(question));
    expect(await recorded(loop)).toEqual([]);
    await loop.close();
  });
});

async function* mapped<In, Out>(chunks: AsyncIterable<In>, map: (chunk: In) => Out): AsyncGenerator<Out> {
  for await (const chunk of chunks) yield map(chunk);
}
