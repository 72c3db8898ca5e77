import { createOpenAI } from '@ai-sdk/openai';
import { generateText } from 'ai';
import { RSILoop } from 'rsi-loop';
import { captureAiSdk } from 'rsi-loop/clients/ai-sdk';
import { startModelServer } from './model-server.js';
import { printPatterns } from './print-patterns.js';

// Stand-in for your provider: leave it out, and the address with it.
const server = await startModelServer();
const openai = createOpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none' });

const loop = new RSILoop();
const stop = captureAiSdk(loop); // from here on, everything the AI SDK 7 does in this process

for (let call = 0; call < 20; call++) {
  const prompt = call % 4 ? 'hello' : 'fail';
  const telemetry = { functionId: 'greet' };
  await generateText({ model: openai('gpt-5'), prompt, telemetry, maxRetries: 0 }).catch(() => {});
}
await printPatterns(loop); // greet: overloaded, 25 % of 20, and the calls of the model inside
stop();
await loop.close();
await server.stop();
