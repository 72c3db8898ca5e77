import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { RSILoop } from 'rsi-loop';
import { captureMcp } from 'rsi-loop/clients/mcp';
import { printPatterns } from './print-patterns.js';

// Stand-in for your MCP server: a tool that fails now and then.
const server = new McpServer({ name: 'weather', version: '1.0.0' });
let calls = 0;
server.registerTool('weather', {}, async () => {
  if (calls++ % 4 === 0) throw new Error('503 Service Unavailable');
  return { content: [{ type: 'text', text: 'sunny' }] };
});
const [ours, theirs] = InMemoryTransport.createLinkedPair();
await server.connect(theirs);

const loop = new RSILoop();
const client = captureMcp(loop, new Client({ name: 'agent', version: '1.0.0' }));

await client.connect(ours);
for (let call = 0; call < 20; call++) await client.callTool({ name: 'weather' });
await printPatterns(loop); // weather: server_error, 25 % of 20
await client.close();
await loop.close();
