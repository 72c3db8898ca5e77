import { tool as langchainTool } from '@langchain/core/tools';
import { tool as agentsTool } from '@openai/agents';
import { tool } from 'ai';
import { indexTools } from 'rsi-loop/clients/skills';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const WORDS: Readonly<Record<string, string>> = {
  getWeather: 'Current weather and forecast of a city.',
  send_invoice: 'Sends an invoice to a customer by e-mail.',
  searchFlights: 'Finds flights between two airports on a date.',
  translate: 'Translates a text to another language.',
};
const TASK = 'find flights between two airports on Friday';
const parameters = z.object({});

describe('indexTools', () => {
  it('returns the tools of the AI SDK that fit a task, by name and unchanged', async () => {
    const tools = Object.fromEntries(
      Object.entries(WORDS).map(([name, description]) => [name, tool({ description, inputSchema: parameters })]),
    );
    const found = await indexTools(tools).nearest(TASK);
    expect(Object.keys(found)).toEqual(['searchFlights']);
    expect(found.searchFlights).toBe(tools.searchFlights);
  });

  it('returns tools of a list: of LangChain, OpenAI Agents, and the API of a model', async () => {
    const lists = {
      langchain: Object.entries(WORDS).map(([name, description]) =>
        langchainTool(async () => 'x', { name, description, schema: parameters }),
      ),
      agents: Object.entries(WORDS).map(([name, description]) =>
        agentsTool({ name, description, parameters, execute: async () => 'x' }),
      ),
      api: Object.entries(WORDS).map(([name, description]) => ({ type: 'function', function: { name, description } })),
    };
    for (const [kind, list] of Object.entries(lists)) {
      expect(await indexTools<object>(list).nearest(TASK), kind).toEqual([list[2]]);
    }
  });

  it('returns nothing if nothing fits, and at most `limit`', async () => {
    const list = ['amounts', 'sums', 'totals'].map((what) => ({
      name: what,
      description: `Adds up ${what} of a CSV.`,
    }));
    const index = indexTools(list);
    expect(await index.nearest('write a poem about the sea')).toEqual([]);
    expect(await index.nearest('adds up a CSV', { limit: 2 })).toHaveLength(2);
    expect(await indexTools({}).nearest(TASK)).toEqual({});
    expect(await indexTools([null, 7, {}]).nearest(TASK)).toEqual([]);
  });
});
