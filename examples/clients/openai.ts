import OpenAI from 'openai';
import { RSILoop } from 'rsi-loop';
import { captureFetch } from 'rsi-loop/clients/fetch';
import { startModelServer } from './model-server.js';
import { printPatterns } from './print-patterns.js';

// Stand-in for your provider: leave it out, and the address with it.
const server = await startModelServer();
const place = { baseURL: `${server.url}/v1`, apiKey: 'none' };

const loop = new RSILoop();
const client = new OpenAI({ ...place, maxRetries: 0, fetch: captureFetch(loop) });

for (let call = 0; call < 20; call++) {
  const input = call % 4 ? 'hello' : 'fail';
  await client.responses.create({ model: 'gpt-5', input }).catch(() => {});
}
await printPatterns(loop); // model_call: overloaded, 25 % of 20
await loop.close();
await server.stop();
