import { createOpenAI } from '@ai-sdk/openai';
import { generateText, wrapLanguageModel } from 'ai';
import { RSILoop } from 'rsi-loop';
import { aiSdkMiddleware } from 'rsi-loop/clients/ai-sdk';
import { startModelServer } from './model-server.js';
import { printPatterns } from './print-patterns.js';

// Stand-in for your provider: leave it out, and the address with it.
const server = await startModelServer();
const openai = createOpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none' });

const loop = new RSILoop();
const model = wrapLanguageModel({ model: openai('gpt-5'), middleware: aiSdkMiddleware(loop) });

for (let call = 0; call < 20; call++) {
  await generateText({ model, prompt: call % 4 ? 'hello' : 'fail', maxRetries: 0 }).catch(() => {});
}
await printPatterns(loop); // model_attempt: overloaded, 25 % of 20
await loop.close();
await server.stop();
