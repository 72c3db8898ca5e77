import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RSILoop, reportProblem } from 'rsi-loop';
import { type WebhookBody, type WebhookOptions, webhookNotifier } from 'rsi-loop/services/webhook';
import { ManualClock } from 'rsi-loop/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { runNode } from '../../run-node.js';

interface Call {
  readonly headers: IncomingMessage['headers'];
  readonly body: WebhookBody;
}

let server: Server | undefined;

/** A real server on the loopback that notes what it is sent. */
async function listen(answer: (call: number, response: ServerResponse) => void = (_, response) => response.end('ok')) {
  const calls: Call[] = [];
  const waiting: (() => void)[] = [];
  server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    request.on('end', () => {
      calls.push({ headers: request.headers, body: JSON.parse(text) });
      answer(calls.length, response);
      for (const tell of waiting.splice(0)) tell();
    });
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // a TCP server has one
  return {
    url: `http://127.0.0.1:${port}/hook/geheim`,
    calls,
    /** Resolves when so many bodies came, letting time pass on the clock meanwhile. */
    async until(count: number, clock: ManualClock): Promise<void> {
      while (calls.length < count) {
        await clock.advance(1_000);
        await Promise.race([new Promise<void>((resolve) => waiting.push(resolve)), turn()]);
      }
    },
  };
}

/** Lets the sockets of both sides have their turn. */
const turn = () => new Promise<void>((resolve) => setTimeout(resolve, 1));

afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
  server = undefined;
});

function loopWith(options: Omit<WebhookOptions, 'clock'>) {
  const clock = new ManualClock();
  const loop = new RSILoop({ clock });
  const problems: string[] = [];
  loop.on('problem', ({ where, message }) => problems.push(`${where}: ${message}`));
  const stop = webhookNotifier(loop, { ...options, clock });
  return { clock, loop, problems, stop };
}

describe('webhookNotifier', () => {
  it('posts what happened as JSON, in words and one by one', async () => {
    const { url, calls, until } = await listen();
    const { clock, loop, problems, stop } = loopWith({ url, headers: { authorization: 'Bearer abc' } });
    for (let call = 0; call < 40; call++) {
      loop.observer.recordSimple('api_call', call % 2 ? { success: true } : { success: false, error: 'ECONNRESET' });
    }
    await loop.runCycle();
    await until(1, clock);
    const [call] = calls;
    expect(call?.headers).toMatchObject({ authorization: 'Bearer abc', 'content-type': 'application/json' });
    const proposed = call?.body.notices.find(({ kind }) => kind === 'fix-proposed');
    expect(proposed?.text).toMatch(/^proposed retries\.network for api_call: /);
    expect(proposed?.fixId).toBe(loop.fixes()[0]?.id);
    expect(call?.body.text.split('\n')).toContain(proposed?.text);
    await stop();
    await loop.close();
    expect(problems).toEqual([]);
  });

  it('sends one body per interval, with what came meanwhile; beyond 50 notices kinds are counted', async () => {
    const { url, calls, until } = await listen();
    const { clock, loop, stop } = loopWith({ url, events: ['problem'], everyMs: 60_000 });
    reportProblem(loop, 'test', 'first');
    await until(1, clock);
    for (let count = 0; count < 70; count++) reportProblem(loop, 'test', `number ${count}`);
    const since = clock.monotonic();
    await until(2, clock);
    expect(clock.monotonic() - since).toBeGreaterThan(55_000);
    expect(calls.map(({ body }) => body.notices.length)).toEqual([1, 50]);
    expect(calls[1]?.body.left).toEqual({ problem: 20 });
    expect(calls[1]?.body.text).toContain('and 20 more of problem');
    await stop();
    await loop.close();
  });

  it('tries again twice when the other side is not well, and tells what it could not send in the next body', async () => {
    const { url, calls, until } = await listen((call, response) => {
      response.statusCode = call <= 3 ? 503 : 200;
      response.end();
    });
    const { clock, loop, problems, stop } = loopWith({ url, events: ['problem'] });
    reportProblem(loop, 'test', 'one');
    await until(3, clock);
    while (problems.length < 2) {
      await clock.advance(0);
      await turn();
    }
    expect(problems[1]).toBe(`webhook: ${new URL(url).host}: 1 notices were not sent: it answered 503`);
    reportProblem(loop, 'test', 'two');
    await until(4, clock);
    expect(calls[3]?.body).toMatchObject({ notices: [{ text: 'problem (test): two' }], left: { problem: 1 } });
    await stop();
    await loop.close();
  });

  it('does not try again what was refused, and follows no redirect', async () => {
    const { url, calls } = await listen((_, response) => {
      response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end();
    });
    const { loop, problems, stop } = loopWith({ url, events: ['burst', 'problem'] });
    reportProblem(loop, 'test', 'one');
    await stop();
    expect(calls).toHaveLength(1);
    expect(problems.at(-1)).toMatch(/^webhook: 127\.0\.0\.1:\d+: 1 notices were not sent: it answered 302$/);
    await loop.close();
  });

  it('gives up waiting for an answer, and tells neither the address nor secrets', async () => {
    const { url, calls, until } = await listen(() => {});
    const { clock, loop, problems, stop } = loopWith({ url, events: ['problem'], timeoutMs: 5_000 });
    reportProblem(loop, 'test', 'password=hunter2hunter2');
    await until(3, clock);
    expect(JSON.stringify(calls)).not.toContain('hunter2');
    while (problems.length < 2) {
      await clock.advance(1_000);
      await turn();
    }
    expect(problems[1]).toContain('no answer within 5000 ms');
    expect(problems[1]).not.toContain('geheim');
    await stop();
    await loop.close();
  });

  it('survives a fetch that throws at once, and refuses addresses and times that cannot be', async () => {
    const { loop, problems, stop } = loopWith({
      url: 'http://127.0.0.1:9/geheim',
      events: ['problem'],
      fetch: () => {
        throw new Error('cannot reach http://127.0.0.1:9/geheim');
      },
    });
    reportProblem(loop, 'test', 'one');
    await stop();
    expect(problems[1]).toBe('webhook: 127.0.0.1:9: 1 notices were not sent: cannot reach 127.0.0.1:9');
    const headers = { 'x-key': 'planted\nzebra' };
    expect(() => webhookNotifier(loop, { url: 'http://x.example', headers })).toThrow(/^a header (?!.*zebra)/);
    for (const url of ['', 'ftp://x.example', 'http://user:word@x.example']) {
      expect(() => webhookNotifier(loop, { url })).toThrow('url of the webhook');
    }
    expect(() => webhookNotifier(loop, { url: 'http://x.example', everyMs: Number.NaN })).toThrow('everyMs');
    await loop.close();
  });

  it('never keeps the process alive for what waits', async () => {
    const program = [
      `import { RSILoop, reportProblem } from 'rsi-loop';`,
      `import { webhookNotifier } from 'rsi-loop/services/webhook';`,
      `const loop = new RSILoop();`,
      `webhookNotifier(loop, { url: 'http://127.0.0.1:9/', events: ['problem'], everyMs: 600_000 });`,
      `reportProblem(loop, 'test', 'one');`,
      `console.log('end');`,
    ].join('\n');
    const root = `${import.meta.dirname}/../../..`;
    const { code, stdout } = await runNode(
      ['--import', import.meta.resolve('tsx'), '--input-type=module', '--eval', program],
      { cwd: root, env: { TSX_TSCONFIG_PATH: `${root}/tsconfig.json` } },
    );
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'end\n' });
  });
});
