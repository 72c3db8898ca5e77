import { AIMessage, createAgent, createMiddleware, fakeModel } from 'langchain';
import { RSILoop } from 'rsi-loop';
import { langchainMiddleware } from 'rsi-loop/clients/langchain';
import { printPatterns } from './print-patterns.js';

// Stand-in for your chat model: overloaded at every fourth call.
const model = fakeModel();
for (let call = 0; call < 20; call++) {
  model.respond(call % 4 ? new AIMessage('It is sunny.') : new Error('529 overloaded'));
}

const loop = new RSILoop();
const agent = createAgent({
  model,
  middleware: [createMiddleware(langchainMiddleware(loop, { advice: true }))],
});

for (let call = 0; call < 20; call++) {
  const asked = { messages: [{ role: 'user', content: 'How is the weather?' }] };
  await agent.invoke(asked, { configurable: { thread_id: `chat ${call}` } }).catch(() => {});
}
await printPatterns(loop); // model_call: overloaded, 25 % of 20
await loop.close();
