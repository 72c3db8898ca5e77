import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildDashboard, DASHBOARD } from '../../../../scripts/build-dashboard.js';
import { drawn, NO_BROWSER, PageTests } from './browser.js';
import { busyViews } from './fixture-views.js';

const MAX_GZIPPED = 60_000;

describe('the files of the page', () => {
  it('have at most 60 kB gzipped, nothing inline, and no address of another server', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rsi-page-'));
    await buildDashboard(folder);
    const files = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
    rmSync(folder, { recursive: true });
    expect([...files.keys()].sort()).toEqual(['dashboard.css', 'dashboard.js', 'index.html']);
    const gzipped = [...files.values()].reduce((sum, file) => sum + gzipSync(file, { level: 9 }).length, 0);
    console.log(`page: ${gzipped} bytes gzipped`);
    expect(gzipped).toBeLessThan(MAX_GZIPPED);
    expect(`${files.get('index.html')}`).not.toMatch(/<script>|<style|style="|\son\w+="/);
    for (const [name, file] of files) {
      const addresses = `${file}`.replaceAll(/http:\/\/www\.w3\.org\/[\w/]+/g, '').match(/https?:\/\/[a-z.]+/g);
      expect(addresses, name).toBeNull();
    }
  });

  it('are built from sources that never turn text into markup', () => {
    const folder = DASHBOARD;
    const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
    expect(sources.length).toBeGreaterThan(50);
    for (const name of sources) {
      expect(readFileSync(join(folder, name), 'utf8'), name).not.toMatch(
        /innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|new Function|srcdoc/i,
      );
    }
  });
});

describe.skipIf(NO_BROWSER)('a page with 2,000 patterns', () => {
  let tests: PageTests;
  beforeAll(async () => {
    tests = await PageTests.start();
  });
  afterAll(() => tests.close());

  it('draws only the rows in sight, after each interaction too', async () => {
    const { url } = await tests.serve(busyViews({ patterns: 2_000 }));
    const page = await tests.open(`${url}patterns`);
    await drawn(page);
    const search = page.getByRole('searchbox');
    const head = (name: string) => page.getByRole('button', { name, exact: true }).first().click();
    const interactions: Readonly<Record<string, () => Promise<unknown>>> = {
      'sort by name': () => head('Task and failure'),
      'sort by rate': () => head('Failed'),
      'a letter': () => search.press('t'),
      'a filter': () => page.getByRole('group', { name: 'Class' }).getByRole('button').first().click(),
      'no filter': () => page.getByRole('group', { name: 'Class' }).locator('[aria-pressed=true]').click(),
    };
    for (const [name, interact] of Object.entries(interactions)) {
      await interact();
      await page.evaluate(() => new Promise(requestAnimationFrame));
      const rows = await page.locator('tbody tr').count();
      expect(rows, name).toBeGreaterThan(5);
      expect(rows, name).toBeLessThan(80);
    }
    await page.close();
  });

  it('scrolls to the last row', async () => {
    const { url } = await tests.serve(busyViews({ patterns: 2_000 }));
    const page = await tests.open(`${url}patterns`);
    await drawn(page);
    await page
      .locator('.rows')
      .first()
      .evaluate((rows) => rows.scrollTo(0, rows.scrollHeight));
    await page.locator('tr[data-index="1979"]').waitFor();
    expect(await page.locator('tbody tr').count()).toBeLessThan(80);
    await page.close();
  });
});
