import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { LoopError, RSILoop } from 'rsi-loop';
import { sendOtlp, toOtlp } from 'rsi-loop/clients/otlp';
import { outcomesOfTraces } from 'rsi-loop/sources/import';
import { afterEach, describe, expect, it } from 'vitest';
import { recorded } from './differential.js';

let close = async () => {};
afterEach(() => close());

/** A collector on loopback. */
async function startCollector(status = 200) {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    bodies.push(body);
    response.writeHead(status).end(status === 200 ? '{}' : 'no such path; token sk-abcdefghijklmnopqrstuvwxyz123456');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  close = () => new Promise((resolve) => server.close(() => resolve()));
  const { port } = server.address() as AddressInfo; // it listens on a port
  return { url: `http://127.0.0.1:${port}/v1/traces`, bodies };
}

async function worked(count = 1): Promise<RSILoop> {
  const loop = new RSILoop();
  for (let turn = 0; turn < count; turn++) {
    const task = loop.begin('answer', { session: 's-1' });
    const fields = { parent: task.id, session: 's-1' };
    loop.observer.recordSimple('model_call', {
      ...fields,
      success: true,
      model: 'm-1',
      tokens: { input: 11, output: 7 },
    });
    loop.observer.recordSimple('search', {
      ...fields,
      success: false,
      tool: 'search',
      error: '503 Service Unavailable',
    });
    task.end({ success: true, durationMs: 12 });
  }
  return loop;
}

describe('OTLP', () => {
  it('says in spans what outcomes say, so that an importer reads the same', async () => {
    const loop = await worked();
    const outcomes = await recorded(loop);
    const request = toOtlp(outcomes, { service: 'bot' });
    const { outcomes: again, skipped } = outcomesOfTraces(JSON.stringify(request), { atMs: 0 });
    expect(skipped).toEqual([]);
    const main = outcomes.map(({ task, success, model, tool, tokens, session, issues }) => {
      return { task, success, model, tool, tokens, session, issues };
    });
    expect(again).toMatchObject(JSON.parse(JSON.stringify(main)));
    expect([again[0]?.parent, again[1]?.parent]).toEqual([again[2]?.id, again[2]?.id]);
    expect(again[2]?.durationMs).toBeCloseTo(12, -1);
    // Nanoseconds are beyond what a number holds exactly.
    expect(Math.abs((again[2]?.atMs ?? 0) - (outcomes[2]?.atMs ?? 0))).toBeLessThanOrEqual(1);
    expect(toOtlp(outcomes, { service: 'bot' })).toEqual(request);
    await loop.close();
  });

  it('sends everything in lots, with the ids of whole traces', async () => {
    const { url, bodies } = await startCollector();
    const loop = await worked(400);
    expect(await sendOtlp(loop, { url })).toBe(1_200);
    expect(bodies).toHaveLength(2);
    const spans = bodies.flatMap((body) => JSON.parse(body).resourceSpans[0].scopeSpans[0].spans);
    expect(new Set(spans.map(({ spanId }: { spanId: string }) => spanId)).size).toBe(1_200);
    expect(new Set(spans.map(({ traceId }: { traceId: string }) => traceId)).size).toBe(400);
    for (const { traceId, spanId } of spans) expect([traceId, spanId].join(' ')).toMatch(/^[0-9a-f]{32} [0-9a-f]{16}$/);
    expect(await sendOtlp(loop, { url, sinceMs: Date.now() + 60_000 })).toBe(0);
    await loop.close();
  });

  it('says who did not take it, and no secret', async () => {
    const { url } = await startCollector(404);
    const loop = await worked();
    const error = await sendOtlp(loop, { url }).catch((thrown) => thrown);
    expect(LoopError.is(error)).toBe(true);
    expect(error.message).toMatch(/^127\.0\.0\.1:\d+ answered 404 no such path; token \[redacted/);
    await loop.close();
  });
});
