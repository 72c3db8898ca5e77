/**
 * The page of a large store in a real browser, with the server in a process of its own: time to the first useful paint, from
 * the moment at which the server begins to open the store, by the clock and with all work of the machine;
 * time of interactions to the next paint, delays of the server's event loop meanwhile, and memory of both after live events.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { buildDashboard } from '../../scripts/build-dashboard.js';
import { bundleProcess } from '../bundle-process.js';
import { drawn, PageTests } from '../integrations/dashboard/page/browser.js';
import { type Ask, EVENTS_AT_ONCE, type Opened, type ServerFigures } from './dashboard-server.js';

const EVENTS = 5_000;
const LOADS = 9;
/** Openings of the store, each by a new process. */
const OPENINGS = 5;

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

/** Measures the page of the store in a folder. */
export async function measurePage(folder: string): Promise<void> {
  const assets = mkdtempSync(join(tmpdir(), 'rsi-dashboard-bench-page-'));
  await buildDashboard(assets);
  const program = await bundleProcess(resolve(import.meta.dirname, 'dashboard-server.ts'), assets);
  const tests = await PageTests.start();
  const start = async () => {
    const server = fork(program, [folder, assets], { execArgv: ['--expose-gc'] });
    const page = await tests.open('about:blank');
    // tsx names inner functions by a helper that a page does not have.
    await page.addInitScript({ content: 'globalThis.__name = (named) => named' });
    await page.addInitScript(watchPaints);
    // The start of a tab takes both cores.
    await page.waitForTimeout(1_000);
    const opened = once(server, 'message');
    server.send('open' satisfies Ask);
    const [{ port, atMs }] = (await opened) as [Opened];
    const url = `http://127.0.0.1:${port}/`;
    const first = await paintOf(page, url);
    return { server, page, url, first: { ofPage: first.afterMs, ofStore: first.atMs - atMs } };
  };
  try {
    for (let times = 1; times < OPENINGS; times++) {
      const { server, page, first } = await start();
      await report(server, firstPaint(first));
      server.kill();
      await page.close();
    }
    const { server, page, url, first } = await start();
    try {
      await report(server, firstPaint(first));
      await page.waitForTimeout(8_000);
      await report(server, 'newest outcomes read');
      const later: number[] = [];
      for (let times = 0; times < LOADS; times++) later.push((await paintOf(page, url)).afterMs);
      const figures = `median ${ms(median(later))}, longest ${ms(Math.max(...later))}`;
      await report(server, `useful paint of later loads: ${figures}`);
      await interact(page, url);
      await report(server, 'interactions');
      await followEvents(page, server, url);
    } finally {
      server.kill();
    }
  } finally {
    await tests.close();
    rmSync(assets, { recursive: true, force: true });
  }
}

function firstPaint({ ofPage, ofStore }: { readonly ofPage: number; readonly ofStore: number }): string {
  return `first useful paint ${ms(ofStore)} after the store began to open, ${ms(ofPage)} after the page did`;
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

/** Returns the time from the navigation to the first useful paint, and the time of that paint in epoch milliseconds. */
async function paintOf(page: Page, url: string): Promise<{ readonly afterMs: number; readonly atMs: number }> {
  await page.goto(url, { waitUntil: 'commit' });
  await page.waitForFunction(() => Reflect.get(globalThis, 'usefulMs'), undefined, { timeout: 30_000 });
  return page.evaluate(() => {
    const afterMs: number = Reflect.get(globalThis, 'usefulMs');
    return { afterMs, atMs: performance.timeOrigin + afterMs };
  });
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
