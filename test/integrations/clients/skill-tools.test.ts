import { createOpenAI } from '@ai-sdk/openai';
import { LLMock } from '@copilotkit/aimock';
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import type { ChatResult } from '@langchain/core/outputs';
import { tool as langchainTool } from '@langchain/core/tools';
import { Agent, tool as agentsTool, OpenAIChatCompletionsModel, Runner } from '@openai/agents';
import { generateText, isStepCount, jsonSchema } from 'ai';
import { createAgent } from 'langchain';
import OpenAI from 'openai';
import { aiSdkTools, langchainTools, openaiAgentsTools, skillTools } from 'rsi-loop/clients/skills';
import { describe, expect, it, onTestFinished } from 'vitest';
import { recorded, told } from './differential.js';
import { CSV, openFolder } from './skill-folder.js';

const QUESTION = 'total the amounts of this CSV';
const INPUT = { csv: CSV, column: 'amount' };

/** A model server that calls the skill, first with a missing column, and then answers. */
async function startServer(toolName: string) {
  const server = new LLMock({ port: 0, logLevel: 'silent' });
  const call = (id: string, args: object) => ({ toolCalls: [{ id, name: toolName, arguments: JSON.stringify(args) }] });
  server.onToolResult('call_1', call('call_2', INPUT));
  server.onToolResult('call_2', { content: 'it is 3' });
  server.onMessage(QUESTION, call('call_1', { csv: CSV }));
  await server.start();
  onTestFinished(() => server.stop());
  const bodies = () => server.getRequests().map(({ body }) => body as Record<string, unknown>);
  return { url: `${server.url}/v1`, bodies };
}

async function offeredSkills() {
  const { loop, skills } = await openFolder();
  const offered = await skills.nearest(QUESTION);
  expect(offered.map(({ name }) => name)).toEqual(['csv-total']);
  return { loop, skills, offered, tools: skillTools(skills, offered, { session: 's-1' }) };
}

/** The model reads why its input was rejected, and only the call that ran is an outcome of the skill. */
async function expectCalls(loop: Parameters<typeof recorded>[0], transcript: unknown) {
  const text = JSON.stringify(transcript);
  expect(text).toMatch(/the input lacks column|did not match expected schema/);
  expect(text).toMatch(/total\\*":\s?3/);
  const outcomes = await recorded(loop);
  expect(told(outcomes)).toEqual(['csv-total: fine']);
  expect(outcomes[0]).toMatchObject({ tool: 'csv-total', session: 's-1' });
}

describe('skills as tools', () => {
  it('are tools of the AI SDK: the model sees the schema, a rejected input, and the answer', async () => {
    const { loop, tools } = await offeredSkills();
    const { url, bodies } = await startServer('csv-total');
    const { text } = await generateText({
      model: createOpenAI({ baseURL: url, apiKey: 'none' }).chat('gpt-5'),
      prompt: QUESTION,
      tools: aiSdkTools(tools, jsonSchema),
      stopWhen: isStepCount(5),
    });
    expect(text).toBe('it is 3');
    const [first, ...rest] = bodies();
    expect(first?.tools).toMatchObject([
      { function: { name: 'csv-total', parameters: { type: 'object', required: ['csv', 'column'] } } },
    ]);
    await expectCalls(loop, rest);
  });

  it('are tools of OpenAI Agents', async () => {
    const { loop, tools } = await offeredSkills();
    const { url, bodies } = await startServer('csv_total');
    const client = new OpenAI({ baseURL: url, apiKey: 'none' });
    const agent = new Agent({
      name: 'bookkeeper',
      model: new OpenAIChatCompletionsModel(client as never, 'gpt-5'),
      tools: [...openaiAgentsTools(tools, agentsTool)],
    });
    const { finalOutput } = await new Runner({ tracingDisabled: true }).run(agent, QUESTION);
    expect(finalOutput).toBe('it is 3');
    await expectCalls(loop, bodies().slice(1));
  });

  it('are tools of LangChain', async () => {
    const { loop, tools } = await offeredSkills();
    const agent = createAgent({ model: new Caller({}), tools: [...langchainTools(tools, langchainTool)] });
    const { messages } = await agent.invoke({ messages: [{ role: 'user', content: QUESTION }] });
    expect(messages.at(-1)?.text).toBe('it is 3');
    await expectCalls(loop, messages);
  });

  it('give the instructions of a skill without code, and are not recorded for it', async () => {
    const { loop, skills } = await openFolder();
    const [tool] = skillTools(skills, await skills.nearest('how are letters to customers worded'));
    expect(tool).toMatchObject({ name: 'house-style', parameters: { properties: {} } });
    expect(await tool?.run({})).toContain('Write short sentences.');
    expect(await recorded(loop)).toEqual([]);
  });

  it('pass a value that is no object in the field `input`, and say when to leave the skill alone', async () => {
    const calls: unknown[] = [];
    const skills = {
      call: async (...values: unknown[]) => void calls.push(values) as never,
      instructions: undefined as never,
      readFile: undefined as never,
    };
    const [tool, free] = skillTools(skills, [
      { name: 'shout', kind: 'code', description: 'Shouts.', whenNot: 'whispers', input: { type: 'string' } },
      { name: 'free', kind: 'code', description: 'Takes anything.' },
    ]);
    expect(tool?.description).toBe('Shouts. Not for: whispers');
    expect(tool?.parameters).toEqual({
      type: 'object',
      properties: { input: { type: 'string' } },
      required: ['input'],
      additionalProperties: false,
    });
    await tool?.run({ input: 'hello' });
    await tool?.run('hello');
    await free?.run({ input: [1] });
    expect(calls).toEqual([
      ['shout', 'hello', {}],
      ['shout', null, {}],
      ['free', [1], {}],
    ]);
  });

  it('stop a call when the framework does', async () => {
    const { tools } = await offeredSkills();
    const aborted = { abortSignal: AbortSignal.abort() };
    await expect(aiSdkTools(tools, jsonSchema)['csv-total']?.execute(INPUT, aborted)).rejects.toThrow(/stopped/);
  });
});

/** Calls the tool with a missing column, then with all of its input, and answers when it has the result. */
class Caller extends BaseChatModel {
  override _llmType() {
    return 'caller';
  }

  override async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const results = messages.filter(({ type }) => type === 'tool').length;
    const args = results === 0 ? { csv: CSV } : INPUT;
    const call = { content: '', tool_calls: [{ id: `call_${results}`, name: 'csv-total', args }] };
    const message = new AIMessage(results < 2 ? call : { content: 'it is 3' });
    return { generations: [{ text: message.text, message }] };
  }

  override bindTools() {
    return this;
  }
}
