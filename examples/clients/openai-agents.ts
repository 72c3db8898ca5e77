import { Agent, addTraceProcessor, OpenAIChatCompletionsModel, Runner, setTraceProcessors } from '@openai/agents';
import OpenAI from 'openai';
import { RSILoop } from 'rsi-loop';
import { agentsProcessor } from 'rsi-loop/clients/openai-agents';
import { startModelServer } from './model-server.js';
import { printPatterns } from './print-patterns.js';

// Stand-in for your provider: leave it out, and the address with it.
const server = await startModelServer();
const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none', maxRetries: 0 });
setTraceProcessors([]); // nor are traces sent anywhere

const loop = new RSILoop();
addTraceProcessor(agentsProcessor(loop));

const greeter = new Agent({ name: 'greeter', model: new OpenAIChatCompletionsModel(client as never, 'gpt-5') });
const runner = new Runner({ tracingDisabled: false });
for (let call = 0; call < 20; call++) await runner.run(greeter, call % 4 ? 'hello' : 'fail').catch(() => {});
await printPatterns(loop); // greeter: overloaded, 25 % of 20, and the calls of the model inside
setTraceProcessors([]);
await loop.close();
await server.stop();
