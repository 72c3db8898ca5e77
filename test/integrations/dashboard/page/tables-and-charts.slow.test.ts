import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { drawn, NO_BROWSER, PageTests } from './browser.js';
import { busyViews } from './fixture-views.js';

describe.skipIf(NO_BROWSER)('tables and charts', () => {
  let tests: PageTests;
  let page: Page;
  let url: string;
  beforeAll(async () => {
    tests = await PageTests.start();
    ({ url } = await tests.serve(busyViews()));
  });
  beforeEach(async () => {
    page = await tests.open(url, { permissions: ['clipboard-read', 'clipboard-write'] });
    await drawn(page);
  });
  afterEach(() => page.close());
  afterAll(() => tests.close());

  it('copies the rows that are shown as CSV and JSON', async () => {
    await page.goto(`${url}patterns?issue=timeout&sort=task&hide=where,last`);
    await drawn(page);
    await page.getByText('Columns', { exact: true }).click();
    await page.getByRole('button', { name: 'Copy CSV' }).click();
    await page.getByText(/^Copied \d+\srows as CSV/).waitFor();
    const csv = await page.evaluate(() => navigator.clipboard.readText());
    expect(csv.split('\r\n')[0]).toMatch(/^Task and failure,Message,Failed,/);
    expect(csv).not.toMatch(/Where|Last/);
    await page.getByRole('button', { name: 'Copy JSON' }).click();
    await page.getByText(/rows as JSON/).waitFor();
    const rows = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
    expect(rows).toHaveLength(csv.trim().split('\r\n').length - 1);
    for (const row of rows) expect(row['Task and failure']).toMatch(/: timeout$/);
  });

  it('narrows all charts of the screen by one drag, keeps that in the address, and shows all times again', async () => {
    const canvas = page.locator('.canvas').first();
    await canvas.scrollIntoViewIfNeeded();
    const box = await canvas.boundingBox();
    if (!box) throw new Error('the chart has no place');
    await page.mouse.move(box.x + 150, box.y + 60);
    await page.mouse.down();
    await page.mouse.move(box.x + 300, box.y + 60);
    await page.mouse.up();
    await page.waitForURL(/from=\d+&to=\d+/);
    const charts = await page.locator('figure.chart').count();
    expect(await page.getByRole('button', { name: 'Show all times' }).count()).toBe(charts);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.url()).not.toContain('from=');
  });

  it('shows another period whole, also after a part of the charts was selected', async () => {
    await page.goto(`${page.url()}?from=1&to=2`);
    await page.getByRole('button', { name: 'Show all times' }).first().waitFor();
    await page.getByRole('combobox', { name: 'Period' }).selectOption('newest 30 days');
    await page.waitForURL(/\?range=30d$/);
  });

  it('shows a word of a million letters, cut, with a way to see more', async () => {
    const word = 'w'.repeat(1_000_000);
    const { url: own } = await tests.serve(busyViews({ recorded: () => word, patterns: 8 }));
    for (const path of ['', 'patterns', 'patterns/p0', 'review', 'store']) {
      await page.goto(`${own}${path}`);
      await drawn(page);
      const excess = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(excess, path).toBeLessThanOrEqual(0);
      expect((await page.locator('body').textContent())?.length, path).toBeLessThan(60_000);
    }
    await page.goto(`${own}patterns/p0`);
    await page
      .getByRole('button', { name: /^Show more/ })
      .first()
      .click();
    await page.getByText(/more characters are not shown/).waitFor();
  });
});
