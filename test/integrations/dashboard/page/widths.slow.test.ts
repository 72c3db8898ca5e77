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
  'ledger',
  'store',
];

describe.skipIf(NO_BROWSER)('a window of 1,280 pixels', () => {
  let tests: PageTests;
  let url: string;
  beforeAll(async () => {
    tests = await PageTests.start();
    ({ url } = await tests.serve(busyViews()));
  });
  afterAll(() => tests.close());

  it.each(SCREENS)('shows every column of the tables of %s that is on by default', async (screen) => {
    const page = await tests.open(url + screen, { viewport: { width: 1_280, height: 900 } });
    await drawn(page);
    const tables = await page
      .locator('.rows')
      .evaluateAll((all) =>
        all.map((one) => [one.getAttribute('aria-label') ?? '', one.scrollWidth - one.clientWidth] as const),
      );
    expect(tables.filter(([, hidden]) => hidden > 1)).toEqual([]);
    await page.close();
  });
});
