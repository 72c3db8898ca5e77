import { type RedisOptions as Options, Redis } from 'ioredis-5';
import { type Outcome, RSILoop } from 'rsi-loop';
import { Recorder } from 'rsi-loop/record';
import { redisDestination, redisSource } from 'rsi-loop/sources/redis';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { seededRandom } from '../../../../src/lib/random.js';
import { TcpProxy } from '../../stores/tcp-proxy.js';
import { type RedisServer, startRedis, whyNoRedis } from './redis-server.js';

vi.mock('ioredis', async () => import('ioredis-5'));

const why = whyNoRedis();
let server: RedisServer;
let admin: Redis;

beforeAll(async () => {
  if (why !== undefined) return;
  server = await startRedis();
  admin = new Redis(server.url);
});
afterAll(async () => {
  admin?.disconnect();
  await server?.stop();
});

describe.skipIf(why)(`outcomes through Redis by ioredis 5${why ? ` (${why})` : ''}`, () => {
  const clientOf = (port: number, options: Options = {}) => {
    const client = new Redis(port, '127.0.0.1', { maxRetriesPerRequest: 0, ...options });
    client.on('error', () => {});
    return client;
  };
  const ways = { 'an address': false, 'a client of the host': true };
  for (const [name, isGiven] of Object.entries(ways)) {
    it(`are recorded once over ${name} when connections are cut in the middle of commands`, async () => {
      const stream = `test:${isGiven}`;
      const proxies = [await TcpProxy.open(server.port), await TcpProxy.open(server.port)] as const;
      const clients = isGiven ? proxies.map(({ port }) => clientOf(port)) : [];
      const place = (side: 0 | 1) => {
        const client = clients[side];
        return client === undefined ? { url: `redis://127.0.0.1:${proxies[side].port}`, stream } : { client, stream };
      };
      const recorder = new Recorder({ to: redisDestination(place(0)), flushMs: 5, onProblem: () => {} });
      const loop = new RSILoop();
      loop.on('problem', () => {});
      await loop.ready();
      loop.sources.attach(redisSource({ ...place(1), takeOverMs: 300 }));
      const random = seededRandom(5);
      const sent: string[] = [];
      const fewestCuts = () => Math.min(...proxies.map(({ cuts }) => cuts));
      for (let round = 0; round < 20 || fewestCuts() <= 3; round++) {
        for (const proxy of proxies) proxy.cutAfter(Math.floor(random() * 4_000));
        for (let count = 0; count < 20; count++)
          sent.push(recorder.observer.recordSimple('ask', { success: true }) ?? '');
        while ((await recorder.flush()) > 0);
      }
      for (const proxy of proxies) proxy.cutAfter(Number.POSITIVE_INFINITY);
      while ((await admin.xlen(stream)) > 0) await new Promise(setImmediate);
      const found: Outcome[] = [];
      for await (const { record } of loop.store.journal.read())
        if (record.kind === 'outcome') found.push(record.outcome);
      expect(found.map(({ id }) => String(id)).sort()).toEqual(sent.sort());
      expect(fewestCuts()).toBeGreaterThan(3);
      await recorder.close();
      await loop.close();
      for (const client of clients) client.disconnect();
      for (const proxy of proxies) await proxy.close();
    });
  }
});
