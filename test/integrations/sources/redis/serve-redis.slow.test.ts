import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Recorder } from 'rsi-loop/record';
import { redisDestination } from 'rsi-loop/sources/redis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runNode, startUntilReady } from '../../../run-node.js';
import { buildCommand } from '../../cli/build-command.js';
import { freePort } from '../../stores/postgres-server.js';
import { type RedisServer, startRedis, whyNoRedis } from './redis-server.js';

const why = whyNoRedis();
const folder = mkdtempSync(join(tmpdir(), 'rsi-serve-redis-'));
let command: string;
let server: RedisServer;

beforeAll(async () => {
  if (why !== undefined) return;
  command = await buildCommand(folder);
  server = await startRedis();
});
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(why)(`rsi serve --redis${why ? ` (${why})` : ''}`, () => {
  it('records the outcomes of a stream, and says which stream it reads', async () => {
    const env = { ...process.env, RSI_REDIS: server.url };
    const hub = await startUntilReady([command, 'serve', '--port', '0', '--stream', 'own'], { cwd: folder, env });
    expect(hub.printed).toContain('outcomes in the stream own of Redis are read too');
    const recorder = new Recorder({ to: redisDestination({ url: server.url, stream: 'own' }), flushMs: 5 });
    for (let call = 0; call < 5; call++) recorder.observer.recordSimple('ask', { success: false, error: '429' });
    await recorder.close();
    let lines: string[] = [];
    while (lines.length < 5) {
      const { stdout } = await runNode([command, 'export', '--store', 'rsi_data'], { cwd: folder });
      lines = stdout.split('\n').filter((line) => line !== '');
    }
    expect(lines.map((line) => JSON.parse(line).task)).toEqual(Array(5).fill('ask'));
    expect((await hub.interrupt()).stderr).toBe('');
  });

  it('says what to change for a server that is not there, and for an address that is none', async () => {
    const url = `redis://someone:secret@127.0.0.1:${await freePort()}`;
    const hub = await startUntilReady([command, 'serve', '--port', '0', '--redis', url], { cwd: folder });
    expect(hub.printed).not.toContain('secret');
    const { code, stderr } = await hub.interrupt();
    expect([code, stderr]).toEqual([
      130,
      expect.stringMatching(
        /^redis: Redis at 127\.0\.0\.1:\d+: connect ECONNREFUSED .*: start the server, or correct host and port in url\n$/,
      ),
    ]);
    const wrong = await runNode([command, 'serve', '--redis', 'queue:6379'], { cwd: folder });
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringContaining('give redis://user@host:port or rediss://'),
    ]);
  });

  it('rsi doctor checks the server that RSI_REDIS names, and says so if it is away', async () => {
    const store = join(folder, 'checked');
    await runNode([command, 'record', 'ask', '--ok', '--store', store], { cwd: folder });
    const doctor = (url: string) =>
      runNode([command, 'doctor', '--store', store], { cwd: folder, env: { ...process.env, RSI_REDIS: url } });
    const kept = await doctor(server.url);
    expect([kept.code, kept.stdout]).toEqual([
      0,
      expect.stringMatching(/✓ redis .*appendonly yes,\s+appendfsync always/),
    ]);
    const volatile = await startRedis({ appendonly: 'no' });
    const lost = await doctor(volatile.url).finally(() => volatile.stop());
    expect([lost.code, lost.stdout]).toEqual([1, expect.stringMatching(/✗ redis .*appendonly no, save ""/)]);
    const away = await doctor(volatile.url);
    expect([away.code, away.stdout]).toEqual([1, expect.stringMatching(/✗ redis .*ECONNREFUSED.*→ start the server/s)]);
  });
});
