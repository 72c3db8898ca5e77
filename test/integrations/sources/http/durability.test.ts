import Fastify from 'fastify';
import { RSILoop } from 'rsi-loop';
import { loopRoutes } from 'rsi-loop/sources/fastify';
import { describe, expect, it } from 'vitest';

describe('a service whose store cannot be opened at the start', () => {
  it('acknowledges nothing, and says that records are in memory', async () => {
    const loop = new RSILoop({ store: '/dev/null/nowhere' });
    loop.on('problem', () => {});
    await loop.ready();
    const app = Fastify();
    const decisionToken = 'a-token-for-decisions-only';
    await app.register(loopRoutes, { loop, decisionToken });
    const reply = await app.inject({ method: 'POST', url: '/observe', payload: { task: 'pay', success: true } });
    expect([reply.statusCode, reply.headers['retry-after']]).toEqual([503, '5']);
    const end = { task: 'pay', success: true };
    const spans = [{ name: 'chat', traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), startTimeUnixNano: '1' }];
    const doors: readonly (readonly [string, object])[] = [
      ['/observe', [end]],
      ['/tasks/t-1/end', end],
      ['/v1/traces', { resourceSpans: [{ scopeSpans: [{ spans }] }] }],
      ['/markers', { label: 'checkout 1.4.2' }],
      ['/fixes/f/approve', { by: 'ada' }],
    ];
    for (const [url, payload] of doors) {
      const headers = { authorization: `Bearer ${decisionToken}` };
      expect((await app.inject({ method: 'POST', url, payload, headers })).statusCode, url).toBe(503);
    }
    expect((await app.inject({ url: '/health' })).json()).toMatchObject({ durability: 'memory' });
    await app.close();
    await loop.close();
  });
});
