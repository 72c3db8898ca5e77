import { RSILoop } from 'rsi-loop';
import { tools } from 'rsi-loop/clients/tools';
import { printPatterns } from './print-patterns.js';

let calls = 0;
async function search({ query }: { query: string }) {
  if (calls++ % 4 === 0) throw new Error('connect ECONNREFUSED 10.0.0.7:9200');
  return [`a page on ${query}`];
}
const add = (one: number, other: number) => one + other;

const loop = new RSILoop();
const wrapped = tools(loop, { search, add }); // tools of the AI SDK, LangChain and OpenAI Agents, too

for (let call = 0; call < 20; call++) {
  await wrapped.search({ query: 'tides' }).catch(() => []);
  wrapped.add(call, 1);
}
await printPatterns(loop); // search: network, 25 % of 20
await loop.close();
