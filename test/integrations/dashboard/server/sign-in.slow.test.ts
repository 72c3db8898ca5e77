import { mkdtempSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { RSILoop } from 'rsi-loop';
import { ManualClock } from 'rsi-loop/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordWeek, TestDashboard } from './dashboard-fixture.js';

const TOKEN = 'a-token-of-many-characters';
const DECISION_TOKEN = 'another-token-for-decisions';
const HOUR_MS = 3_600_000;

let folder = '';
let loop: RSILoop;
let clock: ManualClock;
const opened: TestDashboard[] = [];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rsi-dashboard-'));
  clock = new ManualClock();
  loop = new RSILoop({ autoFix: false, clock });
  recordWeek(loop);
  await loop.runCycle();
});

afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
  await loop.close();
  rmSync(folder, { recursive: true, force: true });
});

async function open(options: Parameters<typeof TestDashboard.open>[2] = {}): Promise<TestDashboard> {
  const test = await TestDashboard.open(loop, folder, { clock, ...options });
  opened.push(test);
  return test;
}

describe('a dashboard with a token', () => {
  it('shows nothing without it but the page that asks for it', async () => {
    const test = await open({ token: TOKEN });
    expect((await test.send('/patterns')).status).toBe(200);
    for (const path of ['/api/status', '/api/overview', '/api/events', '/api/patterns/x']) {
      const { status, json } = await test.send(path);
      expect(status).toBe(401);
      expect(json).toEqual({ status: 401, message: 'Sign in with the token of this server.', action: 'login' });
    }
    // The token is for people at the page, and no header or address replaces the sign-in.
    expect((await test.send('/api/status', { headers: { authorization: `Bearer ${TOKEN}` } })).status).toBe(401);
    expect((await test.send(`/api/status?token=${TOKEN}`)).status).toBe(401);
  });

  it('gives a cookie that no script reads and no other site sends', async () => {
    const test = await open({ token: TOKEN });
    const { signedIn, status, headers } = await test.visit(TOKEN);
    expect([signedIn.status, signedIn.text]).toEqual([204, '']);
    expect(String(signedIn.headers['set-cookie'])).toMatch(
      /^rsi-[0-9a-f]{8}=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/,
    );
    expect(status).toMatchObject({ decisions: { allowed: true }, signedIn: true });
    expect((await test.send('/api/overview', { headers })).status).toBe(200);
    const https = await test.post('/api/login', { token: TOKEN }, { 'x-forwarded-proto': 'https' });
    expect(String(https.headers['set-cookie'])).toMatch(/; Secure$/);
  });

  it.each([[[]], [['RSI.internal']]])(
    'rejects foreign names also with a token: allowed are %j',
    async (allowedHosts) => {
      const test = await open({ token: TOKEN, allowedHosts });
      const { headers } = await test.visit(TOKEN);
      const asked = async (host: string, path = '/api/overview') =>
        (await test.send(path, { headers: { ...headers, host } })).status;
      for (const foreign of [
        'evil.example',
        'localhost.evil.example',
        '127.0.0.1.evil.example:80',
        '1.2.3.4.5',
        'evil',
      ]) {
        expect([await asked(foreign), await asked(foreign, '/')], foreign).toEqual([403, 403]);
      }
      for (const own of ['localhost:7748', '10.0.0.7:7748', '[fd00::7]:7748', hostname().toUpperCase()]) {
        expect(await asked(own), own).toBe(200);
      }
      expect(await asked('rsi.internal:443')).toBe(allowedHosts.length === 0 ? 403 : 200);
    },
  );

  it('answers through a proxy, which the token makes safe', async () => {
    const test = await open({ token: TOKEN });
    const { headers } = await test.visit(TOKEN);
    const from = { ...headers, 'x-forwarded-for': '10.0.0.1' };
    expect((await test.send('/api/overview', { headers: from })).status).toBe(200);
  });

  it('ends sessions after 12 hours and at a sign-out, and says so', async () => {
    const test = await open({ token: TOKEN });
    const first = await test.visit(TOKEN);
    await clock.advance(11 * HOUR_MS);
    const second = await test.visit(TOKEN);
    expect((await test.send('/api/review', { headers: first.headers })).status).toBe(200);
    await clock.advance(HOUR_MS);
    const { status, json } = await test.send('/api/review', { headers: first.headers });
    expect([status, json.action]).toEqual([401, 'login']);
    expect((await test.send('/api/review', { headers: second.headers })).status).toBe(200);
    const out = await test.post('/api/logout', {}, second.headers);
    expect([out.status, String(out.headers['set-cookie'])]).toEqual([204, expect.stringContaining('Max-Age=0')]);
    expect((await test.send('/api/review', { headers: second.headers })).status).toBe(401);
  });

  it('slows guesses down, also the right one, without slowing others', async () => {
    const test = await open({ token: TOKEN });
    const { headers } = await test.visit(TOKEN);
    const attempt = async (token: unknown) => (await test.post('/api/login', { token })).status;
    const statuses: number[] = [];
    for (let count = 0; count < 50; count++) statuses.push(await attempt(`guess-${count}-of-a-token`));
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
    expect(statuses.filter((status) => status === 401).length).toBeLessThan(12);
    const { status, json, headers: told } = await test.post('/api/login', { token: TOKEN });
    expect([status, told['retry-after'], json.message]).toEqual([
      429,
      '2',
      expect.stringContaining('Too many sign-ins'),
    ]);
    expect((await test.send('/open/a-guess-in-the-address')).status).toBe(429);
    expect((await test.send('/api/overview', { headers })).status).toBe(200);
    await clock.advance(2_000);
    expect(await attempt(TOKEN)).toBe(204);
  });

  it('says what is wrong with a sign-in', async () => {
    const test = await open({ token: TOKEN });
    expect((await test.post('/api/login', { token: 'wrong-token-of-many-characters' })).json).toEqual({
      status: 401,
      message: 'This token is wrong: enter the token of this server.',
      action: 'login',
    });
    expect((await test.post('/api/login', {})).json).toMatchObject({ status: 400 });
    expect((await test.post('/api/login', { token: TOKEN }, { origin: 'https://evil.example' })).status).toBe(403);
    expect((await test.send('/api/login', { body: TOKEN, headers: { 'content-type': 'text/plain' } })).status).toBe(
      415,
    );
  });

  it('keeps the newest 1,000 sessions', async () => {
    const test = await open({ token: TOKEN });
    const first = await test.visit(TOKEN);
    const second = await test.visit(TOKEN);
    for (let count = 0; count < 999; count++) {
      await clock.advance(2_000);
      await test.post('/api/login', { token: TOKEN });
    }
    expect((await test.send('/api/settings', { headers: first.headers })).status).toBe(401);
    expect((await test.send('/api/settings', { headers: second.headers })).status).toBe(200);
  });
});

describe('a dashboard with a token for decisions', () => {
  it('lets the holder of the other token read, and say why decisions wait', async () => {
    const test = await open({ token: TOKEN, decisionToken: DECISION_TOKEN });
    const reader = await test.visit(TOKEN);
    expect(reader.status.decisions).toEqual({
      allowed: false,
      action: 'login',
      reason: 'decisions need a sign-in: enter the token for decisions (decisionToken of this server)',
    });
    const [fix] = loop.fixes();
    const decision = { verb: 'approve', fixId: fix?.id, by: 'ada' };
    const asked = (visit: typeof reader) =>
      test.post('/api/decisions', decision, { ...visit.headers, 'x-rsi-csrf': visit.status.csrf });
    expect((await asked(reader)).json).toMatchObject({ status: 401, action: 'login' });
    expect(loop.fixes()[0]?.status).toBe('proposed');
    const person = await test.visit(DECISION_TOKEN);
    expect(person.status.decisions).toEqual({ allowed: true });
    // The token of one session is not valid in another.
    const mixed = { ...person.headers, 'x-rsi-csrf': reader.status.csrf };
    expect((await test.post('/api/decisions', decision, mixed)).status).toBe(403);
    expect((await asked(person)).status).toBe(200);
  });
});

describe('a dashboard without tokens', () => {
  it('shows everything on its own machine, and decides only after its link was opened', async () => {
    const test = await open();
    const anonymous = (await test.send('/api/status')).json;
    expect(anonymous).toMatchObject({ signedIn: false, decisions: { allowed: false, action: 'login' } });
    // This program prints nothing: the sentence names where the link is.
    expect(anonymous.decisions).toMatchObject({
      reason: 'decisions need a sign-in: open dashboard.openPath of this server, or set its decisionToken',
    });
    const [fix] = loop.fixes();
    const decision = { verb: 'approve', fixId: fix?.id, by: 'mallory' };
    const csrf = { 'x-rsi-csrf': String(anonymous.csrf) };
    expect((await test.post('/api/decisions', decision, csrf)).status).toBe(401);
    const { signedIn, status } = await test.visit();
    expect([signedIn.status, signedIn.headers.location]).toEqual([303, '/']);
    expect(status.decisions).toEqual({ allowed: true });
  });

  it('does not answer on an address that others can reach', async () => {
    const test = await open({ host: '0.0.0.0' });
    expect((await test.send('/api/overview')).status).toBe(200);
    const { networkInterfaces } = await import('node:os');
    const other = Object.values(networkInterfaces())
      .flatMap((each) => each ?? [])
      .find(({ family, internal }) => family === 'IPv4' && !internal);
    if (other === undefined) return;
    const answer = await fetch(`http://${other.address}:${test.port}/api/overview`);
    expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('neither token nor secret')]);
  });
});
