import { Redis } from 'ioredis';
import { checkRedis } from 'rsi-loop/sources/redis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../stores/postgres-server.js';
import { type RedisServer, startRedis, whyNoRedis } from './redis-server.js';

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

/** Applies settings, and returns the finding and the advice on persistence. */
async function told(settings: Readonly<Record<string, string>>, url = server.url): Promise<readonly unknown[]> {
  for (const [name, value] of Object.entries(settings)) await admin.config('SET', name, value);
  const [check] = await checkRedis({ url });
  return [check?.ok, check?.found.replace(/^Redis at \S+ /, ''), check?.advice];
}

const LOSES = 'set appendonly yes and appendfsync always in redis.conf, or CONFIG SET both and CONFIG REWRITE';

describe.skipIf(why)(`the check of a server of Redis${why ? ` (${why})` : ''}`, () => {
  it.each([
    [
      { appendonly: 'yes', appendfsync: 'always' },
      [true, 'appendonly yes, appendfsync always: it acknowledges an outcome when it is on disk', undefined],
    ],
    [
      { appendonly: 'yes', appendfsync: 'everysec' },
      [true, 'appendonly yes, appendfsync everysec: a crash of its machine can lose the last second', undefined],
    ],
    [
      { appendonly: 'yes', appendfsync: 'no' },
      [
        false,
        'appendonly yes, appendfsync no: a crash of its machine can lose half a minute',
        'set appendfsync everysec or always',
      ],
    ],
    [
      { appendonly: 'no', save: '3600 1' },
      [false, 'appendonly no, save "3600 1": a crash loses all entries since the last snapshot', LOSES],
    ],
    [
      { appendonly: 'no', save: '' },
      [false, 'appendonly no, save "": a restart loses every entry of the stream', LOSES],
    ],
  ])('with %j says what a crash loses', async (settings, expected) => {
    expect(await told(settings)).toEqual(expected);
  });

  it('says that a user or a managed server may not read the settings', async () => {
    await admin.acl('SETUSER', 'guest', 'on', '>password', '~*', '+@all', '-config');
    const url = server.url.replace('//', '//guest:password@');
    expect(await told({ appendonly: 'yes' }, url)).toEqual([
      true,
      'appendonly yes; it forbids CONFIG, as managed servers do: look up appendfsync where you configure it',
      undefined,
    ]);
    expect(await told({ appendonly: 'no' }, url)).toEqual([
      false,
      'appendonly no, and it forbids CONFIG, as managed servers do: a restart can lose entries',
      'turn on append-only persistence where you configure the server',
    ]);
    await admin.acl('SETUSER', 'guest', '-info');
    expect(await told({}, url)).toEqual([
      false,
      expect.stringContaining('does not show its persistence'),
      expect.any(String),
    ]);
  });

  it('names a server that can evict the stream', async () => {
    await admin.config('SET', 'maxmemory', '100mb');
    await admin.config('SET', 'maxmemory-policy', 'allkeys-lru');
    const [, memory] = await checkRedis({ url: server.url });
    expect(memory).toMatchObject({
      ok: false,
      found: 'the server can evict the stream (maxmemory-policy allkeys-lru)',
    });
    await admin.config('SET', 'maxmemory-policy', 'noeviction');
    expect((await checkRedis({ url: server.url }))[1]).toMatchObject({ ok: true });
  });

  it('rejects if the server is away', async () => {
    const url = `redis://127.0.0.1:${await freePort()}`;
    await expect(checkRedis({ url })).rejects.toThrow('start the server, or correct host and port in url');
  });
});
