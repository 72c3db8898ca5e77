import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { MemoryStore, type OpenTask, type Outcome, RSILoop } from 'rsi-loop';
import { DropFolder } from 'rsi-loop/sources/drop-folder';
import { serve } from 'rsi-loop/sources/http';
import { ManualClock } from 'rsi-loop/testing';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { testFolder } from '../../node/folder.js';

let clock: ManualClock;
let store: MemoryStore;
let loop: RSILoop;
let open: OpenTask;

/** A task of this program that is in a trial, whose id an outsider has seen. */
beforeEach(async () => {
  clock = new ManualClock(Date.now());
  store = new MemoryStore({ clock });
  loop = new RSILoop({ store, clock });
  for (let call = 0; call < 200; call++) {
    const failed = { success: false, error: Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }) };
    loop.begin('fetch', { idempotent: true }).end(call % 4 === 0 ? failed : { success: true });
    await clock.advance(1_000);
  }
  await loop.runCycle();
  await loop.runCycle();
  open = loop.begin('fetch', { idempotent: true });
  expect(open.arms).toHaveLength(1);
  onTestFinished(() => loop.close());
});

const forged = () => ({ id: open.id, task: 'fetch', success: false, error: 'ECONNRESET' });

async function ends(): Promise<readonly Outcome[]> {
  await loop.flush();
  const found: Outcome[] = [];
  for await (const { record } of store.journal.read())
    if (record.kind === 'outcome' && record.outcome.id === open.id) found.push(record.outcome);
  return found;
}

/** Sends from an address of the loopback. */
function post(url: string, value: unknown, localAddress = '127.0.0.1') {
  return new Promise<{ readonly status: number | undefined; readonly json: Record<string, unknown> }>((done, fail) => {
    const headers = { 'content-type': 'application/json', connection: 'close' };
    const sending = request(url, { method: 'POST', headers, localAddress });
    sending.on('error', fail).on('response', async (response) => {
      let text = '';
      for await (const chunk of response.setEncoding('utf8')) text += chunk;
      done({ status: response.statusCode, json: JSON.parse(text) });
    });
    sending.end(JSON.stringify(value));
  });
}

async function serveLoop() {
  const server = await serve({ loop, port: 0, clock });
  onTestFinished(() => server.close());
  return server.url;
}

describe('the end of a task that another sender began', () => {
  it('is not taken over HTTP, by any route, and the true end counts', async () => {
    const url = await serveLoop();
    expect(await post(`${url}/observe`, forged())).toMatchObject({ status: 400, json: { field: 'id' } });
    expect(await post(`${url}/observe`, [forged(), { task: 'other', success: true }])).toMatchObject({
      status: 201,
      json: { accepted: 1, refused: 1, errors: [{ index: 0, field: 'id' }] },
    });
    const { id: _, ...end } = forged();
    expect((await post(`${url}/tasks/${open.id}/end`, end)).status).toBe(403);
    expect(await ends()).toEqual([]);
    expect(open.end({ success: true })).toBe(true);
    expect(await ends()).toMatchObject([{ success: true, managed: true }]);
  });

  it('is not taken from a drop folder', async () => {
    const folder = testFolder();
    const drops = new DropFolder(loop, folder, { settleMs: 0 });
    onTestFinished(() => drops.close());
    writeFileSync(join(folder, 'forged.json'), JSON.stringify(forged()));
    await drops.poll();
    expect(drops.counts.rejected).toBe(1);
    expect(await ends()).toEqual([]);
  });

  it('is not taken from an importer in the process, which is reported', async () => {
    const problems: string[] = [];
    loop.on('problem', ({ message }) => problems.push(message));
    const { outcome } = loop.observer.read(forged());
    expect(outcome && loop.observer.take(outcome)).toBeUndefined();
    expect(problems.join()).toContain('only the end of its beginner counts');
    expect(await ends()).toEqual([]);
  });
});

describe.runIf(process.platform === 'linux')('the id of a task that was begun over HTTP', () => {
  it('is taken at /observe from the sender that began it, as its end, and from no other', async () => {
    const url = await serveLoop();
    const { json } = await post(`${url}/tasks`, { task: 'import', session: 's1' });
    const end = { id: json.id, task: 'import', success: false, error: 'ETIMEDOUT' };
    expect((await post(`${url}/observe`, end, '127.0.0.2')).status).toBe(400);
    expect(await post(`${url}/observe`, end)).toMatchObject({ status: 201, json: { id: json.id } });
    await loop.flush();
    const kept = store.journal.all().flatMap((record) => (record.kind === 'outcome' ? [record.outcome] : []));
    expect(kept.filter(({ id }) => id === json.id)).toMatchObject([{ session: 's1', managed: true, success: false }]);
  });
});
