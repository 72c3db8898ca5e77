import Anthropic from '@anthropic-ai/sdk';
import { RSILoop } from 'rsi-loop';
import { anthropicMiddleware } from 'rsi-loop/clients/anthropic';
import { startModelServer } from './model-server.js';
import { printPatterns } from './print-patterns.js';

// Stand-in for your provider: leave it out, and the address with it.
const server = await startModelServer();
const place = { baseURL: server.url, apiKey: 'none' };

const loop = new RSILoop();
const client = new Anthropic({ ...place, maxRetries: 0, middleware: [anthropicMiddleware(loop)] });

for (let call = 0; call < 20; call++) {
  const messages = [{ role: 'user' as const, content: call % 4 ? 'hello' : 'fail' }];
  const stream = client.messages.stream({ model: 'claude-sonnet', max_tokens: 100, messages });
  await stream.finalMessage().catch(() => {});
}
await printPatterns(loop); // model_call: overloaded, 25 % of 20
await loop.close();
await server.stop();
