import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { StatusView } from '../../../../integrations/dashboard/views.js';
import { axeViolations, drawn, NO_BROWSER, PageTests } from './browser.js';
import type { FixtureServer } from './fixture-server.js';
import { busyViews } from './fixture-views.js';

describe.skipIf(NO_BROWSER)('a page that stays open', () => {
  let tests: PageTests;
  let page: Page;
  let server: FixtureServer;
  let url: string;
  beforeAll(async () => {
    tests = await PageTests.start();
  });
  beforeEach(async () => {
    ({ server, url } = await tests.serve(busyViews()));
    page = await tests.open(`${url}patterns`);
    await drawn(page);
    await expect.poll(() => server.connected, { timeout: 30_000 }).toBe(1);
  });
  afterEach(() => page.close());
  afterAll(() => tests.close());

  it('shows a status that arrives while the page is drawn for the first time', async () => {
    server.views = busyViews({ status: { simulated: true } });
    // Effects run long after the first drawing, so that the status is there before them.
    await page.addInitScript(() => {
      const later = globalThis.setTimeout;
      Reflect.set(globalThis, 'requestAnimationFrame', (run: FrameRequestCallback) => later(run, 500));
      Reflect.set(globalThis, 'setTimeout', (run: () => void, delayMs = 0) => later(run, delayMs + 500));
    });
    await page.goto(`${url}patterns`);
    await page.locator('.notice', { hasText: 'Simulated' }).waitFor({ timeout: 30_000 });
  });

  it('reads again only the shown views that changed', async () => {
    server.views = busyViews({ patterns: 27 });
    server.asked.length = 0;
    server.send({ kind: 'changed', views: ['ledger', 'models'] });
    server.send({ kind: 'changed', views: ['patterns'] });
    await page.getByText('25 rows').waitFor();
    expect(server.asked).toEqual(['patterns']);
  });

  it('answers a thousand events with few requests', async () => {
    server.asked.length = 0;
    for (let times = 0; times < 1_000; times += 1) server.send({ kind: 'changed', views: ['patterns'] });
    server.send({ kind: 'happened', atMs: 0, sentence: 'A fix was confirmed.' });
    await page.getByText('A fix was confirmed.').waitFor();
    await expect.poll(() => server.asked.length, { timeout: 30_000 }).toBeGreaterThan(0);
    expect(server.asked.length).toBeLessThanOrEqual(2);
  });

  it('shows a freeze on every screen when it happens', async () => {
    server.views = busyViews({ status: { frozen: { by: 'ada', reason: 'deploy', atMs: Date.now() } } });
    server.send({ kind: 'changed', views: ['status'] });
    await page.getByText('ada stopped them').waitFor();
  });

  it.each([
    ['Not counted yet', undefined],
    ['Old figures', Date.now() - 3_600_000],
  ])('says “%s” over records that the last cycle has not seen, with a button that counts them', async (word, atMs) => {
    const { lastCycleMs: _, ...status } = busyViews()('status') as StatusView;
    const stale = 'Records wait, and no process runs a loop on this store. Count them now, or start your agent.';
    const waiting = { ...status, stale, hasUnread: true, ...(atMs !== undefined && { lastCycleMs: atMs }) };
    const others = busyViews();
    server.views = (path) => (path === 'status' ? waiting : others(path));
    server.send({ kind: 'changed', views: ['status'] });
    const notice = page.locator('.notice', { hasText: stale });
    await notice.getByText(word).waitFor();
    await notice.getByRole('button', { name: 'Count them now' }).click();
    await expect.poll(() => server.decisions).toMatchObject([{ verb: 'cycle' }]);
    await page.getByText('Done: the records are counted.').waitFor();
  });

  it('says that the connection is lost, and reads everything again once the server is back', async () => {
    const port = Number(new URL(url).port);
    await server.close();
    await page.getByText('Connection lost').waitFor({ timeout: 10_000 });
    expect(await page.locator('tbody tr').count()).toBeGreaterThan(10);
    expect(await axeViolations(page)).toEqual([]);
    server.views = busyViews({ patterns: 25 });
    await server.listen(port);
    await page.getByText('23 rows').waitFor({ timeout: 20_000 });
    await expect.poll(() => page.getByText('Connection lost').count()).toBe(0);
  });

  it('asks for the token when the session has ended, and continues where it was', async () => {
    server.needsLogin = true;
    await page.reload();
    await page.getByRole('heading', { name: 'Which token opens this dashboard?' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.getByLabel('Token').fill('secret');
    await page.getByRole('button', { name: 'Open the dashboard' }).click();
    await page.getByRole('heading', { name: 'What fails?' }).waitFor();
  });

  it('says what to do when a record is gone or an address is wrong', async () => {
    await page.goto(`${url}patterns/none`);
    await page.getByText('It is not in this store any more.').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.goto(`${url}nowhere/at/all`);
    await page.getByText('There is no screen at this address.').waitFor();
    await page.getByRole('link', { name: 'Go to the overview' }).click();
    await page.getByRole('heading', { name: 'Is the agent well?' }).waitFor();
  });
});
