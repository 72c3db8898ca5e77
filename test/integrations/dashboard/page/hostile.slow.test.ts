import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attacksFound, NO_ATTACKS } from './attacks-found.js';
import { axeViolations, drawn, NO_BROWSER, PageTests } from './browser.js';
import { busyViews } from './fixture-views.js';
import { hostileTexts } from './hostile-texts.js';

const SCREENS = [
  '',
  'patterns',
  'patterns/p0',
  'sessions',
  'trials',
  'trials/f-trial',
  'review',
  'models',
  'runs',
  'runs/nightly',
  'skills',
  'worse',
  'skills/csv-total',
  'benchmarks',
  'benchmarks/b-compare',
  'improvements/i-one',
  'settings',
  'ledger',
  'store',
];

describe.skipIf(NO_BROWSER)('recorded texts that attack the page', () => {
  let tests: PageTests;
  beforeAll(async () => {
    tests = await PageTests.start();
  });
  afterAll(() => tests.close());

  it.each([360, 1_440])(
    'run nothing, become no markup, and break no layout at %i px',
    async (width) => {
      const { url } = await tests.serve(busyViews({ recorded: hostileTexts() }));
      const page = await tests.open(url, { viewport: { width, height: 900 } });
      for (const path of SCREENS) {
        await page.goto(`${url}${path}`);
        await drawn(page);
        expect(await attacksFound(page), path).toEqual(NO_ATTACKS);
      }
      expect(await axeViolations(page)).toEqual([]);
      await page.close();
      expect(tests.errors).toEqual([]);
    },
    120_000,
  );
});
