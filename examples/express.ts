/** An Express application whose model calls run through the loop. Needs the package `express`. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { RSILoop } from 'rsi-loop';

const loop = new RSILoop({ policy: { 'retries.overloaded': 1, 'backoff.baseMs': 10 } });

// Simulates your provider: it is overloaded at the first call.
let calls = 0;
async function askModel(question: string): Promise<string> {
  if (calls++ === 0) throw Object.assign(new Error('Overloaded'), { status: 529 });
  return `An answer to: ${question}`;
}

const app = express();
app.use(express.json());

app.post('/ask', async (request, response) => {
  // A client that disconnects aborts its task, which then does not count as a failure.
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const { question, session = 'anonymous' } = request.body as { question: string; session?: string };
  const answer = await loop.run('ask', () => askModel(question), { session, signal: gone.signal, timeoutMs: 30_000 });
  response.json({ answer });
});

// For your load balancer or monitor.
app.get('/health', (_, response) => {
  const { score, known } = loop.health();
  response.json({ score, known });
});

loop.start({ everyMs: 60_000 });
await loop.ready(); // from now on, health knows what was recorded
const server = app.listen(Number(process.env.PORT ?? 0), '127.0.0.1');
await once(server, 'listening');
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const headers = { 'content-type': 'application/json' };
const sent = await fetch(`${url}/ask`, { method: 'POST', headers, body: JSON.stringify({ question: 'why?' }) });
console.log(sent.status, await sent.json()); // 200, after one more attempt
console.log(await (await fetch(`${url}/health`)).json());

server.close();
await loop.close(); // on SIGTERM: after the server, so that every outcome is on disk
