import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { RSILoop } from 'rsi-loop';
import { createDashboard } from 'rsi-loop/dashboard';
import { FileStore } from 'rsi-loop/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VIEW_NAMES } from '../../../../integrations/dashboard/views.js';
import { fetchBytes, recordWeek, TestDashboard, writeAssets } from './dashboard-fixture.js';

let folder = '';
let loop: RSILoop;
let test: TestDashboard;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rsi-dashboard-'));
  loop = new RSILoop({ store: new FileStore(join(folder, 'store')), autoFix: false });
  recordWeek(loop);
  await loop.runCycle();
  test = await TestDashboard.open(loop, folder);
});

afterAll(async () => {
  await test.close();
  await loop.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Asks for the patterns until they show a task: the server looks for news once a second. */
async function patternsWith(task: string): Promise<string> {
  for (;;) {
    const { text } = await test.send('/api/patterns');
    if (text.includes(task)) return text;
  }
}

describe('the routes of the dashboard', () => {
  it('answer every view as JSON that no browser keeps', async () => {
    for (const view of VIEW_NAMES) {
      const { status, headers, json, text } = await test.send(`/api/${view}`);
      expect([view, status], text).toEqual([view, 200]);
      expect(headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      });
      expect(Object.keys(json).length).toBeGreaterThan(0);
    }
  });

  it('answer one pattern, session and fix by id', async () => {
    const [pattern] = loop.patterns();
    const [fix] = loop.fixes();
    const found = await test.send(`/api/patterns/${encodeURIComponent(pattern?.id ?? '')}`);
    expect(found.json).toMatchObject({ pattern: { id: pattern?.id, task: 'fetch_page' } });
    expect((await test.send(`/api/fixes/${fix?.id}`)).json).toMatchObject({ row: { id: fix?.id } });
  });

  it('say what to do about an unknown address, id, parameter or method', async () => {
    const asked = async (path: string, method = 'GET') => {
      const { status, json, text } = await test.send(path, { method });
      expect(text).not.toMatch(/\bat .*\.[jt]s:\d+/);
      return [status, json.message];
    };
    expect(await asked('/api/nothing')).toEqual([404, 'There is no api/nothing: load the page again.']);
    expect(await asked('/api/__proto__')).toEqual([404, expect.stringContaining('load the page')]);
    expect(await asked('/api/patterns/none')).toEqual([404, expect.stringContaining('Nothing is stored')]);
    expect(await asked('/api/patterns/%E0%A4%A')).toEqual([404, expect.stringContaining('load the page')]);
    expect(await asked('/api/fixes/none')).toEqual([404, expect.stringContaining('No fix has this id')]);
    expect(await asked('/api/ledger?limit=many')).toEqual([400, expect.stringContaining('Limit')]);
    expect(await asked('/api/overview', 'DELETE')).toEqual([405, 'DELETE is not possible here: use GET or HEAD.']);
    expect(await asked('/api/decisions')).toEqual([405, 'GET is not possible here: use POST.']);
    expect(await asked('/', 'POST')).toEqual([405, expect.stringContaining('use GET')]);
  });

  it('send the page for every path of a screen, and its files by name', async () => {
    const page = await test.send('/');
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    for (const path of ['/patterns', '/fixes/12?tab=diff', '/../../etc/passwd', '/%2e%2e/store.json']) {
      expect((await test.send(path)).text).toBe(page.text);
    }
    const script = await test.send('/dashboard.js');
    expect(script.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-cache',
    });
    const again = await test.send('/dashboard.js', { headers: { 'if-none-match': String(script.headers.etag) } });
    expect([again.status, again.text]).toEqual([304, '']);
    expect((await test.send('/', { method: 'HEAD' })).text).toBe('');
  });

  it('compress files and views for browsers that want it', async () => {
    const gzip = { 'accept-encoding': 'gzip, br' };
    const script = await fetchBytes(`${test.url}/dashboard.js`, gzip);
    expect(script.headers['content-encoding']).toBe('gzip');
    expect(script.bytes.length).toBeLessThan(200);
    expect(gunzipSync(script.bytes).toString()).toContain('xxxx');
    const view = await fetchBytes(`${test.url}/api/overview`, gzip);
    expect(view.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' });
    expect(JSON.parse(gunzipSync(view.bytes).toString())).toHaveProperty('health');
    const plain = await fetchBytes(`${test.url}/dashboard.js`, { 'accept-encoding': 'gzip;q=0' });
    expect(plain.headers['content-encoding']).toBeUndefined();
  });

  it('show what a cycle has found without waiting for the next reading', async () => {
    await test.send('/api/patterns');
    for (let count = 0; count < 5; count++) {
      loop.observer.recordSimple('send_mail', { success: false, error: 'mailbox full' });
    }
    await loop.runCycle();
    await patternsWith('send_mail');
  });

  it('send characters that reorder or hide text as JSON escapes only', async () => {
    const task = 'pay\u202etxt\u200b\u2066';
    for (let count = 0; count < 5; count++) loop.observer.record({ task, success: false, error: `no\u202e ${task}` });
    await loop.runCycle();
    expect(await patternsWith('pay')).not.toMatch(/[\u200b\u202e\u2066]/);
  });

  it('lie under a prefix, and leave other paths to the host', async () => {
    const mounted = await TestDashboard.open(loop, folder, { prefix: '/tools/rsi/' });
    try {
      const page = await mounted.send('/tools/rsi/patterns');
      expect(page.text).toContain('<base href="/tools/rsi/">');
      expect((await mounted.send('/tools/rsi/api/overview')).status).toBe(200);
      const bare = await mounted.send('/tools/rsi');
      expect([bare.status, bare.headers.location]).toEqual([308, '/tools/rsi/']);
      for (const path of ['/', '/tools/', '/tools/rsi2/', '/api/overview']) {
        expect((await mounted.send(path)).text).toBe('of the host');
      }
      const { headers } = await mounted.send(mounted.dashboard.openPath);
      expect(headers).toMatchObject({ location: '/tools/rsi/' });
      expect(String(headers['set-cookie'])).toContain('Path=/tools/rsi/;');
    } finally {
      await mounted.close();
    }
  });

  it('name an option that is wrong', () => {
    const options = { loop, assets: writeAssets(folder) };
    expect(() => createDashboard({ ...options, prefix: 'dashboard' })).toThrow('prefix is "dashboard"');
    expect(() => createDashboard({ ...options, prefix: '/a"><script>/' })).toThrow('give a path such as /dashboard/');
    expect(() => createDashboard({ ...options, token: 'short' })).toThrow('token is too short');
    expect(() => createDashboard({ ...options, ...{ tokn: 'x' } })).toThrow('tokn is not an option');
    expect(() => createDashboard({ ...options, assets: folder })).toThrow(`is not in ${folder}`);
    expect(() => createDashboard({ ...options, loop: {} as RSILoop })).toThrow('loop is missing');
  });
});
