import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawn, NO_BROWSER, PageTests } from './browser.js';
import { busyViews } from './fixture-views.js';

const SCREENS = [
  'patterns',
  'patterns/p0',
  'sessions',
  'trials',
  'review',
  'models',
  'runs',
  'runs/nightly',
  'skills',
  'skills/csv-total',
  'benchmarks',
  'benchmarks/b-compare',
  'improvements/i-one',
  'runs/nightly?task=deploy',
  'benchmarks/b-baseline',
  'settings',
  'ledger',
];

describe.skipIf(NO_BROWSER)('a window of 1,280 pixels', () => {
  let tests: PageTests;
  let url: string;
  beforeAll(async () => {
    tests = await PageTests.start();
    ({ url } = await tests.serve(busyViews()));
  });
  afterAll(() => tests.close());

  const tablesAt = async (screen: string, width: number) => {
    const page = await tests.open(url + screen, { viewport: { width, height: 900 } });
    await drawn(page);
    const found = await page.locator('.rows').evaluateAll((all) =>
      all.map((one) => ({
        name: one.getAttribute('aria-label') ?? '',
        columns: [...one.querySelectorAll('thead th')].map(({ textContent }) => textContent),
        hiddenPx: one.scrollWidth - one.clientWidth,
      })),
    );
    await page.close();
    return found;
  };

  it.each(SCREENS)('shows every column of the tables of %s that is on by default', async (screen) => {
    const wide = await tablesAt(screen, 2_560);
    expect(await tablesAt(screen, 1_280)).toEqual(wide);
    expect(wide.filter(({ hiddenPx }) => hiddenPx > 1)).toEqual([]);
  });

  it.each([390, 900])('is not needed: at %i pixels no table scrolls to the side', async (width) => {
    for (const screen of SCREENS) {
      const tables = await tablesAt(screen, width);
      expect(
        tables.filter(({ hiddenPx }) => hiddenPx > 1),
        screen,
      ).toEqual([]);
      for (const { name, columns } of tables) expect(columns.length, `${screen}, ${name}`).toBeGreaterThan(1);
    }
  });

  it('shows on a phone the columns without a place on a second line, and any of them on request', async () => {
    const page = await tests.open(`${url}sessions`, { viewport: { width: 390, height: 844 } });
    await drawn(page);
    const row = page.locator('tbody tr').first();
    expect((await row.locator('.second').textContent())?.replaceAll('\u00a0', ' ')).toMatch(
      /^Last call .+Failed \d+ of \d+.*Length .+Tokens .+Models /,
    );
    expect((await row.boundingBox())?.height).toBeGreaterThan(50);
    await page.getByText('Columns, 5 more').click();
    await page.getByLabel('Failed', { exact: true }).check();
    await page.waitForURL(/show=failures/);
    await page.getByRole('columnheader', { name: 'Failed' }).waitFor();
    await page.close();
  });
});
