import OpenAI from 'openai';
import { RSILoop, untracked } from 'rsi-loop';
import { captureFetch } from 'rsi-loop/clients/fetch';
import { startModelServer } from './model-server.js';

// Stand-in for your provider: leave it out, and the address with it.
const server = await startModelServer();
const place = { baseURL: `${server.url}/v1`, apiKey: 'none' };

const client: OpenAI = new OpenAI({ ...place, fetch: (url, init) => fetch(url, init) });
const loop: RSILoop = new RSILoop({
  gate: {
    // A model helps to decide. What it is asked is the loop's own business, not a task of the agent.
    decide: async ({ reason }) => {
      const input = `hello, is this a good idea: ${reason}?`;
      await untracked(loop, () => client.responses.create({ model: 'gpt-5', input }));
      return { kind: 'waiting', sinceMs: Date.now() };
    },
  },
});
const fetch = captureFetch(loop);
await loop.ready();

await client.responses.create({ model: 'gpt-5', input: 'hello' });
await untracked(loop, () => client.responses.create({ model: 'gpt-5', input: 'hello' }));
console.log(Object.keys(loop.health().byTask)); // [ 'model_call' ], recorded once
await loop.close();
await server.stop();
