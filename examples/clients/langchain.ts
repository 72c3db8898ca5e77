import { tool } from '@langchain/core/tools';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { RSILoop } from 'rsi-loop';
import { langchainHandler } from 'rsi-loop/clients/langchain';
import { z } from 'zod';
import { printPatterns } from './print-patterns.js';

const loop = new RSILoop();
const callbacks = [langchainHandler(loop)];

// A model with fixed answers, and a tool that fails now and then: use yours.
const model = new FakeListChatModel({ responses: ['It is sunny.'] });
let calls = 0;
const weather = tool(
  async ({ city }) => {
    if (calls++ % 4 === 0) throw new Error('connect ECONNREFUSED 10.0.0.7:443');
    return `sunny in ${city}`;
  },
  { name: 'weather', description: 'The weather of a city', schema: z.object({ city: z.string() }) },
);

for (let call = 0; call < 20; call++) {
  await weather.invoke({ city: 'Lisbon' }, { callbacks }).catch(() => {});
  await model.invoke('How is the weather?', { callbacks });
}
await printPatterns(loop); // weather: network, 25 % of 20
await loop.close();
