/**
 * Requests per second of `POST /observe` beside a bare fastify route with the same schemas that answers 201, in one run;
 * and outcomes per second of a stream of lines. Ratios are what counts; the machine's own speed drops out.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import autocannon from 'autocannon';
import { bundleProcess } from '../bundle-process.js';
import { SERVE_PROCESS, ServerChild } from '../integrations/sources/http/server-child.js';

const ROUNDS = 7;
const SECONDS = 3;
const CONNECTIONS = 100;
const LINES = 500_000;
mkdirSync('.tmp', { recursive: true });
const folder = mkdtempSync(resolve('.tmp', 'bench-serve-')); // fastify is found from here
const program = await bundleProcess(SERVE_PROCESS, folder, { external: ['fastify'] });
const body = JSON.stringify({ task: 'api_call', success: true, model: 'sonnet', durationMs: 812, session: 's-42' });

try {
  await compareRequests();
  for (const kind of ['memory', join(folder, 'lines')]) await measureLines(kind);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function compareRequests(): Promise<void> {
  const bare = await ServerChild.startBundled(program, 'bare');
  const ours = {
    memory: await ServerChild.startBundled(program, 'memory'),
    file: await ServerChild.startBundled(program, join(folder, 'requests')),
  };
  const ratios = { memory: [] as Ratio[], file: [] as Ratio[] };
  for (let round = 0; round < ROUNDS; round++) {
    const beside = await load('bare', bare);
    for (const [name, server] of Object.entries(ours)) {
      const { rate, cpuUs } = await load(name, server);
      ratios[name as keyof typeof ours].push({ rate: rate / beside.rate, time: beside.cpuUs / cpuUs });
    }
  }
  await Promise.all([bare, ours.memory, ours.file].map((server) => server.stop()));
  for (const [name, all] of Object.entries(ratios)) {
    const [rate, time] = [median(all.map((one) => one.rate)), median(all.map((one) => one.time))];
    console.log(
      `${name}: ${rate.toFixed(2)}x the requests/s of bare in the same round, ${time.toFixed(2)}x by processor time; median of ${ROUNDS} rounds`,
    );
  }
}

/** How a server does beside the bare one. */
interface Ratio {
  readonly rate: number;
  readonly time: number;
}

/** Requests per second, and processor time of each in microseconds. */
async function load(name: string, server: ServerChild): Promise<{ readonly rate: number; readonly cpuUs: number }> {
  const before = (await server.state()).cpuUs;
  const { requests, latency, non2xx, errors } = await autocannon({
    url: `${server.url}/observe`,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    connections: CONNECTIONS,
    duration: SECONDS,
  });
  const cpuUs = ((await server.state()).cpuUs - before) / (requests.average * SECONDS);
  console.log(
    `${name.padEnd(7)} ${requests.average.toFixed(0).padStart(7)} requests/s, ${cpuUs.toFixed(1)} us of processor each, ` +
      `p50 ${latency.p50} ms, p99 ${latency.p99} ms, ${non2xx + errors} failed`,
  );
  return { rate: requests.average, cpuUs };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

async function measureLines(kind: string): Promise<void> {
  const server = await ServerChild.startBundled(program, kind);
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
