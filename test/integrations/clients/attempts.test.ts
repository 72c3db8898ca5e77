import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { exportOutcomes, type Outcome, RSILoop, startCall } from 'rsi-loop';
import { anthropicMiddleware } from 'rsi-loop/clients/anthropic';
import { captureFetch } from 'rsi-loop/clients/fetch';
import { ManualClock } from 'rsi-loop/testing';
import { describe, expect, it } from 'vitest';
import { Attempts } from '../../../integrations/clients/attempts.js';

const CALLS = 60;

/** A model server that refuses 27 of 87 requests (31 %), no call more than twice. */
async function startServer() {
  const refused = new Map<string, number>();
  let requests = 0;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    requests++;
    const number = Number(/call (\d+)/.exec(body)?.[1]);
    const wanted = number % 4 === 0 ? (number % 8 === 0 ? 2 : 1) : number % 10 === 1 ? 1 : 0;
    const before = refused.get(String(number)) ?? 0;
    if (before < wanted) {
      refused.set(String(number), before + 1);
      response.writeHead(503, { 'content-type': 'application/json', 'retry-after-ms': '1' });
      response.end('{"error": {"message": "overloaded"}}');
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({
        ...{ id: '1', object: 'chat.completion', type: 'message', role: 'assistant', model: 'm' },
        content: [{ type: 'text', text: 'yes' }],
        ...{ stop_reason: 'end_turn', usage: { input_tokens: 1, output_tokens: 1 } },
        choices: [{ index: 0, message: { role: 'assistant', content: 'yes' }, finish_reason: 'stop' }],
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    url: `http://127.0.0.1:${port}`,
    requests: () => requests,
    refused: () => [...refused.values()].reduce((sum, count) => sum + count, 0),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function recorded(loop: RSILoop): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for await (const outcome of exportOutcomes(loop)) outcomes.push(outcome);
  return outcomes;
}

type Ask = (loop: RSILoop, url: string, content: string) => Promise<unknown>;

const messages = (content: string) => [{ role: 'user' as const, content }];
const ASKS: Readonly<Record<string, Ask>> = {
  'openai through captureFetch': (loop, url, content) =>
    new OpenAI({ apiKey: 'none', baseURL: `${url}/v1`, fetch: captured(loop) }).chat.completions.create({
      model: 'm',
      messages: messages(content),
    }),
  'anthropic through captureFetch': (loop, url, content) =>
    new Anthropic({ apiKey: 'none', baseURL: url, fetch: captured(loop) }).messages.create({
      ...{ model: 'm', max_tokens: 9, messages: messages(content) },
    }),
  'anthropic through its middleware': (loop, url, content) =>
    new Anthropic({ apiKey: 'none', baseURL: url, middleware: [middleware(loop)] }).messages.create({
      ...{ model: 'm', max_tokens: 9, messages: messages(content) },
    }),
};

const fetches = new WeakMap<RSILoop, typeof fetch>();
const middlewares = new WeakMap<RSILoop, ReturnType<typeof anthropicMiddleware>>();

function captured(loop: RSILoop): typeof fetch {
  const known = fetches.get(loop) ?? captureFetch(loop);
  fetches.set(loop, known);
  return known;
}

function middleware(loop: RSILoop): ReturnType<typeof anthropicMiddleware> {
  const known = middlewares.get(loop) ?? anthropicMiddleware(loop);
  middlewares.set(loop, known);
  return known;
}

describe('calls under the retries of an SDK', () => {
  it.each(Object.entries(ASKS))('%s: 0 of 60 calls failed for their caller, and 0 are recorded', async (_, ask) => {
    const server = await startServer();
    const loop = new RSILoop();
    const calls = Array.from({ length: CALLS }, (_, number) => ask(loop, server.url, `call ${number}.`));
    await Promise.all(calls); // none throws
    await loop.close();
    const outcomes = await recorded(loop);
    const attempts = outcomes.reduce((sum, each) => sum + (each.attempts?.length ?? 1), 0);
    const failed = outcomes.flatMap((each) => (each.attempts ?? []).filter(({ success }) => !success));
    expect(server.refused() / server.requests()).toBeCloseTo(0.31, 1);
    expect(outcomes.length).toBe(CALLS);
    expect(outcomes.filter(({ success }) => !success)).toEqual([]);
    expect([attempts, failed.length]).toEqual([server.requests(), server.refused()]);
    await server.close();
  });
});

describe('an attempt that fails', () => {
  const start = () => {
    const clock = new ManualClock();
    const loop = new RSILoop({ clock });
    const attempts = new Attempts<string>(clock, () => 500);
    const call = () => startCall(loop, { task: 'model_call' }) as NonNullable<ReturnType<typeof startCall>>; // nothing suppresses it
    const error = { name: 'Error', message: 'connect ECONNREFUSED 127.0.0.1:9' };
    return { clock, loop, attempts, call, failure: { success: false, error } };
  };

  it('counts as a failed call once the SDK has had time to repeat it, at the time it failed', async () => {
    const { clock, loop, attempts, call, failure } = start();
    attempts.begin(() => 'a', 0).failed(call(), failure);
    const failedMs = clock.now();
    await clock.advance(1_000);
    expect(await recorded(loop)).toEqual([]);
    await clock.advance(5_000);
    expect(await recorded(loop)).toMatchObject([
      { success: false, issues: ['network'], atMs: failedMs, durationMs: 0 },
    ]);
    attempts.begin(() => 'a', 1).end(call(), { success: true }); // later than an SDK would
    expect(await recorded(loop)).toHaveLength(2);
    await loop.close();
  });

  it('is recorded when the loop is closed before', async () => {
    const { loop, attempts, call, failure } = start();
    attempts.begin(() => 'a', 0).failed(call(), failure);
    await loop.close();
    expect(await recorded(loop)).toMatchObject([{ success: false, issues: ['network'] }]);
  });

  it('is recorded immediately if it was the last retry that SDKs usually make', async () => {
    const { loop, attempts, call, failure } = start();
    for (const retries of [0, 1, 2]) attempts.begin(() => 'a', retries).failed(call(), failure);
    const outcomes = await recorded(loop);
    expect(outcomes.map((each) => each.attempts?.length)).toEqual([3]);
    await loop.close();
  });

  it('is recorded immediately while a thousand others wait', async () => {
    const { loop, attempts, call, failure } = start();
    for (let each = 0; each < 1_002; each++) attempts.begin(() => `${each}`, 0).failed(call(), failure);
    expect(await recorded(loop)).toHaveLength(2);
    attempts.begin(() => '7', 1).end(call(), { success: true });
    attempts.begin(() => 'late', 0).failed(call(), failure);
    expect(await recorded(loop)).toHaveLength(3);
    await loop.close();
    expect(await recorded(loop)).toHaveLength(1_003);
  });

  it('costs no key if the first one succeeds', async () => {
    const { loop, attempts, call, failure } = start();
    attempts.begin(() => 'other', 0).failed(call(), failure);
    const key = () => {
      throw new Error('computed');
    };
    attempts.begin(key, 0).end(call(), { success: true });
    expect(await recorded(loop)).toHaveLength(1);
    await loop.close();
  });

  it('keeps calls with the same request apart', async () => {
    const { clock, loop, attempts, call, failure } = start();
    for (let each = 0; each < 2; each++) attempts.begin(() => 'a', 0).failed(call(), failure);
    await clock.advance(400);
    attempts.begin(() => 'a', 1).end(call(), { success: true });
    await clock.advance(10_000);
    const outcomes = await recorded(loop);
    expect(outcomes.map(({ success, durationMs }) => [success, durationMs])).toEqual([
      [true, 400],
      [false, 0],
    ]);
    expect(outcomes[0]?.attempts).toMatchObject([{ delayMs: 0 }, { delayMs: 400 }]);
    await loop.close();
  });
});
