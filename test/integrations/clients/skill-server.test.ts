import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { serveSkills } from 'rsi-loop/clients/skills';
import { describe, expect, it } from 'vitest';
import { recorded, told } from './differential.js';
import { CSV, openFolder } from './skill-folder.js';

/** The client of the real package, joined to the server by two streams in memory. */
async function connected() {
  const { loop, skills } = await openFolder();
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  const served = serveSkills(skills, { input: toServer, output: toClient, session: 'mcp-1' });
  const client = new Client({ name: 'agent', version: '1' });
  await client.connect(new StreamTransport(toClient, toServer));
  const close = async () => {
    toServer.end();
    await served;
  };
  return { loop, skills, client, close };
}

class StreamTransport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  readonly #from: PassThrough;
  readonly #to: PassThrough;

  constructor(from: PassThrough, to: PassThrough) {
    this.#from = from;
    this.#to = to;
  }

  async start(): Promise<void> {
    this.#from.on('data', (line) => {
      for (const text of String(line).split('\n').filter(Boolean)) this.onmessage?.(JSON.parse(text));
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#to.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    this.onclose?.();
  }
}

describe('serveSkills', () => {
  it('lists active skills with their schemas to the real client, and calls one', async () => {
    const { loop, client, close } = await connected();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['csv-total', 'house-style']);
    expect(tools[0]).toMatchObject({
      description: expect.stringMatching(/^Totals .* Not for: /),
      inputSchema: { type: 'object', required: ['csv', 'column'] },
      outputSchema: { type: 'object', required: ['total', 'rows'] },
      annotations: { readOnlyHint: true, openWorldHint: false },
    });
    const answer = await client.callTool({ name: 'csv-total', arguments: { csv: CSV, column: 'amount' } });
    expect(answer).toMatchObject({
      content: [{ type: 'text', text: '{"total":3,"rows":2}' }],
      structuredContent: { total: 3, rows: 2 },
    });
    expect(await client.callTool({ name: 'house-style' })).toMatchObject({
      content: [{ text: expect.stringContaining('Write short sentences.') }],
    });
    await client.ping();
    const outcomes = await recorded(loop);
    expect(told(outcomes)).toEqual(['csv-total: fine']);
    expect(outcomes[0]?.session).toBe('mcp-1');
    await close();
  });

  it('tells the model why an input is wrong, and the client that a tool is unknown', async () => {
    const { loop, client, close } = await connected();
    await client.listTools();
    expect(await client.callTool({ name: 'csv-total', arguments: { csv: 7 } })).toMatchObject({
      isError: true,
      content: [{ text: 'skill csv-total: the input lacks column' }],
    });
    await expect(client.callTool({ name: 'poisoned' })).rejects.toThrow(
      'no skill is called "poisoned": there are csv-total, house-style',
    );
    await expect(client.listPrompts()).rejects.toThrow(/prompts/);
    expect(await recorded(loop)).toEqual([]);
    await close();
  });

  it('offers what changed meanwhile: a skill that is deprecated is gone', async () => {
    const { skills, client, close } = await connected();
    await skills.deprecate('csv-total', 'wrong totals');
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['house-style']);
    await close();
  });
});

/** Sends lines as they are, and returns what the server writes until it ends. */
async function exchange(...lines: readonly string[]): Promise<unknown[]> {
  const { skills } = await openFolder();
  const [input, output] = [new PassThrough(), new PassThrough()];
  const served = serveSkills(skills, { input, output });
  const chunks: unknown[] = [];
  output.on('data', (chunk) => chunks.push(chunk));
  input.end(lines.join('\n'));
  await served;
  return chunks
    .join('')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

const request = (id: unknown, method: unknown, params = {}) => JSON.stringify({ jsonrpc: '2.0', id, method, params });

describe('serveSkills, with input that no client of the protocol sends', () => {
  it.each<[string, string, object]>([
    ['no JSON', '{"jsonrpc":', { id: null, error: { code: -32_700, message: 'a message is one line of JSON' } }],
    ['another protocol', '{"id":1,"method":"ping"}', { id: null, error: expect.objectContaining({ code: -32_600 }) }],
    ['a batch', `[${request(1, 'ping')}]`, { id: null, error: expect.objectContaining({ code: -32_600 }) }],
    ['an id that is an object', request({}, 'ping'), { id: null, error: expect.objectContaining({ code: -32_600 }) }],
    ['an unknown method', request(1, 'constructor'), { id: 1, error: expect.objectContaining({ code: -32_601 }) }],
    [
      'arguments that are a list',
      request(1, 'tools/call', { name: 'csv-total', arguments: [] } as never),
      { id: 1, error: expect.objectContaining({ code: -32_602 }) },
    ],
    [
      'a tool whose name is no text',
      request('a', 'tools/call', { name: {} } as never),
      { id: 'a', error: expect.objectContaining({ code: -32_602 }) },
    ],
    ['an endless line', 'x'.repeat(8_000_001), { id: null, error: expect.objectContaining({ code: -32_700 }) }],
  ])('answers %s with an error and goes on', async (_, line, expected) => {
    const answers = await exchange(line, request('next', 'ping'));
    expect(answers).toContainEqual(expect.objectContaining({ jsonrpc: '2.0', ...expected }));
    if (line.length < 1_000) expect(answers).toContainEqual({ jsonrpc: '2.0', id: 'next', result: {} });
  });

  it('ignores notifications, responses and empty lines', async () => {
    const quiet = ['{"jsonrpc":"2.0","method":"unknown"}', '{"jsonrpc":"2.0","id":3,"result":{}}', '', '  '];
    expect(await exchange(...quiet, request(1, 'ping'))).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }]);
  });

  it('answers in the newest version if it does not know the one asked for', async () => {
    const versions = ['2024-11-05', '1999-01-01'];
    const answers = await exchange(
      ...versions.map((protocolVersion, id) => request(id, 'initialize', { protocolVersion } as never)),
    );
    const found = answers.map((one) => (one as { result: { protocolVersion: string } }).result.protocolVersion);
    expect(found).toEqual(['2024-11-05', '2025-11-25']);
  });

  it('gives no response to a cancelled request, and takes the next one', async () => {
    const call = request(1, 'tools/call', { name: 'csv-total', arguments: { csv: CSV, column: 'amount' } } as never);
    const cancelled = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    expect(await exchange(call, cancelled, request(2, 'ping'))).toEqual([{ jsonrpc: '2.0', id: 2, result: {} }]);
  });

  it('answers more requests than it works on at the same time', async () => {
    const answers = await exchange(...Array.from({ length: 100 }, (_, id) => request(id, 'tools/list')));
    expect(answers).toHaveLength(100);
  });

  it('ends when its signal aborts, with its input still open', async () => {
    const { skills } = await openFolder();
    const controller = new AbortController();
    const served = serveSkills(skills, {
      input: new PassThrough(),
      output: new PassThrough(),
      signal: controller.signal,
    });
    controller.abort();
    await expect(served).resolves.toBeUndefined();
  });
});
