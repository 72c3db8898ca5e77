/** A server in a process of its own, for `ServerChild`: `bare`, `memory`, or the folder to store in. */
import fastify from 'fastify';
import { RSILoop } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import { serve } from 'rsi-loop/sources/http';
import { OUTCOMES, RECEIVED } from '../../../../integrations/sources/http/schemas.js';

const [kind = 'memory'] = process.argv.slice(2);

if (kind === 'bare') {
  // The same schemas in and out, and nothing between: what fastify itself costs.
  const app = fastify();
  const schema = { body: OUTCOMES, response: { 201: RECEIVED } };
  app.post('/observe', { schema }, async (_request, reply) => {
    reply.code(201);
    return { id: '0mabcdefg-memory-0000001', issues: ['rate_limit'] };
  });
  tell(await app.listen({ port: 0, host: '127.0.0.1' }));
} else {
  const loop = new RSILoop(kind === 'memory' ? {} : { store: new FileStore(kind) });
  loop.on('problem', ({ message }) => console.error(message));
  await loop.ready();
  loop.start();
  const limits = { requestsPerSecond: 1_000_000 };
  tell((await serve({ loop, port: 0, limits })).url);
}

function tell(url: string): void {
  process.send?.({ url });
  process.on('message', ({ collect, number }: { readonly collect: boolean; readonly number: number }) => {
    if (collect) globalThis.gc?.();
    const { user, system } = process.cpuUsage();
    process.send?.({ number, rss: process.memoryUsage.rss(), cpuUs: user + system });
  });
}
