import { resolve } from 'node:path';
import { fastify } from 'fastify';
import { RSILoop } from 'rsi-loop';
import { loopRoutes } from 'rsi-loop/sources/fastify';
import { type LoopRoutesOptions, type LoopServer, serve } from 'rsi-loop/sources/http';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buildDashboard } from '../../../../scripts/build-dashboard.js';
import { recordWeek } from './dashboard-fixture.js';

const TOKEN = 'a-token-of-many-characters';

let loop: RSILoop;
let server: LoopServer | undefined;

// Where the package has it.
beforeAll(() => buildDashboard(resolve(import.meta.dirname, '../../../../dist/dashboard')));

afterEach(async () => {
  await server?.close();
  await loop.close();
});

async function open(options: Partial<Parameters<typeof serve>[0]> = {}): Promise<string> {
  loop = new RSILoop({ autoFix: false });
  recordWeek(loop);
  await loop.runCycle();
  server = await serve({ loop, port: 0, dashboard: true, ...options });
  return server.url;
}

async function signedIn(url: string, token: string): Promise<Record<string, string>> {
  const headers = { 'content-type': 'application/json' };
  const login = await fetch(`${url}/dashboard/api/login`, { method: 'POST', headers, body: JSON.stringify({ token }) });
  expect(login.status).toBe(204);
  const cookie = (login.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const { csrf } = await (await fetch(`${url}/dashboard/api/status`, { headers: { cookie } })).json();
  return { ...headers, cookie, 'x-rsi-csrf': csrf };
}

describe('the dashboard in a fastify server', () => {
  it('serves its page and its files under /dashboard/, beside the routes of the loop', async () => {
    const url = await open();
    const page = await fetch(`${url}/dashboard/`);
    expect(await page.text()).toContain('<base href="/dashboard/">');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect((await fetch(`${url}/dashboard`)).url).toBe(`${url}/dashboard/`);
    for (const name of ['dashboard.js', 'dashboard.css']) {
      expect((await fetch(`${url}/dashboard/${name}`)).headers.get('content-type')).toMatch(/javascript|css/);
    }
    expect(await (await fetch(`${url}/dashboard/api/patterns`)).json()).toMatchObject({ patterns: [{ count: 30 }] });
    expect((await fetch(`${url}/health`)).status).toBe(200);
    expect((await fetch(`${url}/elsewhere`)).status).toBe(404);
  });

  it('takes decisions with the token of the server for decisions', async () => {
    const url = await open();
    const [fix] = loop.fixes();
    const decide = (headers: Record<string, string>) =>
      fetch(`${url}/dashboard/api/decisions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ verb: 'approve', fixId: fix?.id, by: 'ada' }),
      });
    const { csrf } = await (await fetch(`${url}/dashboard/api/status`)).json();
    expect((await decide({ 'x-rsi-csrf': csrf })).status).toBe(401);
    expect(loop.fixes()[0]?.status).toBe('proposed');
    const headers = await signedIn(url, server?.decisionToken ?? '');
    expect(await (await decide(headers)).json()).toMatchObject({ fix: { status: 'approved' } });
  });

  it.each<[string, Partial<LoopRoutesOptions>]>([
    ['no credentials', {}],
    ['an hmacSecret only', { hmacSecret: TOKEN }],
  ])('names the option to set if the plugin has %s, because no token for decisions is shown', async (_, options) => {
    loop = new RSILoop({ autoFix: false });
    const problems: string[] = [];
    loop.on('problem', ({ message }) => problems.push(message));
    const app = fastify();
    await app.register(loopRoutes, { loop, dashboard: true, ...options });
    try {
      const reason =
        'the dashboard accepts no decisions: give the server a decisionToken (RSI_DECISION_TOKEN for rsi serve)';
      expect(problems).toEqual([reason]);
      const url = await app.listen({ port: 0, host: '127.0.0.1' });
      const status = await (await fetch(`${url}/dashboard/api/status`)).json();
      expect(status.decisions.reason).toContain('set its decisionToken');
      expect(status.problems).toMatchObject([{ message: reason }]);
    } finally {
      await app.close();
    }
  });

  it('asks for the token of the server to read, and not for the bearer of its routes', async () => {
    const url = await open({ token: TOKEN });
    expect((await fetch(`${url}/dashboard/`)).status).toBe(200);
    expect((await fetch(`${url}/dashboard/api/overview`)).status).toBe(401);
    const { cookie = '' } = await signedIn(url, TOKEN);
    expect((await fetch(`${url}/dashboard/api/overview`, { headers: { cookie } })).status).toBe(200);
    // The cookie is for the dashboard alone.
    expect((await fetch(`${url}/health`, { headers: { cookie } })).status).toBe(401);
  });

  it('is not there unless it is asked for', async () => {
    const url = await open({ dashboard: false });
    expect((await fetch(`${url}/dashboard/`)).status).toBe(404);
  });

  it('closes with its server while pages follow events', async () => {
    const url = await open();
    const stream = await fetch(`${url}/dashboard/api/events`);
    const ended = stream.text();
    await server?.close();
    expect(await ended).toContain('retry:');
  });
});
