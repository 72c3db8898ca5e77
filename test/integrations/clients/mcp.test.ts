import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { RSILoop } from 'rsi-loop';
import { captureMcp } from 'rsi-loop/clients/mcp';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { compare, recorded, see, told } from './differential.js';

/** A client and a server of the real package, joined in memory. */
async function connected(loop?: RSILoop) {
  const server = new McpServer({ name: 'weather', version: '1' });
  const inputSchema = { city: z.string() };
  server.registerTool('weather', { inputSchema }, async ({ city }) => {
    if (city === 'nowhere') throw new Error('503 Service Unavailable');
    if (city === 'never') await new Promise(() => {});
    return { content: [{ type: 'text', text: `sunny in ${city}` }] };
  });
  const client = new Client({ name: 'agent', version: '1' });
  const wrapped = loop ? captureMcp(loop, client) : client;
  const [one, other] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(one), wrapped.connect(other)]);
  return { client: wrapped, bare: client, close: () => client.close() };
}

const CALLS: Readonly<Record<string, (client: Client) => Promise<unknown>>> = {
  success: (client) => client.callTool({ name: 'weather', arguments: { city: 'Lisbon' } }),
  'an error of the tool': (client) => client.callTool({ name: 'weather', arguments: { city: 'nowhere' } }),
  'wrong arguments': (client) => client.callTool({ name: 'weather', arguments: { city: 7 } }),
  'an unknown tool': (client) => client.callTool({ name: 'forecast', arguments: {} }),
  'a time-out': (client) =>
    client.callTool({ name: 'weather', arguments: { city: 'never' } }, undefined, { timeout: 20 }),
  'an abort': (client) =>
    client.callTool({ name: 'weather', arguments: { city: 'never' } }, undefined, {
      signal: AbortSignal.abort('enough'),
    }),
  'a lost connection': async (client) => {
    const call = client.callTool({ name: 'weather', arguments: { city: 'never' } });
    await client.close();
    return call;
  },
};

it('changes nothing for hosts of an MCP client, and records each call of a tool', async () => {
  const summary: Record<string, string[]> = {};
  for (const [name, call] of Object.entries(CALLS)) {
    const run = async (loop?: RSILoop) => {
      const { client, close } = await connected(loop);
      const seen = await see(() => call(client));
      await close();
      return seen;
    };
    const { outcomes } = await compare(run, run);
    summary[name] = told(outcomes);
  }
  expect(summary).toEqual({
    success: ['weather: fine'],
    'an error of the tool': ['weather: server_error'],
    'wrong arguments': ['weather: validation'],
    'an unknown tool': [expect.stringMatching(/^forecast: (missing_tool|not_found|tool_failure|validation)/)],
    'a time-out': ['weather: timeout'],
    'an abort': [expect.stringMatching(/^weather: /)],
    'a lost connection': [expect.stringMatching(/^weather: network/)],
  });
});

it('is the client in everything else, and keeps its state in one place', async () => {
  const loop = new RSILoop();
  const { client, bare, close } = await connected(loop);
  expect(client).toBeInstanceOf(Client);
  expect(client.transport).toBe(bare.transport);
  expect(client.listTools).toBe(client.listTools);
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['weather']);
  await Promise.all([CALLS.success?.(client), bare.callTool({ name: 'weather', arguments: { city: 'Oslo' } })]);
  expect(told(await recorded(loop))).toEqual(['weather: fine']);
  await close();
  await loop.close();
});
