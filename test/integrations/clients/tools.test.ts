import { tool as langchainTool } from '@langchain/core/tools';
import { tool as agentsTool, RunContext } from '@openai/agents';
import { tool as aiTool } from 'ai';
import { RSILoop } from 'rsi-loop';
import { captureFetch } from 'rsi-loop/clients/fetch';
import { tools } from 'rsi-loop/clients/tools';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { compare, recorded, see, told } from './differential.js';

const inputSchema = z.object({ city: z.string() });
const options = { toolCallId: 't', messages: [], context: {} } as never;

/** The same tools in the ways of four frameworks; a city named `nowhere` makes each of them throw. */
function toolMap() {
  const weather = async ({ city }: { city: string }) => {
    if (city === 'nowhere') throw Object.assign(new RangeError('no such city on the map'), { code: 'E_CITY' });
    return { sunny: true, city };
  };
  return {
    plain: weather,
    atOnce: (city: string) => {
      if (city === 'nowhere') throw new TypeError('the map broke');
      return city.length;
    },
    execute: aiTool({ description: 'the weather', inputSchema, execute: weather }),
    invoke: langchainTool(async (input) => JSON.stringify(await weather(input)), {
      name: 'invoke',
      description: 'the weather',
      schema: inputSchema,
    }),
    agents: agentsTool({
      name: 'agents',
      description: 'the weather',
      parameters: inputSchema,
      errorFunction: null,
      execute: weather,
    }),
    async *stream(count: number) {
      for (let part = 1; part <= count; part++) yield part;
      if (count > 2) throw new Error('the tap ran dry');
    },
    onServer: { type: 'provider', id: 'web_search' },
  };
}
type Tools = ReturnType<typeof toolMap>;

const CALLS: Readonly<Record<string, readonly [string, (map: Tools, city: string) => unknown]>> = {
  'a function': ['plain', (map, city) => map.plain({ city })],
  'a function that gives its result at once': ['atOnce', (map, city) => map.atOnce(city)],
  'a tool of the AI SDK': ['execute', (map, city) => map.execute.execute?.({ city }, options)],
  'a tool of LangChain': ['invoke', (map, city) => map.invoke.invoke({ city })],
  'a tool of LangChain, by its call': [
    'invoke',
    (map, city) => map.invoke.invoke({ type: 'tool_call', id: 'c', name: 'invoke', args: { city } }),
  ],
  'a tool of OpenAI Agents': ['agents', (map, city) => map.agents.invoke(new RunContext(), JSON.stringify({ city }))],
};

describe('tools', () => {
  it.each(Object.entries(CALLS))('changes nothing for the caller of %s, and records it', async (_, [name, call]) => {
    for (const city of ['Lisbon', 'nowhere']) {
      const { outcomes } = await compare(
        () => see(() => call(toolMap(), city)),
        (loop) => see(() => call(tools(loop, toolMap()), city)),
      );
      expect(told(outcomes)).toEqual([`${name}: ${city === 'Lisbon' ? 'fine' : outcomes[0]?.issues[0]}`]);
      expect(outcomes[0]).toMatchObject({ tool: name, success: city === 'Lisbon' });
      if (city === 'nowhere') expect(outcomes[0]?.issues).not.toContain('unknown');
      expect(JSON.stringify(outcomes)).not.toContain('Lisbon');
    }
  });

  it.each([2, 3])('follows a result that comes in %d pieces', async (count) => {
    const { seen, outcomes } = await compare(
      () => see(() => toolMap().stream(count)),
      (loop) => see(() => tools(loop, toolMap()).stream(count)),
    );
    expect(seen.chunks).toHaveLength(count);
    expect(told(outcomes)).toEqual([count === 2 ? 'stream: fine' : 'stream: tool_failure']);
  });

  it('leaves shape, name, schema and class of each tool as they are, and the original alone', () => {
    const [map, loop] = [toolMap(), new RSILoop()];
    const originals = { ...map };
    const wrapped = tools(loop, map);
    expect(map).toEqual(originals);
    expect(Object.keys(wrapped)).toEqual(Object.keys(map));
    expect(wrapped.onServer).toBe(map.onServer);
    expect([wrapped.plain.name, wrapped.plain.length]).toEqual([map.plain.name, map.plain.length]);
    expect(Object.keys(wrapped.execute)).toEqual(Object.keys(map.execute));
    expect(wrapped.execute.inputSchema).toBe(map.execute.inputSchema);
    expect(wrapped.invoke).toBeInstanceOf(map.invoke.constructor);
    expect([wrapped.invoke.name, wrapped.invoke.schema]).toEqual([map.invoke.name, map.invoke.schema]);
    expect(Object.keys(wrapped.agents)).toEqual(Object.keys(map.agents));
  });

  it('takes results that say they are an error for failures, and a list of tools', async () => {
    const loop = new RSILoop();
    function lookUp() {
      return { isError: true, content: [{ type: 'text', text: 'connect ECONNREFUSED 127.0.0.1:5432' }] };
    }
    const [first, second] = tools(loop, [lookUp, toolMap().invoke] as const, {
      session: 's',
      agent: 'a',
      source: 'bot',
    });
    expect(first()).toEqual(lookUp());
    await second.invoke({ city: 'Lisbon' });
    const outcomes = await recorded(loop);
    expect(told(outcomes)).toEqual(['lookUp: network', 'invoke: fine']);
    expect(outcomes[0]).toMatchObject({ session: 's', agent: 'a', source: 'bot' });
    await loop.close();
  });

  it('makes what a tool calls its children, and keeps words only when asked to', async () => {
    const loop = new RSILoop();
    const fetch = captureFetch(loop, { fetch: async () => Response.json({ usage: { prompt_tokens: 1 } }) });
    const { ask } = tools(
      loop,
      {
        ask: async (question: { password: string; city: string }) => {
          const response = await fetch('https://m.example/v1/chat/completions', { method: 'POST', body: '{}' });
          await response.text();
          return `sunny, ${question.city}`;
        },
      },
      { content: true },
    );
    await loop.run('answer', () => ask({ password: 'hunter22', city: 'Lisbon' }));
    const [model, tool, task] = await recorded(loop);
    expect(model).toMatchObject({ task: 'model_call', parent: tool?.id });
    expect(tool).toMatchObject({
      task: 'ask',
      parent: task?.id,
      context: { input: { password: '[redacted]', city: 'Lisbon' }, output: 'sunny, Lisbon' },
    });
    await loop.close();
  });
});
