import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { drawn, NO_BROWSER, PageTests } from './browser.js';
import type { FixtureServer } from './fixture-server.js';
import { busyViews } from './fixture-views.js';

describe.skipIf(NO_BROWSER)('what fails', () => {
  let tests: PageTests;
  let page: Page;
  let server: FixtureServer;
  let url: string;
  beforeAll(async () => {
    tests = await PageTests.start();
    ({ server, url } = await tests.serve(busyViews()));
  });
  beforeEach(async () => {
    page = await tests.open(`${url}patterns`, { viewport: { width: 1_280, height: 900 } });
    await drawn(page);
  });
  afterEach(() => page.close());
  afterAll(() => tests.close());

  it('shows task, message and where of each pattern on 1,280 pixels, without a scroll to the side', async () => {
    const table = page.getByRole('region', { name: 'patterns', exact: true });
    const heads = await table.locator('thead th').allTextContents();
    expect(heads.map((head) => head.trim())).toEqual([
      'Task and failure',
      'Message',
      'Failed',
      'Sessions',
      'Trend',
      'Last',
      'Where',
    ]);
    expect(await table.evaluate((place) => place.scrollWidth - place.clientWidth)).toBeLessThanOrEqual(0);
    await page.getByText('Columns').first().click();
    await page.getByRole('checkbox', { name: 'Episodes' }).check();
    await page.waitForURL(/show=episodes/);
    expect(await table.locator('thead th').allTextContents()).toContain('Episodes');
  });

  it('lists slow and costly work apart from failures', async () => {
    const rows = async (name: string) =>
      (await page.getByRole('region', { name, exact: true }).locator('table').getAttribute('aria-rowcount')) ?? '';
    const [failures, measures] = [Number(await rows('patterns')), Number(await rows('slower or costlier work'))];
    expect(failures).toBeGreaterThan(measures);
    expect(measures).toBeGreaterThan(2);
    await page.getByRole('heading', { name: 'Slower or costlier than before' }).waitFor();
    await page.goto(`${url}patterns/p3`);
    await drawn(page);
    await page.getByRole('img', { name: /^Slow tasks\. / }).waitFor();
    expect(await page.getByRole('img', { name: /^Failures\./ }).count()).toBe(0);
  });

  it('narrows the list by a value of a facet, and shows all again', async () => {
    const before = await page.locator('.tools [role=status]').first().textContent();
    const value = page.getByRole('group', { name: 'Model' }).getByRole('button').first();
    await value.click();
    await page.waitForURL(/model=/);
    expect(await page.locator('.tools [role=status]').first().textContent()).not.toBe(before);
    await page.getByRole('group', { name: 'Model' }).locator('[aria-pressed=true]').click();
    await expect.poll(() => page.locator('.tools [role=status]').first().textContent()).toBe(before);
  });

  it('keeps the chosen period from screen to screen, and asks the server for it', async () => {
    await page.getByLabel('Period').selectOption('all');
    await expect.poll(() => server.asked).toContain('patterns');
    await page.waitForURL(/range=all/);
    await page.locator('tbody a').first().click();
    await page.waitForURL(/patterns\/.*range=all/);
    await page.getByRole('navigation').getByRole('link', { name: 'Sessions' }).click();
    await page.waitForURL(/sessions\?range=all/);
    await page.getByLabel('Period').selectOption('between');
    await page.getByLabel('First day').fill('2026-01-06');
    await page.getByLabel('Last day').fill('2026-02-14');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.waitForURL(/range=2026-01-06..2026-02-14/);
    await page.goBack();
  });

  it('mutes, assigns and comments by the keyboard, and undoes the mute', async () => {
    server.decisions.length = 0;
    await page.goto(`${url}patterns/p0`);
    await drawn(page);
    for (const [button, fields] of [
      ['Mute', {}],
      ['Assign', { 'Name; empty for no one': 'grace' }],
      ['Comment', { Comment: 'the vendor knows' }],
    ] as const) {
      await page.getByRole('button', { name: button, exact: true }).press('Enter');
      for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text);
      await page.getByLabel(/Who decides/).press('Enter');
      if (button === 'Mute') {
        await page.getByRole('button', { name: 'Undo: show again' }).press('Enter');
        await page.getByLabel(/Who decides/).press('Enter');
      }
      await page.getByRole('button', { name: 'Close' }).press('Enter');
      await page.locator('dialog').waitFor({ state: 'detached' });
    }
    expect(server.decisions).toMatchObject([
      { verb: 'mute', patternId: 'p0', by: 'ada' },
      { verb: 'unmute', patternId: 'p0', by: 'ada' },
      { verb: 'assign', patternId: 'p0', to: 'grace' },
      { verb: 'comment', patternId: 'p0', reason: 'the vendor knows' },
    ]);
    await page.getByRole('heading', { name: 'Notes' }).waitFor();
    expect(tests.errors).toEqual([]);
  });
});
