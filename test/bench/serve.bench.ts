/**
 * Requests per second of `POST /observe` beside a bare fastify route with the same schemas that answers 201, in one run;
 * and outcomes per second of a stream of lines. Ratios are what counts; the machine's own speed drops out.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import autocannon from 'autocannon';
import { ServerChild } from '../integrations/sources/fastify/server-child.js';

const ROUNDS = 5;
const SECONDS = 3;
const CONNECTIONS = 100;
const LINES = 500_000;
const folder = mkdtempSync(join(tmpdir(), 'rsi-bench-serve-'));
const body = JSON.stringify({ task: 'api_call', success: true, model: 'sonnet', durationMs: 812, session: 's-42' });

try {
  await compareRequests();
  for (const kind of ['memory', join(folder, 'lines')]) await measureLines(kind);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function compareRequests(): Promise<void> {
  const kinds = { bare: 'bare', memory: 'memory', file: join(folder, 'requests') };
  const best: Record<string, number> = {};
  const leastUs: Record<string, number> = {};
  const servers = await Promise.all(Object.values(kinds).map((kind) => ServerChild.start(kind)));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, name] of Object.keys(kinds).entries()) {
      const server = servers[index];
      if (server === undefined) continue;
      const cpuUs = (await server.state()).cpuUs;
      const { requests, latency, non2xx, errors } = await autocannon({
        url: `${server.url}/observe`,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        connections: CONNECTIONS,
        duration: SECONDS,
      });
      const usedUs = ((await server.state()).cpuUs - cpuUs) / (requests.average * SECONDS);
      best[name] = Math.max(best[name] ?? 0, requests.average);
      leastUs[name] = Math.min(leastUs[name] ?? Number.POSITIVE_INFINITY, usedUs);
      console.log(
        `${name.padEnd(7)} ${requests.average.toFixed(0).padStart(7)} requests/s, ${usedUs.toFixed(1)} us of processor each, ` +
          `p50 ${latency.p50} ms, p99 ${latency.p99} ms, ${non2xx + errors} failed`,
      );
    }
  }
  await Promise.all(servers.map((server) => server.stop()));
  for (const name of ['memory', 'file']) {
    const rate = (best[name] ?? Number.NaN) / (best.bare ?? Number.NaN);
    const time = (leastUs.bare ?? Number.NaN) / (leastUs[name] ?? Number.NaN);
    console.log(
      `${name}: ${rate.toFixed(2)}x the requests/s of bare, ${time.toFixed(2)}x by processor time; best rounds`,
    );
  }
}

async function measureLines(kind: string): Promise<void> {
  const server = await ServerChild.start(kind);
  const chunks = chunksOf(LINES);
  for (let round = 0; round < ROUNDS; round++) {
    const cpuUs = (await server.state()).cpuUs;
    const started = performance.now();
    const answer = await post(`${server.url}/observe`, chunks);
    const seconds = (performance.now() - started) / 1_000;
    const { accepted } = JSON.parse(answer);
    const usedUs = ((await server.state()).cpuUs - cpuUs) / accepted;
    console.log(
      `lines to ${kind === 'memory' ? 'memory' : 'files '}: ${(accepted / seconds).toFixed(0).padStart(7)} outcomes/s, safe and answered, ` +
        `${usedUs.toFixed(2)} us of processor each`,
    );
  }
  await server.stop();
}

/** One in ten failed, as agents do. */
function chunksOf(count: number): Buffer[] {
  const chunks: Buffer[] = [];
  let text = '';
  for (let index = 0; index < count; index++) {
    const outcome = {
      task: 'api_call',
      success: true,
      model: 'sonnet',
      durationMs: 800 + (index % 100),
      session: `s-${index % 50}`,
    };
    const failed = { ...outcome, success: false, error: `connect ECONNREFUSED 10.0.0.${index % 200}:8000` };
    text += `${JSON.stringify(index % 10 === 0 ? failed : outcome)}\n`;
    if (text.length < 65_536 && index < count - 1) continue;
    chunks.push(Buffer.from(text));
    text = '';
  }
  return chunks;
}

async function post(url: string, chunks: readonly Buffer[]): Promise<string> {
  const sending = request(url, { method: 'POST', headers: { 'content-type': 'application/x-ndjson' } });
  const answered = new Promise<string>((resolve, reject) => {
    sending.on('error', reject).on('response', async (response) => {
      let text = '';
      for await (const chunk of response.setEncoding('utf8')) text += chunk;
      resolve(text);
    });
  });
  await pipeline(Readable.from(chunks), sending);
  return answered;
}
