import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Redis } from 'ioredis';
import { type JournalRecord, LoopError, type Outcome, RSILoop } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import { Recorder } from 'rsi-loop/record';
import { redisDestination, redisSource } from 'rsi-loop/sources/redis';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { RedisConnection } from '../../../../integrations/sources/redis/connection.js';
import { StreamGroup } from '../../../../integrations/sources/redis/stream-group.js';
import { TakeOver } from '../../../../integrations/sources/redis/take-over.js';
import { seededRandom } from '../../../../src/lib/random.js';
import { bundleProcess } from '../../../bundle-process.js';
import { freePort } from '../../stores/postgres-server.js';
import { TcpProxy } from '../../stores/tcp-proxy.js';
import { type RedisServer, startRedis, whyNoRedis } from './redis-server.js';

const why = whyNoRedis();
let server: RedisServer;
let admin: Redis;
let folder: string;
let streams = 0;

beforeAll(async () => {
  const root = resolve(import.meta.dirname, '../../../../.tmp');
  mkdirSync(root, { recursive: true });
  folder = mkdtempSync(join(root, 'redis-'));
  if (why !== undefined) return;
  server = await startRedis();
  admin = new Redis(server.url);
  admin.on('error', () => {});
});
afterAll(async () => {
  admin?.disconnect();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const newStream = () => `test:${streams++}`;

/** Recorder of an agent, which is closed after the test. */
function agent(stream: string, options: { readonly url?: string | undefined; readonly maxLength?: number } = {}) {
  const problems: string[] = [];
  const { url = server.url, ...more } = options;
  const to = redisDestination({ url, stream, ...more });
  const recorder = new Recorder({ to, flushMs: 5, maxQueued: 100_000, onProblem: (text) => problems.push(text) });
  closing.push(() => recorder.close());
  return { recorder, problems };
}

/** Loop that reads the stream, which is closed after the test. */
async function hub(
  stream: string,
  options: { readonly url?: string | undefined; readonly store?: FileStore; readonly takeOverMs?: number } = {},
) {
  const loop = new RSILoop(options.store && { store: options.store });
  const problems: string[] = [];
  loop.on('problem', ({ message }) => problems.push(message));
  await loop.ready();
  loop.sources.attach(redisSource({ url: options.url ?? server.url, stream, takeOverMs: options.takeOverMs ?? 300 }));
  closing.push(() => loop.close());
  return { loop, problems };
}

/** Returns the record of an outcome that an agent sent. */
function recordOf(text: string): JournalRecord {
  return { kind: 'outcome', outcome: { source: 'generic', issues: [], atMs: 0, ...JSON.parse(text) } };
}

async function outcomesOf(loop: RSILoop): Promise<readonly Outcome[]> {
  const found: Outcome[] = [];
  for await (const { record } of loop.store.journal.read()) if (record.kind === 'outcome') found.push(record.outcome);
  return found;
}

/** Resolves when the hub has recorded and deleted every entry of the stream. */
async function emptied(stream: string): Promise<void> {
  while ((await admin.xlen(stream).catch(() => 1)) > 0) await new Promise(setImmediate);
}

async function delivered(recorder: Recorder): Promise<void> {
  while ((await recorder.flush()) > 0);
}

const byText = (one: string, other: string) => (one < other ? -1 : 1);

describe.skipIf(why)(`outcomes through Redis${why ? ` (${why})` : ''}`, () => {
  it('of two agents are in the loop, redacted by the agent and classified by the loop, and the stream is empty', async () => {
    const stream = newStream();
    const [one, other] = [agent(stream), agent(stream)];
    one.recorder.observer.recordSimple('ask', { success: true, durationMs: 12 });
    const error = '429 Too Many Requests: key sk-ant-api03-abcdefghijklmnopqrst';
    other.recorder.observer.recordSimple('ask', { success: false, error });
    await delivered(one.recorder);
    await delivered(other.recorder);
    expect(String(await admin.xrange(stream, '-', '+'))).not.toContain('abcdefghijklmnopqrst');
    const { loop, problems } = await hub(stream);
    await emptied(stream);
    // Both agents connect and send by themselves: the later one may be the first in the stream.
    expect((await outcomesOf(loop)).map(({ success, issues }) => `${success} ${issues}`).sort(byText)).toEqual([
      'false rate_limit',
      'true ',
    ]);
    expect(problems).toEqual([]);
  });

  it('of other programs are recorded once, and unreadable ones are set aside with the reason', async () => {
    const stream = newStream();
    await admin.xadd(stream, '*', 'outcome', '{"task":"ask","success":false,"error":"boom"}');
    await admin.xadd(stream, '*', 'outcome', '{"task":"ask","id":"own","success":true}');
    await admin.xadd(stream, '*', 'outcome', '{"task":"ask","id":"own","success":true}');
    await admin.xadd(stream, '*', 'outcome', '{"success":true}');
    await admin.xadd(stream, '*', 'outcome', 'not JSON');
    await admin.xadd(stream, '*', 'other', 'field');
    const { loop, problems } = await hub(stream);
    await emptied(stream);
    const outcomes = await outcomesOf(loop);
    expect(outcomes.map(({ success }) => success)).toEqual([false, true]);
    expect(outcomes[0]?.id).toMatch(new RegExp(`^${stream}-\\d+-0$`));
    const rejected = await admin.xrange(`{${stream}}:rejected`, '-', '+');
    expect(rejected.map(([, fields]) => fields)).toEqual([
      ['outcome', '{"success":true}', 'reason', expect.stringContaining('task')],
      ['outcome', 'not JSON', 'reason', expect.any(String)],
      ['outcome', '', 'reason', 'it has no field outcome'],
    ]);
    expect(problems.join()).toContain(`3 entries were rejected and moved to {${stream}}:rejected`);
  });

  it('are recorded once when connections of both sides are cut in the middle of commands', async () => {
    const stream = newStream();
    const proxies = [await TcpProxy.open(server.port), await TcpProxy.open(server.port)] as const;
    const [url, hubUrl] = proxies.map(({ port }) => `redis://127.0.0.1:${port}`);
    const { recorder } = agent(stream, { url });
    const { loop } = await hub(stream, { url: hubUrl });
    const random = seededRandom(3);
    const sent: string[] = [];
    // How many bytes a round takes depends on the speed of the machine, so rounds go on until both were cut often.
    const cutsOfEach = () => Math.min(...proxies.map(({ cuts }) => cuts));
    for (let round = 0; round < 30 || (cutsOfEach() < 6 && round < 300); round++) {
      for (const proxy of proxies) proxy.cutAfter(Math.floor(random() * 4_000));
      for (let count = 0; count < 20; count++)
        sent.push(recorder.observer.recordSimple('ask', { success: true }) ?? '');
      await delivered(recorder);
    }
    for (const proxy of proxies) proxy.cutAfter(Number.POSITIVE_INFINITY);
    await emptied(stream);
    expect((await outcomesOf(loop)).map(({ id }) => String(id)).sort(byText)).toEqual(sent.sort(byText));
    expect(cutsOfEach()).toBeGreaterThan(5);
    for (const proxy of proxies) closing.unshift(() => proxy.close());
  });

  it('are recorded once when the server is killed and restarted', async () => {
    const own = await startRedis();
    closing.push(() => own.stop());
    const stream = newStream();
    const { recorder, problems } = agent(stream, { url: own.url });
    const { loop, problems: hubProblems } = await hub(stream, { url: own.url });
    const sent: string[] = [];
    for (let round = 0; round < 4; round++) {
      for (let count = 0; count < 500; count++)
        sent.push(recorder.observer.recordSimple('ask', { success: true }) ?? '');
      void recorder.flush();
      await new Promise(setImmediate);
      await own.kill();
      await recorder.flush();
      await own.start();
      await delivered(recorder);
    }
    while ((await outcomesOf(loop)).length < sent.length) await new Promise(setImmediate);
    expect((await outcomesOf(loop)).map(({ id }) => String(id)).sort(byText)).toEqual(sent.sort(byText));
    expect(problems.join()).toContain('start the server, or correct host and port in url');
    expect(hubProblems.length).toBeGreaterThan(0);
  });

  it('that a killed process had received are recorded once by another', async () => {
    const stream = 'rsi:outcomes';
    const path = join(folder, 'killed');
    const script = await bundleProcess(resolve(import.meta.dirname, 'hub-process.ts'), folder, {
      external: ['ioredis'],
    });
    const { recorder } = agent(stream);
    const sent: string[] = [];
    const random = seededRandom(9);
    let killed = 0;
    for (let round = 0; round < 4; round++) {
      for (let count = 0; count < 3_000; count++) {
        sent.push(recorder.observer.recordSimple('ask', { success: count % 3 > 0, error: 'boom' }) ?? '');
      }
      await delivered(recorder);
      const child = spawn(process.execPath, [script, server.url, path], { stdio: ['ignore', 'pipe', 'inherit'] });
      await once(child.stdout, 'data');
      const least = Math.floor(random() * 2_500);
      while ((await admin.xlen(stream)) > least);
      child.kill('SIGKILL');
      await once(child, 'exit');
      killed++;
    }
    expect(killed).toBe(4);
    const { loop } = await hub(stream, { store: new FileStore(path) });
    await emptied(stream);
    expect((await outcomesOf(loop)).map(({ id }) => String(id)).sort(byText)).toEqual(sent.sort(byText));
  });

  it('that one dead process recorded and two more received are recorded once, however late', async () => {
    const stream = newStream();
    const path = join(folder, 'chain');
    const { recorder } = agent(stream);
    for (let count = 0; count < 5; count++) recorder.observer.recordSimple('ask', { success: true });
    await delivered(recorder);
    await admin.xgroup('CREATE', stream, 'rsi', '0');
    // The first records all and dies before XACK. The second dies after XCLAIM.
    const first = new FileStore(path);
    const name = `${first.journal.writer}.1`;
    const [[, entries = []] = []] = (await admin.xreadgroup('GROUP', 'rsi', name, 'STREAMS', stream, '>')) as [
      string,
      [string, string[]][],
    ][];
    for (const [, [, text = '']] of entries) first.journal.append([recordOf(text)]);
    await first.journal.flush();
    await first.close();
    const ids = entries.map(([id]) => id);
    await admin.xclaim(stream, 'rsi', 'gone00000001.1', 0, ...ids);
    await new Promise((resolve) => setTimeout(resolve, 30));
    // The third dies in the same place, long after the first.
    const loop = new RSILoop({ store: new FileStore(path) });
    closing.push(() => loop.close());
    await loop.ready();
    const connection = new RedisConnection({ url: server.url, stream });
    closing.push(() => connection.close());
    const group = new StreamGroup(connection, 'rsi');
    await new TakeOver(loop, group, 'gone00000002.1', 1).run(async () => false);
    await group.forget(name);
    expect((await group.consumers()).map((one) => one.name)).toContain(name);
    const { loop: last } = await hub(stream, { store: new FileStore(path), takeOverMs: 1 });
    await emptied(stream);
    expect(await outcomesOf(last)).toHaveLength(5);
    while ((await group.consumers()).some((one) => one.name === name)) await new Promise(setImmediate);
  });

  it('wait in the agent while the stream is full, and are sent when the loop has read', async () => {
    const stream = newStream();
    const { recorder, problems } = agent(stream, { maxLength: 100 });
    for (let count = 0; count < 100; count++) recorder.observer.recordSimple('ask', { success: true });
    await delivered(recorder);
    for (let count = 0; count < 50; count++) recorder.observer.recordSimple('ask', { success: true });
    expect(await recorder.flush()).toBe(50);
    expect(problems.join()).toContain(`${stream} is full: the loop reads too slowly, or not at all`);
    const { loop } = await hub(stream);
    await emptied(stream);
    await delivered(recorder);
    await emptied(stream);
    expect(await outcomesOf(loop)).toHaveLength(150);
  });

  it('stay in the stream while the store of the loop cannot be read', async () => {
    const stream = newStream();
    const { recorder } = agent(stream);
    recorder.observer.recordSimple('ask', { success: true });
    await delivered(recorder);
    const store = new FileStore('/dev/null/nothing');
    const { loop, problems } = await hub(stream, { store });
    while (!problems.join().includes('outcomes stay in')) await new Promise(setImmediate);
    expect(loop.hasLostStore).toBe(true);
    expect(await admin.xlen(stream)).toBe(1);
  });

  it('continue when the server lost its data', async () => {
    const stream = newStream();
    const { loop } = await hub(stream);
    const { recorder } = agent(stream);
    recorder.observer.recordSimple('ask', { success: true });
    await delivered(recorder);
    await emptied(stream);
    await admin.del(stream);
    recorder.observer.recordSimple('ask', { success: true });
    await delivered(recorder);
    while ((await outcomesOf(loop)).length < 2) await new Promise(setImmediate);
  });
});

describe.skipIf(why)('a stream of Redis that cannot be used', () => {
  async function sentenceOf(url: string, stream = newStream()): Promise<string> {
    const to = redisDestination({ url, stream });
    const posted = await to.deliver(['{}'], 0);
    await to.close?.();
    return posted.kind === 'failed' ? posted.reason : posted.kind;
  }

  it('is reported with the setting to change', async () => {
    const closed = await startRedis({ requirepass: 'secret-word' });
    closing.push(() => closed.stop());
    const wrong = closed.url.replace('//', '//:wrong-word@');
    expect(await sentenceOf(wrong)).toContain('correct the user and the password in url');
    expect(await sentenceOf(wrong)).not.toContain('wrong-word');
    expect(await sentenceOf(closed.url)).toContain('correct the user and the password in url');
    expect(await sentenceOf(closed.url.replace('//', '//:secret-word@'))).toBe('delivered');
    const nothing = `redis://127.0.0.1:${await freePort()}`;
    expect(await sentenceOf(nothing)).toContain('ECONNREFUSED');
    expect(await sentenceOf('redis://nowhere.invalid')).toContain('correct the host in url');
    await admin.set('a-text', 'x');
    expect(await sentenceOf(server.url, 'a-text')).toContain('the key holds something else: give another stream');
    const full = await startRedis({ maxmemory: '500kb' });
    closing.push(() => full.stop());
    expect(await sentenceOf(full.url)).toContain('raise maxmemory of the server, or lower maxLength');
  });

  it('is reported by the loop if the server would lose outcomes', async () => {
    const careless = await startRedis({ appendonly: 'no', maxmemory: '100mb', 'maxmemory-policy': 'allkeys-lru' });
    closing.push(() => careless.stop());
    const stream = newStream();
    const { problems } = await hub(stream, { url: careless.url });
    while (problems.length < 2) await new Promise(setImmediate);
    expect(problems.join('\n')).toContain('set appendonly yes');
    expect(problems.join('\n')).toContain('set maxmemory-policy to noeviction');
  });
});

describe('options of a stream of Redis', () => {
  it('are checked', () => {
    const url = 'redis://localhost';
    expect(() => redisSource({ url: 'http://localhost' })).toThrow('give redis://user@host:port or rediss://');
    expect(() => redisSource({} as { url: string })).toThrow('needs one server: give url or client, not both');
    expect(() => redisSource({ url, stream: 'a b' })).toThrow(
      'stream is "a b": give up to 200 visible ASCII characters',
    );
    expect(() => redisSource({ url, takeOverMs: 0 })).toThrow('takeOverMs is 0: give a number of at least 1');
    expect(() => redisSource({ url, group: '' })).toThrow('group is empty: give a name');
    expect(() => redisDestination({ url, maxLength: 0.5 })).toThrow('maxLength is 0.5');
    expect(() => new Recorder({})).toThrow('the recorder needs one receiver: give url or to, not both');
    try {
      redisSource({ url: 'x' });
    } catch (error) {
      expect(LoopError.is(error)).toBe(true);
    }
  });
});
