/**
 * The page of a large store in a real browser, with the server in a process of its own: time to the first useful paint,
 * time of interactions to the next paint, delays of the server's event loop meanwhile, and memory of both after live events.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Page } from 'playwright-core';
import { FollowedFolder } from '../../integrations/cli/dashboard/followed-folder.js';
import { mountViews } from '../../integrations/dashboard/server/mount.js';
import type { DashboardEvent, ViewSource } from '../../integrations/dashboard/views.js';
import { buildDashboard } from '../../scripts/build-dashboard.js';
import { drawn, PageTests } from '../integrations/dashboard/page/browser.js';

const EVENTS = 5_000;
const LOADS = 9;
const EVENTS_AT_ONCE = 50;
const RESOLUTION_MS = 1;

/** Figures of the serving process since it was last asked. */
interface ServerFigures {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  readonly heapBytes: number;
}

type Ask = 'figures' | 'events';

/** Serves the folder with the page in `assets` to the parent process, and answers what it asks. */
export async function servePage(folder: string, assets: string): Promise<void> {
  const source: ViewSource = await FollowedFolder.open(folder);
  const handlers = new Set<(event: DashboardEvent) => void>();
  const dashboard = mountViews(
    {
      view: (name, params) => source.view(name, params),
      decide: (request) => source.decide(request),
      close: () => source.close(),
      onEvent: (handler) => {
        handlers.add(handler);
        const end = source.onEvent(handler);
        return () => {
          handlers.delete(handler);
          end();
        };
      },
    },
    { assets },
    { onProblem: console.error },
  );
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  const server = createServer((request, response) => dashboard.handle(request, response));
  process.on('message', (ask: Ask) => {
    const inMs = (ns: number) => Math.max(0, ns / 1e6 - RESOLUTION_MS);
    const figures = { p50Ms: inMs(delays.percentile(50)), p99Ms: inMs(delays.percentile(99)), maxMs: inMs(delays.max) };
    if (ask === 'events') emitEvents(handlers);
    else globalThis.gc?.();
    process.send?.({ ...figures, heapBytes: process.memoryUsage().heapUsed });
    if (ask === 'figures') setImmediate(() => delays.reset());
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
}

function emitEvents(handlers: ReadonlySet<(event: DashboardEvent) => void>): void {
  for (let times = 0; times < EVENTS_AT_ONCE; times++) {
    for (const handler of handlers) {
      handler({ kind: 'happened', atMs: Date.now(), sentence: `Event ${times}.` });
      handler({ kind: 'changed', views: ['overview', 'patterns'] });
    }
  }
}

async function ask(server: ChildProcess, what: Ask): Promise<ServerFigures> {
  const answer = once(server, 'message');
  server.send(what);
  const [figures] = await answer;
  return figures;
}

const ms = (value: number) => `${value.toFixed(0)} ms`;
const mb = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

async function report(server: ChildProcess, what: string): Promise<ServerFigures> {
  const figures = await ask(server, 'figures');
  const { p50Ms, p99Ms, maxMs } = figures;
  const delays = `p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms, longest ${ms(maxMs)}`;
  console.log(`${what}: event loop of the server waits ${delays}`);
  return figures;
}

/** Measures the page of the store in a folder. `program` runs `servePage`. */
export async function measurePage(folder: string, program: string): Promise<void> {
  const assets = mkdtempSync(join(tmpdir(), 'rsi-dashboard-bench-page-'));
  await buildDashboard(assets);
  const tests = await PageTests.start();
  const server = fork(program, ['serve', folder, assets], { execArgv: ['--expose-gc', '--import', 'tsx'] });
  try {
    const [port] = await once(server, 'message');
    const page = await tests.open('about:blank');
    // tsx names inner functions by a helper that a page does not have.
    await page.addInitScript({ content: 'globalThis.__name = (named) => named' });
    await page.addInitScript(watchPaints);
    const url = `http://127.0.0.1:${port}/`;
    const first = await paintOf(page, url);
    await report(server, `first useful paint ${ms(first)} while the store is opened`);
    await page.waitForTimeout(8_000);
    await report(server, 'newest outcomes read');
    const later: number[] = [];
    for (let times = 0; times < LOADS; times++) later.push(await paintOf(page, url));
    await report(server, `useful paint of later loads: median ${ms(median(later))}, longest ${ms(Math.max(...later))}`);
    await interact(page, url);
    await report(server, 'interactions');
    await followEvents(page, server, url);
  } finally {
    server.kill();
    await tests.close();
    rmSync(assets, { recursive: true, force: true });
  }
}

/** Notes in the page when the first patterns were painted, and how long interactions take until the next paint. */
function watchPaints(): void {
  const look = () => {
    if (document.querySelector('.worst')) setTimeout(() => Reflect.set(globalThis, 'usefulMs', performance.now()));
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  const interactions: number[] = [];
  Reflect.set(globalThis, 'interactions', interactions);
  const options = { type: 'event', durationThreshold: 16, buffered: true };
  new PerformanceObserver((list) => {
    for (const { duration, name } of list.getEntries()) {
      if (/^(key|pointer|click|input)/.test(name)) interactions.push(duration);
    }
  }).observe(options);
}

async function paintOf(page: Page, url: string): Promise<number> {
  await page.goto(url);
  const seen = await page.waitForFunction(() => Reflect.get(globalThis, 'usefulMs'), undefined, { timeout: 30_000 });
  return seen.jsonValue();
}

async function interact(page: Page, url: string): Promise<void> {
  await page.goto(`${url}patterns`);
  await drawn(page);
  const search = page.getByRole('searchbox');
  for (let times = 0; times < 3; times++) {
    await page.getByRole('button', { name: 'Task and failure' }).click();
    await page.getByRole('button', { name: 'Failed', exact: true }).click();
    await search.pressSequentially('handler', { delay: 60 });
    await search.fill('');
    await page.getByRole('link', { name: 'Trials', exact: true }).click();
    await page.getByRole('link', { name: 'What fails' }).click();
    await drawn(page);
  }
  await page.waitForTimeout(500);
  const all: number[] = await page.evaluate(() => Reflect.get(globalThis, 'interactions'));
  const sorted = all.sort((a, b) => a - b);
  const at = (share: number) => ms(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
  console.log(`interaction to next paint: p50 ${at(0.5)}, p95 ${at(0.95)}, longest ${at(1)} (${sorted.length} events)`);
}

async function followEvents(page: Page, server: ChildProcess, url: string): Promise<void> {
  await page.goto(url);
  await drawn(page);
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  const heapOfPage = async () => {
    await session.send('HeapProfiler.collectGarbage');
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN;
  };
  const figures: string[] = [];
  for (let events = 0; events <= EVENTS; events += EVENTS_AT_ONCE) {
    await ask(server, 'events');
    await page.waitForTimeout(50);
    if (events % (EVENTS / 5) !== 0) continue;
    const { heapBytes } = await ask(server, 'figures');
    figures.push(`${events}: ${mb(heapBytes)} and ${mb(await heapOfPage())}`);
  }
  console.log(`memory of server and page after live events: ${figures.join('; ')}`);
}
