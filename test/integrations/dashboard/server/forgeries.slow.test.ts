import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RSILoop } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Sending } from '../../send-request.js';
import { recordWeek, TestDashboard, type Visit } from './dashboard-fixture.js';

let folder = '';
let loop: RSILoop;
let test: TestDashboard;
let visit: Visit;
let fixId = '';

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rsi-dashboard-'));
  loop = new RSILoop({ store: new FileStore(join(folder, 'store')), autoFix: false });
  recordWeek(loop);
  await loop.runCycle();
  test = await TestDashboard.open(loop, folder);
  visit = await test.visit();
  fixId = loop.fixes({ status: 'proposed' })[0]?.id ?? '';
});

afterEach(async () => {
  await test.close();
  await loop.close();
  rmSync(folder, { recursive: true, force: true });
});

const json = { 'content-type': 'application/json' };
const ledgerLength = async () => (await loop.store.ledger.head()).length;

/** Ways in which a decision can arrive without a person who opened the page. Each must fail for one reason alone. */
function forgeries(): readonly (readonly [name: string, path: string, sending: Sending])[] {
  const csrf = { 'x-rsi-csrf': visit.status.csrf };
  const known = { ...json, ...visit.headers, ...csrf };
  const body = JSON.stringify({ verb: 'approve', fixId, by: 'mallory' });
  const query = `verb=approve&fixId=${fixId}&by=mallory&csrf=${visit.status.csrf}`;
  const path = '/api/decisions';
  return [
    ['without a session', path, { body, headers: { ...json, ...csrf } }],
    ['with the session of another server', path, { body, headers: { ...known, cookie: 'rsi-00000000=abc' } }],
    ['with a guessed session', path, { body, headers: { ...known, cookie: `${visit.cookie.split('=')[0]}=guess` } }],
    ['without a CSRF token', path, { body, headers: { ...json, ...visit.headers } }],
    ['with a wrong CSRF token', path, { body, headers: { ...known, 'x-rsi-csrf': `${visit.status.csrf}x` } }],
    ['with an empty CSRF token', path, { body, headers: { ...known, 'x-rsi-csrf': '' } }],
    ['with the CSRF token in the address', `${path}?${query}`, { body, headers: { ...json, ...visit.headers } }],
    ['from a foreign origin', path, { body, headers: { ...known, origin: 'https://evil.example' } }],
    ['from another port', path, { body, headers: { ...known, origin: 'http://127.0.0.1:1' } }],
    ['from a sandboxed frame', path, { body, headers: { ...known, origin: 'null' } }],
    ['from another site', path, { body, headers: { ...known, 'sec-fetch-site': 'cross-site' } }],
    ['from a sibling site', path, { body, headers: { ...known, 'sec-fetch-site': 'same-site' } }],
    ['under a foreign name', path, { body, headers: { ...known, host: 'evil.example' } }],
    ['through a proxy', path, { body, headers: { ...known, 'x-forwarded-for': '10.0.0.1' } }],
    ['as text', path, { body, headers: { ...known, 'content-type': 'text/plain' } }],
    ['as a form', path, { body: query, headers: { ...known, 'content-type': 'application/x-www-form-urlencoded' } }],
    ['without a type', path, { body, headers: { ...visit.headers, ...csrf } }],
    ['by GET', `${path}?${query}`, { method: 'GET', headers: known }],
    ['by PUT', path, { method: 'PUT', body, headers: known }],
    ['by HEAD', `${path}?${query}`, { method: 'HEAD', headers: known }],
    ['under another path', `/api/fixes/${fixId}`, { body, headers: known }],
    ['without a name', path, { body: JSON.stringify({ verb: 'approve', fixId }), headers: known }],
    ['with a blank name', path, { body: JSON.stringify({ verb: 'approve', fixId, by: ' ' }), headers: known }],
    ['with a list of names', path, { body: JSON.stringify({ verb: 'approve', fixId, by: ['a'] }), headers: known }],
    ['with an unknown verb', path, { body: JSON.stringify({ verb: 'constructor', fixId, by: 'm' }), headers: known }],
    ['as a list', path, { body: `[${body}]`, headers: known }],
    ['broken off', path, { body: body.slice(0, -1), headers: known }],
    ['too long', path, { body: JSON.stringify({ ...JSON.parse(body), more: 'x'.repeat(20_000) }), headers: known }],
  ];
}

describe('decisions on the dashboard', () => {
  it('are not made by any of 1,000 forged requests, and then by one real one', async () => {
    const before = await ledgerLength();
    const ways = forgeries();
    for (let count = 0; count < 1_000; count++) {
      const [name, path, sending] = ways[count % ways.length] ?? ['', '', {}];
      const { status, json: answer, text } = await test.send(path, sending);
      expect([name, status], text).toEqual([name, expect.toSatisfy((code: number) => code >= 400 && code < 500)]);
      if (sending.method !== 'HEAD') expect(answer.message).toMatch(/^[A-Z].*[.]$/);
    }
    expect(await ledgerLength()).toBe(before);
    expect(loop.fixes({ status: 'proposed' }).map(({ id }) => id)).toContain(fixId);

    const headers = { ...visit.headers, 'x-rsi-csrf': visit.status.csrf, origin: test.url };
    const made = await test.post('/api/decisions', { verb: 'approve', fixId, by: ' ada ' }, headers);
    expect(made).toMatchObject({ status: 200, json: { fix: { id: fixId, status: 'approved' } } });
    expect(await ledgerLength()).toBe(before + 1);
    expect(loop.explain(fixId).history.at(-1)).toMatchObject({ by: 'ada' });
  });

  it('need a reason to reject, and name the field that is missing', async () => {
    const headers = { ...visit.headers, 'x-rsi-csrf': visit.status.csrf };
    const decide = async (value: object) => {
      const { status, json: answer } = await test.post('/api/decisions', value, headers);
      return [status, answer.message];
    };
    expect(await decide({ verb: 'reject', fixId, by: 'ada' })).toEqual([
      400,
      expect.stringContaining('The reason is missing'),
    ]);
    expect(await decide({ verb: 'approve', by: 'ada' })).toEqual([
      400,
      expect.stringContaining('The id of the fix is missing'),
    ]);
    expect(await decide({ verb: 'approve', fixId: 'none', by: 'ada' })).toEqual([
      404,
      expect.stringContaining('No fix'),
    ]);
    expect(await decide({ verb: 'rollback', fixId, by: 'ada' })).toEqual([
      409,
      expect.stringContaining('Load the page'),
    ]);
    expect(await decide({ verb: 'reject', fixId, by: 'ada', reason: 'tried before' })).toEqual([200, undefined]);
  });

  it('freeze and unfreeze the loop', async () => {
    const headers = { ...visit.headers, 'x-rsi-csrf': visit.status.csrf };
    expect((await test.post('/api/decisions', { verb: 'freeze', by: 'ada', reason: 'release' }, headers)).json).toEqual(
      {},
    );
    expect(loop.frozen()).toMatchObject({ by: 'ada', reason: 'release' });
    expect((await test.send('/api/status')).json).toMatchObject({ frozen: { by: 'ada' } });
    await test.post('/api/decisions', { verb: 'unfreeze', by: 'ada' }, headers);
    expect(loop.frozen()).toBeUndefined();
  });
});

describe('reading', () => {
  it('changes nothing', async () => {
    const before = await ledgerLength();
    const paths = [
      '/',
      '/api/status',
      '/api/overview',
      '/api/patterns',
      '/api/review',
      `/api/fixes/${fixId}`,
      '/open/x',
    ];
    for (const path of paths) await test.send(path, { headers: visit.headers });
    expect(await ledgerLength()).toBe(before);
  });

  it('is not possible for pages of other sites, other machines or under a foreign name', async () => {
    const asked = async (headers: Sending['headers'] = {}) => (await test.send('/api/overview', { headers })).status;
    expect(await asked()).toBe(200);
    expect(await asked({ host: `localhost:${test.port}` })).toBe(200);
    expect(await asked({ host: `127.0.0.1.evil.example:${test.port}` })).toBe(403);
    expect(await asked({ origin: 'https://evil.example' })).toBe(403);
    expect(await asked({ 'sec-fetch-site': 'cross-site' })).toBe(403);
    expect(await asked({ forwarded: 'for=10.0.0.1' })).toBe(403);
    const { headers } = await test.send('/api/overview', { headers: { origin: test.url } });
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });

  it('lets a link on another page open the dashboard, which then reads by itself', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    expect((await test.send('/patterns', { headers })).status).toBe(200);
  });

  it('sends headers under which no recorded text can run, and no page can embed this one', async () => {
    for (const path of ['/', '/dashboard.js', '/api/overview', '/api/nothing', '/open/wrong-token']) {
      const { headers } = await test.send(path);
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|\*|https?:/);
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
      });
    }
  });
});
