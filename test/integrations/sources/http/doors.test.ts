import { createHmac } from 'node:crypto';
import { connect } from 'node:net';
import { LoopError } from 'rsi-loop';
import { type ServeOptions, serve } from 'rsi-loop/sources/http';
import { ManualClock } from 'rsi-loop/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { senderOf } from '../../../../integrations/http/rate-limit.js';
import { TestServer } from './server.js';

const GOOD = { task: 'api_call', success: true };
const TOKEN = 'a-token-of-many-characters';
const SECRET = 'a-secret-of-many-characters';

let server: TestServer;
afterEach(() => server.close());

/** As a sender in any language signs. */
function signed(
  body: string | Uint8Array,
  timestamp: number,
  { secret = SECRET, target = 'POST /observe' }: { readonly secret?: string; readonly target?: string } = {},
): Record<string, string> {
  const signature = createHmac('sha256', secret).update(`${timestamp}.${target}.`).update(body).digest('hex');
  return {
    'content-type': 'application/json',
    'x-rsi-timestamp': String(timestamp),
    'x-rsi-signature': `sha256=${signature}`,
  };
}

describe('without credentials', () => {
  beforeEach(async () => {
    server = await new TestServer().open();
  });

  it.for([
    ['under a foreign name, as after DNS rebinding', { host: 'evil.example:7747' }, 'host'],
    ['under a name that only begins like its own', { host: 'localhost.evil.example' }, 'host'],
    ['from a page of another origin', { origin: 'https://evil.example' }, 'origin'],
    ['from a page without an origin', { origin: 'null' }, 'origin'],
    ['from a page on another port of this machine', { origin: 'http://127.0.0.1:1' }, 'origin'],
    ['from a page that only embeds it', { 'sec-fetch-site': 'cross-site' }, 'sec-fetch-site'],
    ['through a proxy', { 'x-forwarded-for': '203.0.113.9' }, 'x-forwarded-for'],
  ] as const)('refuses what comes %s', async ([, headers, field]) => {
    for (const reply of [await server.post('/observe', GOOD, headers), await server.send('/patterns', { headers })]) {
      expect([reply.status, reply.json.field]).toEqual([403, field]);
      expect(reply.headers['access-control-allow-origin']).toBeUndefined();
    }
    expect(server.loop.health().known).toBe(false);
  });

  it('accepts decisions only with the secret of this process, which other users of the machine do not know', async () => {
    const decide = (headers: Record<string, string>) => server.post('/fixes/f/approve', { by: 'eve' }, headers);
    expect((await decide({ authorization: '' })).status).toBe(401);
    expect((await decide({ authorization: 'Bearer another-token-of-many-signs' })).status).toBe(401);
    expect((await decide({ authorization: `Bearer ${server.decisionToken}` })).status).toBe(404);
    const first = server.decisionToken;
    await server.closeServer();
    await server.open();
    expect(server.decisionToken).not.toBe(first);
    expect(server.decisionToken).toMatch(/^[0-9a-f]{48}$/);
  });

  it('takes what its own page and programs of the machine send', async () => {
    const own = { origin: server.url, 'sec-fetch-site': 'same-origin' };
    const local = { host: `localhost:${server.port}` };
    const replies = [await server.post('/observe', GOOD, own), await server.post('/observe', GOOD, local)];
    expect(replies.map(({ status }) => status)).toEqual([201, 201]);
  });

  it('does not let a page use up what programs of the machine may send', async () => {
    await server.closeServer();
    await server.open({ limits: { requestsPerSecond: 100 }, clock: new ManualClock() });
    const headers = { origin: 'https://evil.example' };
    for (let round = 0; round < 20; round++) expect((await server.send('/health', { headers })).status).toBe(403);
    expect((await server.post('/observe', GOOD)).status).toBe(201);
  });

  it('answers no preflight, so that a page may not send JSON', async () => {
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
    const reply = await server.send('/observe', { method: 'OPTIONS', headers });
    expect([reply.status, reply.headers['access-control-allow-origin']]).toEqual([404, undefined]);
  });

  it.for(['0.0.0.0', '::', '192.0.2.1', 'example.com', '127.0.0.1.example.com'])(
    'does not start on %s',
    async (host) => {
      const error = await serve({ loop: server.loop, port: 0, host }).catch((thrown: unknown) => thrown);
      expect(LoopError.is(error) && [error.code, error.message.includes('token')]).toEqual(['invalid-input', true]);
    },
  );
});

describe('names it is given', () => {
  it('are taken as its own', async () => {
    const allowedOrigins = ['https://dashboard.example.com'];
    server = await new TestServer().open({ allowedHosts: ['RSI.internal'], allowedOrigins });
    const headers = {
      host: 'rsi.internal:80',
      origin: 'https://dashboard.example.com',
      'sec-fetch-site': 'cross-site',
    };
    expect((await server.post('/observe', GOOD, headers)).status).toBe(201);
  });
});

describe('with a token', () => {
  it('accepts each request that carries it, on any address', async () => {
    server = await new TestServer().open({ token: TOKEN, host: '0.0.0.0' });
    const headers = { authorization: `Bearer ${TOKEN}`, host: 'rsi.example.com', 'x-forwarded-for': '203.0.113.9' };
    const port = server.port;
    await server.closeServer();
    await server.open({ token: TOKEN, host: '127.0.0.1', port });
    expect((await server.post('/observe', GOOD, headers)).status).toBe(201);
  });

  it.for([
    ['nothing', {}],
    ['another token', { authorization: 'Bearer another-token-of-many-chars' }],
    ['the token with more behind it', { authorization: `Bearer ${TOKEN}x` }],
    ['another scheme', { authorization: `Basic ${TOKEN}` }],
  ] as const)('refuses %s', async ([, headers]) => {
    server = await new TestServer().open({ token: TOKEN });
    for (const reply of [await server.post('/observe', GOOD, headers), await server.send('/metrics', { headers })]) {
      expect([reply.status, reply.json.field, reply.headers['www-authenticate']]).toEqual([
        401,
        'authorization',
        'Bearer',
      ]);
    }
    expect(server.loop.health().known).toBe(false);
  });

  it('lets only the decision token decide, where there is one', async () => {
    const decisionToken = 'a-token-for-decisions-only';
    server = await new TestServer().open({ token: TOKEN, decisionToken });
    const by = (token: string) =>
      server.post('/fixes/fix-1/approve', { by: 'ada' }, { authorization: `Bearer ${token}` });
    expect([(await by(TOKEN)).status, (await by(decisionToken)).status]).toEqual([401, 404]);
  });

  it('does not let tokens be tried by the thousand', async () => {
    server = await new TestServer().open({
      token: TOKEN,
      limits: { requestsPerSecond: 100 },
      clock: new ManualClock(),
    });
    const statuses: number[] = [];
    for (let round = 0; round < 30; round++) statuses.push((await server.post('/observe', GOOD)).status);
    expect(statuses).toEqual([...Array(20).fill(401), ...Array(10).fill(429)]);
    // The same address, with the right token, is served as before.
    expect((await server.post('/observe', GOOD, { authorization: `Bearer ${TOKEN}` })).status).toBe(201);
  });

  it('slows wrong tokens down however many requests it serves in a second', async () => {
    const clock = new ManualClock();
    server = await new TestServer().open({ token: TOKEN, clock });
    let wrong = 0;
    for (let round = 0; round < 60; round++) {
      if ((await server.post('/observe', GOOD)).status === 401) wrong++;
      await clock.advance(100);
    }
    expect(wrong).toBeLessThanOrEqual(27);
  });
});

describe('with an HMAC secret', () => {
  const clock = new ManualClock();
  const body = JSON.stringify(GOOD);
  const send = (sent: string | Uint8Array, headers: Record<string, string>, path = '/observe') =>
    server.send(path, { method: 'POST', body: sent, headers });

  beforeEach(async () => {
    server = await new TestServer({ clock }).open({ hmacSecret: SECRET, clock });
    await clock.advance(2_000);
  });

  it('takes what was signed over timestamp and body as they go over the wire', async () => {
    // Written out by hand, so that it is the bytes on the wire that are signed.
    const timestamp = Math.floor(clock.now() / 1_000);
    const raw = '{ "task" : "api_call",\t"success":true }';
    const signature = createHmac('sha256', SECRET).update(`${timestamp}.POST /observe.${raw}`).digest('hex');
    const lines = [
      'POST /observe HTTP/1.1',
      `Host: 127.0.0.1:${server.port}`,
      'Content-Type: application/json',
      `Content-Length: ${raw.length}`,
      `X-RSI-Timestamp: ${timestamp}`,
      `X-RSI-Signature: sha256=${signature}`,
      'Connection: close',
    ];
    const answer = await exchange(server.port, `${lines.join('\r\n')}\r\n\r\n${raw}`);
    expect(answer).toMatch(/^HTTP\/1\.1 201 Created\r\n/);
  });

  it('takes seconds and milliseconds, requests without a body, and streams of lines', async () => {
    const nowMs = clock.now();
    expect((await send(body, signed(body, nowMs - 1))).status).toBe(201);
    const asked = await server.send('/health', { headers: signed('', nowMs, { target: 'GET /health' }) });
    expect(asked.status).toBe(200);
    const lines = `${body}\n${body}`;
    const reply = await send(lines, { ...signed(lines, nowMs), 'content-type': 'application/x-ndjson' });
    expect([reply.status, reply.json.accepted]).toEqual([201, 2]);
  });

  it('takes a signature once', async () => {
    const headers = signed(body, clock.now());
    expect((await send(body, headers)).status).toBe(201);
    const replayed = await send(body, headers);
    expect([replayed.status, replayed.json.field]).toEqual([401, 'x-rsi-signature']);
    await clock.advance(299_000);
    expect((await send(body, headers)).status).toBe(401);
    await clock.advance(2_000);
    expect((await send(body, headers)).json.detail).toContain('5 minutes');
  });

  it('takes a signature for the address it was made for, and for no other', async () => {
    const headers = signed(body, clock.now());
    expect((await send(body, headers, '/tasks')).status).toBe(401);
    expect((await send(body, headers)).status).toBe(201);
  });

  it('takes no signature again after a restart', async () => {
    const headers = signed(body, clock.now());
    expect((await send(body, headers)).status).toBe(201);
    await server.closeServer();
    await clock.advance(2_000);
    await server.open({ hmacSecret: SECRET, clock });
    const replayed = await send(body, headers);
    expect([replayed.status, replayed.json.detail]).toEqual([401, expect.stringContaining('before this server began')]);
    expect((await send(body, signed(body, clock.now()))).status).toBe(201);
  });

  it('takes a decision only if its address was signed as well: it cannot be sent to another fix', async () => {
    const consent = '{"by":"ada"}';
    const decide = (path: string, target: string) => send(consent, signed(consent, clock.now(), { target }), path);
    const forF = 'POST /fixes/f/approve';
    // There is no such fix. The server says so only to a caller with the right to know.
    expect((await decide('/fixes/f/approve', forF)).status).toBe(404);
    expect((await decide('/fixes/g/approve', forF)).status).toBe(401);
    expect((await decide('/fixes/f/rollback', forF)).status).toBe(401);
    const bare = await decide('/fixes/f/approve', 'POST /observe');
    expect([bare.status, bare.json.detail]).toEqual([
      401,
      expect.stringContaining('<timestamp>.POST /fixes/f/approve.<body>'),
    ]);
  });

  it.for([
    ['another body', () => send(`${body} `, signed(body, clock.now())), 'x-rsi-signature'],
    [
      'another secret',
      () => send(body, signed(body, clock.now(), { secret: 'another-secret-of-many' })),
      'x-rsi-signature',
    ],
    [
      'another time',
      () => send(body, { ...signed(body, clock.now()), 'x-rsi-timestamp': String(clock.now() - 1) }),
      'x-rsi-signature',
    ],
    ['a time long ago', () => send(body, signed(body, clock.now() - 301_000)), 'x-rsi-timestamp'],
    ['a time to come', () => send(body, signed(body, clock.now() + 301_000)), 'x-rsi-timestamp'],
    ['no time', () => send(body, { ...signed(body, clock.now()), 'x-rsi-timestamp': 'now' }), 'x-rsi-timestamp'],
    ['no signature', () => send(body, { 'content-type': 'application/json' }), 'x-rsi-signature'],
    [
      'half a signature',
      () => send(body, { ...signed(body, clock.now()), 'x-rsi-signature': 'sha256=abcd' }),
      'x-rsi-signature',
    ],
    [
      'a decision without one',
      () => send('{"by":"eve"}', { 'content-type': 'application/json' }, '/fixes/f/approve'),
      'x-rsi-signature',
    ],
    [
      'lines that were not signed',
      () =>
        send('{"task":"a","success":true}\n', { ...signed('x', clock.now()), 'content-type': 'application/x-ndjson' }),
      'x-rsi-signature',
    ],
    [
      'no body where one was signed',
      () => server.send('/health', { headers: signed('x', clock.now()) }),
      'x-rsi-signature',
    ],
  ] as const)('refuses %s', async ([, sending, field]) => {
    const { status, json } = await sending();
    expect([status, json.field]).toEqual([401, field]);
    expect(server.loop.health().known).toBe(false);
  });

  it('reads signed lines as a whole, up to the size of a body', async () => {
    const lines = `${body}\n`.repeat(50_000);
    const reply = await send(lines, { ...signed(lines, clock.now()), 'content-type': 'application/x-ndjson' });
    expect(reply.status).toBe(413);
    expect(server.loop.health().known).toBe(false);
  });
});

describe('the rate limit', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['::ffff:10.0.0.7', '10.0.0.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1:2:3:4%eth0', 'fe80:0:0:0::/64'],
    ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
    ['::1', '0:0:0:0::/64'],
    [undefined, 'local'],
  ])('counts requests of %s for %s', (address, sender) => {
    server = new TestServer();
    expect(senderOf(address)).toBe(sender);
  });

  it('says when to come again, and keeps to it', async () => {
    const clock = new ManualClock();
    server = await new TestServer({ clock }).open({ clock, limits: { requestsPerSecond: 2 } });
    const statuses: number[] = [];
    for (let call = 0; call < 5; call++) statuses.push((await server.post('/observe', GOOD)).status);
    expect(statuses).toEqual([201, 201, 201, 201, 429]);
    const refused = await server.post('/observe', GOOD);
    expect([refused.json.status, refused.headers['retry-after']]).toEqual([429, '1']);
    await clock.advance(1_000);
    expect((await server.post('/observe', GOOD)).status).toBe(201);
  });
});

describe('options', () => {
  it.for([
    [{ token: 'short' }, 'token is too short'],
    [{ hmacSecret: 'short' }, 'hmacSecret is too short'],
    [{ tokens: TOKEN }, 'tokens is not an option'],
    [{ limits: { bodyBytes: 0 } }, 'limits.bodyBytes is 0'],
    [{ limits: { bodies: 5 } }, 'limits.bodies is not a limit'],
    [{ allowedOrigins: ['example.com'] }, 'allowedOrigins has "example.com"'],
    [{ port: 70_000 }, 'port is 70000'],
    [{ connections: 0 }, 'connections is 0'],
  ] as const)('that cannot be used are named: %j', async ([options, message]) => {
    server = new TestServer();
    // Not every host is typed.
    const error = await serve({ loop: server.loop, port: 0, ...options } as ServeOptions).catch(
      (thrown: unknown) => thrown,
    );
    expect(LoopError.is(error) && error.code).toBe('invalid-input');
    expect(String(error)).toContain(message);
  });

  it('name the address that is taken', async () => {
    server = await new TestServer().open();
    const error = await serve({ loop: server.loop, port: server.port }).catch((thrown: unknown) => thrown);
    expect(String(error)).toContain(
      `cannot listen on 127.0.0.1:${server.port}: another program does; give another port`,
    );
  });
});

/** Writes to a socket and gives all that comes back. */
function exchange(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      answer += chunk;
    });
    socket.on('error', reject).on('close', () => resolve(answer));
  });
}
