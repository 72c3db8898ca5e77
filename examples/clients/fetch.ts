import { RSILoop } from 'rsi-loop';
import { captureFetch } from 'rsi-loop/clients/fetch';
import { startModelServer } from './model-server.js';
import { printPatterns } from './print-patterns.js';

// Stand-in for your provider: leave it out, and the address with it.
const server = await startModelServer();

const loop = new RSILoop();
const fetch = captureFetch(loop);

for (let call = 0; call < 20; call++) {
  const messages = [{ role: 'user', content: call % 4 ? 'hello' : 'fail' }];
  const body = JSON.stringify({ model: 'gpt-5', messages });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${server.url}/v1/chat/completions`, { method: 'POST', headers, body });
  await response.text();
}
await printPatterns(loop); // model_call: overloaded, 25 % of 20
await loop.close();
await server.stop();
