import { type JournalRecord, MemoryStore, type Outcome, type Policy, type Start } from 'rsi-loop';
import { ManualClock } from 'rsi-loop/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { TestServer } from './server.js';

let server: TestServer;
afterEach(() => server.close());

async function journal(store: MemoryStore): Promise<{ outcomes: Outcome[]; starts: Start[] }> {
  const outcomes: Outcome[] = [];
  const starts: Start[] = [];
  for await (const { record } of store.journal.read()) {
    if (record.kind === 'outcome') outcomes.push(record.outcome);
    else starts.push((record as Extract<JournalRecord, { kind: 'start' }>).start);
  }
  return { outcomes, starts };
}

describe('POST /tasks and POST /tasks/:id/end', () => {
  it('hand out settings and record the end with what was known at the beginning', async () => {
    const store = new MemoryStore();
    server = await new TestServer({ store, policy: { 'retries.network': 2 } }).open();
    const begun = await server.post('/tasks', { task: 'import', session: 's1', model: 'sonnet', source: 'py' });
    expect([begun.status, begun.json.task, begun.json.advice, begun.json.arms]).toEqual([201, 'import', [], []]);
    expect((begun.json.policy as Policy)['retries.network']).toBe(2);
    const id = String(begun.json.id);
    const end = { status: 'error', error_message: 'ETIMEDOUT', modelName: 'haiku', task: 'other' };
    const ended = await server.post(`/tasks/${id}/end`, end);
    expect([ended.status, ended.json]).toEqual([201, { id, issues: ['timeout'] }]);
    expect((await journal(store)).outcomes).toMatchObject([
      { id, task: 'import', session: 's1', model: 'haiku', source: 'py', success: false, managed: true },
    ]);
  });

  it('carry the release of another program, over a restart of the server', async () => {
    const store = new MemoryStore();
    server = await new TestServer({ store }).open();
    const release = { service: 'checkout', version: '1.4.2', host: 'web-7' };
    const begun = await server.post('/tasks', { task: 'pay', ...release });
    // A server that takes over knows it too.
    await server.closeServer();
    await server.open();
    await server.post(`/tasks/${begun.json.id}/end`, { success: false, error: 'ETIMEDOUT', version: '9.9.9' });
    const { outcomes } = await journal(store);
    expect(outcomes).toMatchObject([{ task: 'pay', ...release }]);
    expect(Object.keys(server.loop.health().byVersion)).toEqual(['1.4.2']);
    expect((await server.post('/tasks', { task: 'pay', version: 7 })).json.detail).toContain('version');
  });

  it('may be repeated, and change nothing by it', async () => {
    const store = new MemoryStore();
    server = await new TestServer({ store }).open();
    const headers = { 'idempotency-key': 'k' };
    const [one, two] = [
      await server.post('/tasks', { task: 'a' }, headers),
      await server.post('/tasks', { task: 'a' }, headers),
    ];
    expect(two.json).toEqual(one.json);
    expect((await server.post('/tasks', { task: 'b' }, headers)).status).toBe(409);
    const path = `/tasks/${one.json.id}/end`;
    const first = await server.post(path, { success: false, error: 'ETIMEDOUT' });
    const again = await server.post(path, { success: false, error: 'ETIMEDOUT' });
    expect([again.status, again.json]).toEqual([201, { ...first.json, duplicate: true }]);
    expect((await server.post(path, { success: true })).status).toBe(409);
    expect((await server.post('/tasks', { task: 'a' }, headers)).status).toBe(409);
    expect((await journal(store)).outcomes).toHaveLength(1);
  });

  it('keep of what was sent at the beginning only what a beginning has', async () => {
    const store = new MemoryStore();
    server = await new TestServer({ store }).open();
    const strange = { success: true, issues: ['x'], atMs: 'then', context: { note: 'password=hunter22hunter22' } };
    const { json } = await server.post('/tasks', { task: 'a', session: 's', ...strange });
    await server.post(`/tasks/${json.id}/end`, { success: false, error: 'ETIMEDOUT' });
    const { outcomes } = await journal(store);
    expect(outcomes).toMatchObject([{ success: false, issues: ['timeout'], session: 's', atMs: expect.any(Number) }]);
    expect(JSON.stringify(outcomes)).not.toContain('hunter22');
  });

  it('give the arm of a running trial, whose beginning is safe before the work begins', async () => {
    const clock = new ManualClock();
    const store = new MemoryStore({ clock });
    server = new TestServer({ store, clock });
    for (let call = 0; call < 200; call++) {
      const failed = { success: false, error: Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }) };
      server.loop.begin('fetch', { idempotent: true }).end(call % 4 === 0 ? failed : { success: true });
      await clock.advance(1_000);
    }
    await server.loop.runCycle();
    await server.loop.runCycle();
    expect(server.loop.fixes({ status: 'trial' })).toHaveLength(1);
    await server.open({ clock });
    const { json: unsaid } = await server.post('/tasks', { task: 'fetch' });
    expect(unsaid).toMatchObject({ arms: [], policy: { 'retries.network': 0 } });
    expect(unsaid.mayRepeat).toBeUndefined();
    const { json } = await server.post('/tasks', { task: 'fetch', id: 'under-trial', idempotent: true });
    expect(json.mayRepeat).toBe(true);
    expect(json.arms).toMatchObject([{ fixId: server.loop.fixes()[0]?.id, unit: 'under-trial', share: 0.5 }]);
    expect((await journal(store)).starts).toMatchObject([{ id: 'under-trial', arms: json.arms }]);
  });

  it('are not lost when the server closes: the next one takes their ends', async () => {
    const clock = new ManualClock();
    const store = new MemoryStore({ clock });
    server = await new TestServer({ store, clock }).open({ clock });
    const { json } = await server.post('/tasks', { task: 'long', agent: 'writer' });
    await server.closeServer();
    await clock.advance(5_000);
    await server.open({ clock });
    expect((await server.post(`/tasks/${json.id}/end`, { success: true })).status).toBe(201);
    const [outcome] = (await journal(store)).outcomes;
    expect(outcome).toMatchObject({ task: 'long', agent: 'writer', durationMs: 5_000, managed: true });
  });

  it('take the end of an unknown task only with its name', async () => {
    const store = new MemoryStore();
    server = await new TestServer({ store }).open();
    const without = await server.post('/tasks/lost-1/end', { success: true });
    expect([without.status, without.json.field]).toEqual([404, 'id']);
    expect(without.json.detail).toContain('name its "task"');
    expect((await server.post('/tasks/lost-1/end', { success: true, task: 'import' })).status).toBe(201);
    expect((await journal(store)).outcomes).toMatchObject([{ id: 'lost-1', task: 'import' }]);
  });

  it('keep so many open and no more; those past their deadline make room', async () => {
    const clock = new ManualClock();
    server = await new TestServer({ clock }).open({ clock, limits: { openTasks: 2 } });
    await server.post('/tasks', { task: 'a', deadlineMs: 1_000 });
    await server.post('/tasks', { task: 'a' });
    const full = await server.post('/tasks', { task: 'a' });
    expect([full.status, full.headers['retry-after']]).toEqual([429, '10']);
    await clock.advance(2_000);
    expect((await server.post('/tasks', { task: 'a' })).status).toBe(201);
  });

  it.for([
    [{}, 'task'],
    [{ task: '' }, 'task'],
    [{ task: 'a', deadlineMs: 0 }, 'deadlineMs'],
    [{ task: 'a', session: 'x'.repeat(201) }, 'session'],
  ] as const)('name the field that is wrong: %j', async ([body, field]) => {
    server = await new TestServer().open();
    const { status, json } = await server.post('/tasks', body);
    expect([status, json.field]).toEqual([400, field]);
  });

  it('say what is wrong with an end, and keep the task open', async () => {
    server = await new TestServer().open();
    const { json } = await server.post('/tasks', { task: 'a' });
    const wrong = await server.post(`/tasks/${json.id}/end`, { durationMs: 5 });
    expect([wrong.status, wrong.json.field]).toEqual([400, 'success']);
    expect((await server.post(`/tasks/${json.id}/end`, { success: true })).status).toBe(201);
  });
});
