import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { RSILoop } from 'rsi-loop';
import { afterEach, describe, expect, it } from 'vitest';
import { OpenTasks } from '../../../../integrations/sources/http/open-tasks.js';
import { ManualClock } from '../../../../src/testing/manual-clock.js';
import { issued } from '../../../observe/secret-fixtures.js';
import { forgeEnds } from './forged-ends.js';
import { TestServer } from './server.js';

const KEY = issued(5, 0).find(({ shape }) => shape === 'openai-project')?.secrets[0] ?? '';

let server: TestServer;
afterEach(() => server?.close());

describe('tasks over HTTP', () => {
  it('refuses a deadline that never ends, so that no flood of tasks can block the route', async () => {
    server = await new TestServer().open({ limits: { openTasks: 4 } });
    for (const deadlineMs of [1e308, 604_800_001, 0, -1]) {
      const { status, json } = await server.post('/tasks', { task: 'x', deadlineMs });
      expect([status, json.field]).toEqual([400, 'deadlineMs']);
    }
    expect((await server.post('/tasks', { task: 'x', deadlineMs: 604_800_000 })).status).toBe(201);
  });

  it('leaves room for others when one sender never ends its tasks', async () => {
    const clock = new ManualClock();
    const loop = new RSILoop({ clock });
    const tasks = new OpenTasks(loop, clock, 10);
    const begin = (sender: string) => tasks.begin({ task: 'x', deadlineMs: 60_000 }, { mark: 1, sender });
    const flood = Array.from({ length: 20 }, () => begin('flood'));
    expect(flood.filter(Boolean)).toHaveLength(5);
    expect(begin('other')).toMatchObject({ id: expect.stringMatching(/./) });
    tasks.delete(flood[0]?.id ?? '');
    expect(begin('flood')).toMatchObject({ id: expect.stringMatching(/./) });
    expect(begin('flood')).toBeUndefined();
    await clock.advance(60_001);
    expect(begin('flood')).toMatchObject({ id: expect.stringMatching(/./) });
    await loop.close();
  });

  it('gives ids that a sender cannot guess from those of its own tasks', async () => {
    server = await new TestServer().open();
    const ids = await Promise.all(Array.from({ length: 20 }, () => server.post('/tasks', { task: 'x' })));
    const random = ids.map(({ json }) => /-([0-9a-f]{24})$/.exec(String(json.id))?.[1]);
    expect(new Set(random).size).toBe(20);
    expect(random).not.toContain(undefined);
  });

  it.runIf(process.platform === 'linux')('refuses an end that another sender forges', async () => {
    server = await new TestServer().open();
    expect(await forgeEnds(server.url, 10)).toBe(0);
  });

  it('keeps no secret of a task that is begun, nor of its end', async () => {
    server = await new TestServer().open();
    const begun = await server.post('/tasks', { task: `call ${KEY}`, session: KEY, model: KEY, agent: KEY, tool: KEY });
    const end = await server.post(`/tasks/${begun.json.id}/end`, { success: false, error: `failed with ${KEY}` });
    expect([begun.status, end.status]).toEqual([201, 201]);
    expect(begun.text + end.text).not.toContain(KEY);
    await server.loop.flush();
    const kept: unknown[] = [];
    for await (const { record } of server.loop.store.journal.read()) kept.push(record);
    expect(kept).toHaveLength(1);
    expect(JSON.stringify(kept)).not.toContain(KEY.slice(0, 20));
    expect(JSON.stringify(kept)).toContain('call [redacted:openai-key]');
  });
});

describe('what is sent', () => {
  it('weighs no more than a sampler would say', async () => {
    server = await new TestServer().open();
    const heavy = await server.post('/observe', { task: 'x', success: false, weight: 1e9 });
    expect(heavy.json.warnings).toMatchObject([{ field: 'weight', expected: 'a number from 1 to 1000' }]);
    expect((await server.post('/observe', { task: 'x', success: false, weight: 1_000 })).json.warnings).toBeUndefined();
  });

  it('comes back without characters that a terminal or a reader of text obeys', async () => {
    server = await new TestServer().open();
    const task = 'a\u202eb\u0085c\u200bd\u001b[31me\u009bf\u2028g\ufeffh';
    for (let index = 0; index < 5; index++) await server.post('/observe', { task, success: false, error: task });
    await server.loop.runCycle();
    const answers = await Promise.all(['/metrics', '/patterns', '/health', '/fixes'].map((path) => server.send(path)));
    const text = answers.map((answer) => answer.text).join('');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/);
    expect(text.split('\n').filter((line) => line.startsWith('rsi_task_health_score'))).toHaveLength(1);
    expect(JSON.stringify(answers[1]?.json)).toContain('\u202e');
  });
});

describe('connections', () => {
  it('that say nothing do not push out an upload', async () => {
    server = await new TestServer().open({ connections: 20 });
    const silent: Socket[] = [];
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { 'content-type': 'application/x-ndjson', connection: 'close' };
      const sending = request(`${server.url}/observe`, { method: 'POST', headers });
      sending.on('error', reject).on('response', (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sending.write('{"task":"x","success":true}\n', async () => {
        for (let index = 0; index < 60; index++) {
          const socket = connect(server.port, '127.0.0.1').on('error', () => {});
          silent.push(socket);
          await new Promise((done) => socket.once('connect', done));
        }
        sending.end('{"task":"x","success":true}\n');
      });
    });
    expect(status).toBe(201);
    for (const socket of silent) socket.destroy();
  });
});

describe('decisions', () => {
  it('keep no secret of the name and the reason they come with', async () => {
    const loop = new RSILoop();
    await loop.ready();
    await loop.freeze({ by: `ada ${KEY}`, reason: `because ${KEY}` });
    await loop.unfreeze({ by: KEY, reason: KEY });
    const kept: unknown[] = [];
    for await (const { entry: record } of loop.store.ledger.read()) kept.push(record);
    expect(kept).toHaveLength(2);
    expect(JSON.stringify(kept)).not.toContain(KEY.slice(0, 20));
    expect(JSON.stringify(kept)).toContain('ada [redacted:openai-key]');
    await loop.close();
  });
});
