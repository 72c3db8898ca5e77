import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, type AIMessageFields, type BaseMessage, type ToolMessage } from '@langchain/core/messages';
import { tool as langchainTool } from '@langchain/core/tools';
import { MemorySaver, MessagesAnnotation, StateGraph } from '@langchain/langgraph';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { Agent, tool as agentsTool, type Model, Runner, setTracingDisabled, Usage } from '@openai/agents';
import { attach } from 'rsi-loop/oversee';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { supervisor } from './test-supervisor.js';

const price = () => ({ inputUsd: 1_000, outputUsd: 10_000 });

describe('attach', () => {
  it('stops a graph of LangGraph that repeats itself, by its callbacks and its signal', async () => {
    class Chat extends BaseChatModel {
      _llmType() {
        return 'test';
      }
      async _generate() {
        const call = { name: 'look', args: { at: 1 }, id: crypto.randomUUID() };
        const message = new AIMessage({
          content: '',
          tool_calls: [call],
          usage_metadata: { input_tokens: 100, output_tokens: 10, total_tokens: 110 },
        } as object as AIMessageFields);
        return { generations: [{ text: '', message }] };
      }
    }
    const look = langchainTool(async () => 'nothing', { name: 'look', schema: z.object({ at: z.number() }) });
    const chat = new Chat({});
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('model', async ({ messages }, config) => ({ messages: [await chat.invoke(messages, config)] }))
      .addNode('tools', async ({ messages }, config) => {
        const [call] = (messages.at(-1) as AIMessage).tool_calls ?? [];
        const result = await look.invoke({ ...call, type: 'tool_call' } as never, config);
        return { messages: [result as ToolMessage as BaseMessage] };
      })
      .addEdge('__start__', 'model')
      .addEdge('model', 'tools')
      .addEdge('tools', 'model')
      .compile({ checkpointer: new MemorySaver() });
    const { guarded, receipts } = supervisor({});
    const work = guarded('graph', (run) =>
      graph.invoke({ messages: [] }, {
        ...attach(run).config,
        recursionLimit: 100,
        configurable: { thread_id: '1' },
      } as never),
    );
    await expect(work).rejects.toThrow('look was called 8 times');
    expect(receipts).toMatchObject([{ why: 'loop', spent: { tokens: 880, calls: 8 } }]);
  });

  it('stops an agent of OpenAI Agents whose money is used up, by its provider of models', async () => {
    setTracingDisabled(true);
    let asked = 0;
    const model: Model = {
      getResponse: async () => {
        asked++;
        return {
          usage: new Usage({ inputTokens: 100, outputTokens: 10 }),
          output: [{ type: 'function_call', callId: `${asked}`, name: 'look', arguments: `{"at":${asked}}` } as never],
        };
      },
      getStreamedResponse: () => {
        throw new Error('not asked for');
      },
    };
    const look = agentsTool({
      name: 'look',
      description: 'd',
      parameters: z.object({ at: z.number() }),
      execute: async ({ at }) => `seen at ${at}`,
    });
    const { guarded, receipts } = supervisor({ budget: { usd: 0.7 } });
    const agent = new Agent({ name: 'helper', model: 'gpt', tools: [look] });
    const work = guarded('agents', (run) =>
      new Runner({ modelProvider: attach(run, { price }).provider({ getModel: () => model }) }).run(agent, 'go', {
        maxTurns: 50,
      }),
    );
    await expect(work).rejects.toMatchObject({ code: 'budget-exceeded' });
    expect([asked, receipts[0]?.why]).toEqual([3, 'budget']);
  });

  it('notes the calls of a client of the Model Context Protocol, and takes their time-out for a wait', async () => {
    const server = new McpServer({ name: 'test', version: '1' });
    server.registerTool('look', { inputSchema: {} }, async () => ({ content: [{ type: 'text', text: 'nothing' }] }));
    const [here, there] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: 'test', version: '1' });
    await Promise.all([server.connect(there), client.connect(here)]);
    onTestFinished(() => client.close());
    const { guarded, receipts } = supervisor({});
    const work = guarded('mcp', async (run) => {
      const attached = attach(run).client(client);
      expect((await attached.listTools()).tools).toHaveLength(1);
      for (;;) await attached.callTool({ name: 'look', arguments: {} });
    });
    await expect(work).rejects.toThrow('look was called 8 times');
    expect(receipts).toMatchObject([{ why: 'loop' }]);
  });

  it('answers hooks of Claude Code with hints, and ends the agent once the run is stopped', async () => {
    const { guarded } = supervisor({ graceMs: 50 });
    const answers: unknown[] = [];
    const body = {
      hook_event_name: 'PostToolUse',
      tool_name: 'Read',
      tool_input: { file: 'a' },
      tool_response: 'same',
    };
    const work = guarded('claude', async (run) => {
      const { hook } = attach(run);
      expect(hook({ hook_event_name: 'SessionStart' })).toEqual({});
      for (let call = 0; call < 8; call++) answers.push(hook(body));
    });
    await expect(work).resolves.toBeUndefined();
    expect(answers[4]).toMatchObject({ hookSpecificOutput: { additionalContext: expect.stringContaining('5 times') } });
    expect(answers[7]).toMatchObject({ continue: false, stopReason: expect.stringContaining('8 times') });
  });
});
