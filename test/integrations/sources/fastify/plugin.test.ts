import fastify from 'fastify';
import { RSILoop } from 'rsi-loop';
import { loopRoutes } from 'rsi-loop/sources/fastify';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { TestServer } from '../http/server.js';

const GOOD = { task: 'api_call', success: true };

let server: TestServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

describe('loopRoutes in a server of the host', () => {
  it('lies under a prefix, and leaves the routes, parsers and errors of the host alone', async () => {
    server = new TestServer();
    const app = fastify();
    app.post('/own', async (request) => ({ got: request.body }));
    await app.register(loopRoutes, { loop: server.loop, prefix: '/rsi' });
    const plain = await app.inject({
      method: 'POST',
      url: '/own',
      payload: 'hello',
      headers: { 'content-type': 'text/plain' },
    });
    expect(plain.json()).toEqual({ got: 'hello' });
    const headers = { host: 'localhost', 'content-type': 'application/json' };
    const taken = await app.inject({ method: 'POST', url: '/rsi/observe', payload: GOOD, headers });
    expect(taken.statusCode).toBe(201);
    const foreign = await app.inject({ url: '/rsi/health', headers: { host: 'evil.example' } });
    expect([foreign.statusCode, foreign.json().field]).toEqual([403, 'host']);
    const bad = await app.inject({
      method: 'POST',
      url: '/own',
      payload: '{',
      headers: { 'content-type': 'application/json' },
    });
    expect(bad.headers['content-type']).toContain('application/json');
    await app.close();
  });

  it('tells the loop when it listens for others without credentials, and refuses them', async () => {
    server = new TestServer();
    const app = fastify();
    await app.register(loopRoutes, { loop: server.loop });
    await app.listen({ port: 0, host: '0.0.0.0' });
    expect(server.problems.join()).toContain('without credentials');
    await app.close();
  });

  it('works in an application that validates with another library', async () => {
    const loop = new RSILoop();
    const app = fastify();
    onTestFinished(async () => {
      await app.close();
      await loop.close();
    });
    app.setValidatorCompiler(() => () => ({ error: new Error('no schema of mine') }));
    app.setSerializerCompiler(() => () => 'no answer of mine');
    await app.register(loopRoutes, { loop });

    const answer = await app.inject({ method: 'POST', url: '/tasks', payload: { task: 'send_invoice' } });
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toMatchObject({ task: 'send_invoice' });
  });
});
