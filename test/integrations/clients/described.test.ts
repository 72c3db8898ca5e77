import { tool as langchainTool } from '@langchain/core/tools';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { tool as agentsTool } from '@openai/agents';
import { tool as aiTool, jsonSchema } from 'ai';
import { RSILoop } from 'rsi-loop';
import { captureMcp } from 'rsi-loop/clients/mcp';
import { tools } from 'rsi-loop/clients/tools';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const weather = async () => 'sunny';
const described = z.object({ city: z.string().describe('a city') });
const properties = { city: { type: 'string', description: 'a city' } } as const;

const MAPS = {
  'the AI SDK': () => ({
    find: aiTool({
      description: 'the weather',
      inputSchema: jsonSchema({ type: 'object', properties }),
      execute: weather,
    }),
  }),
  LangChain: () => ({ find: langchainTool(weather, { name: 'find', description: 'the weather', schema: described }) }),
  'OpenAI Agents': () => ({
    find: agentsTool({ name: 'find', description: 'the weather', parameters: described, execute: weather }),
  }),
};

/** A loop in which `ann` applies a version of a text that 30 tasks have read. */
async function applied(loop: RSILoop, name: string, text: string, read: () => unknown): Promise<void> {
  for (let task = 0; task < 30; task++) await loop.run('answer', async () => void read());
  await loop.runCycle();
  const { id } = await loop.tryPrompt(name, text, { by: 'ann' });
  await loop.apply(id, { by: 'ann' });
}

describe('descriptions of tools as texts', () => {
  it.for(Object.entries(MAPS))('give each task its version: a tool of %s', async ([, map]) => {
    const loop = new RSILoop();
    const { find } = tools(loop, map(), { describe: true });
    expect(find.description).toBe('the weather');
    await applied(loop, 'tool.find', 'the weather of today', () => find.description);
    expect(find.description).toBe('the weather of today');
    expect(await loop.run('answer', () => find.description ?? '')).toBe('the weather of today');
    await loop.close();
  });

  it('hold for parameters with a schema in JSON', async () => {
    const loop = new RSILoop();
    const { find } = tools(loop, MAPS['OpenAI Agents'](), { describe: true });
    const city = () =>
      (find as unknown as { parameters: { properties: typeof properties } }).parameters.properties.city;
    await applied(loop, 'tool.find.city', 'a city with its country', () => city().description);
    expect(JSON.parse(JSON.stringify(city()))).toMatchObject({
      type: 'string',
      description: 'a city with its country',
    });
    await loop.close();
  });

  it('hold for what an MCP client lists', async () => {
    const server = new McpServer({ name: 'weather', version: '1.0.0' });
    server.registerTool(
      'find',
      { description: 'the weather', inputSchema: { city: z.string().describe('a city') } },
      () => ({
        content: [{ type: 'text', text: 'sunny' }],
      }),
    );
    const [near, far] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: 'agent', version: '1.0.0' });
    await Promise.all([server.connect(far), client.connect(near)]);
    const loop = new RSILoop();
    const listed = (await captureMcp(loop, client, { describe: true }).listTools()).tools[0];
    await applied(loop, 'tool.find', 'the weather of today', () => listed?.description);
    expect(listed?.description).toBe('the weather of today');
    expect(listed?.inputSchema.properties?.city).toMatchObject({ description: 'a city' });
    await client.close();
    await loop.close();
  });

  it('stay as they are for a second tool of the same name with another description, and say so', async () => {
    const loop = new RSILoop();
    const problems: string[] = [];
    loop.on('problem', ({ message }) => problems.push(message));
    tools(loop, MAPS['the AI SDK'](), { describe: true });
    const other = { find: { description: 'finds files', execute: weather } };
    expect(tools(loop, other, { describe: true }).find.description).toBe('finds files');
    expect(problems).toEqual([expect.stringContaining('prompt "tool.find" is declared twice with different texts')]);
    await loop.close();
  });

  it('stay as they are without the option, and without a description', async () => {
    const loop = new RSILoop();
    tools(loop, MAPS['the AI SDK']());
    tools(loop, { bare: { execute: weather } }, { describe: true });
    expect(() => loop.prompt('tool.find')).toThrow('no prompt is called "tool.find"');
    await loop.close();
  });
});
