import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeViolations, drawn, NO_BROWSER, PageTests } from './browser.js';
import { busyViews, emptyViews, type Views } from './fixture-views.js';

/** Address of each screen with its question. */
const SCREENS: readonly (readonly [path: string, question: string])[] = [
  ['', 'Is the agent well?'],
  ['patterns', 'What fails?'],
  ['patterns/p0', 'Why does book_flight fail with timeout?'],
  ['sessions', 'What happened in each session?'],
  ['sessions/session-0', 'What happened in session session-0?'],
  ['trials', 'Which fixes help?'],
  ['trials/f-trial', 'Does it help: Wait 2 s before retrying rate limits?'],
  ['trials/f-ok', 'Does it help: Retry network errors up to 2 times?'],
  ['review', 'What should I decide?'],
  ['models', 'Which model does what best?'],
  ['runs', 'How far are the runs?'],
  ['runs/nightly', 'How far is run nightly?'],
  ['runs/nightly?task=deploy', 'How far is run nightly?'],
  ['skills', 'Which skills help?'],
  ['skills/csv-total', 'Does skill csv-total help?'],
  ['worse', 'Did my coding agent get worse?'],
  ['benchmarks', 'Which change is better?'],
  ['benchmarks/b-compare', 'Which version solves more of invoices?'],
  ['benchmarks/b-baseline', 'How much of invoices is solved?'],
  ['improvements/i-one', 'Did invoices get better?'],
  ['settings', 'Which rules and settings are in force?'],
  ['ledger', 'Who decided what, and when?'],
  ['store', 'Is the store sound?'],
];
const LISTS = SCREENS.filter(([path]) => !path.includes('/'));

const widthExcess = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

describe.skipIf(NO_BROWSER)('every screen', () => {
  let tests: PageTests;
  beforeAll(async () => {
    tests = await PageTests.start();
  });
  afterAll(() => tests.close());

  const look = async (
    views: Views,
    screens: typeof SCREENS,
    options: { width: number; colorScheme: 'light' | 'dark' },
  ) => {
    const { url } = await tests.serve(views);
    const { width, colorScheme } = options;
    const page = await tests.open(url, { viewport: { width, height: 900 }, colorScheme });
    for (const [path, question] of screens) {
      await page.goto(`${url}${path}`);
      await drawn(page);
      expect(await page.locator('main h1').first().textContent(), path).toBe(question);
      expect((await page.locator('.sentence').textContent())?.length, path).toBeGreaterThan(10);
      expect(await widthExcess(page), `${path} at ${width} px`).toBeLessThanOrEqual(0);
      expect(await axeViolations(page), path).toEqual([]);
    }
    await page.close();
    expect(tests.errors).toEqual([]);
  };

  it.each([
    [360, 'light'],
    [360, 'dark'],
    [900, 'light'],
    [900, 'dark'],
    [1_440, 'light'],
    [1_440, 'dark'],
  ] as const)(
    'answers its question at %i px in %s colours, without an axe violation',
    (width, colorScheme) => look(busyViews(), SCREENS, { width, colorScheme }),
    120_000,
  );

  it(
    'says what to do first when nothing was recorded',
    () => look(emptyViews(), LISTS, { width: 1_440, colorScheme: 'light' }),
    120_000,
  );

  it('says the result of a trial first, in the share that succeeded, and each fact once', async () => {
    const { url } = await tests.serve(busyViews());
    const page = await tests.open(`${url}trials/f-ok`);
    await drawn(page);
    const text = ((await page.locator('main').textContent()) ?? '').replaceAll('\u00a0', ' ');
    expect(text).toMatch(/97 % of 67 tasks succeeded with it, 80 % of 80 without: it is proven to help\./);
    const result = text.slice(text.indexOf('proven to help'), text.indexOf('Does it help everywhere?'));
    for (const again of ['97 %', '80 %', 'failure rate']) {
      expect(result.slice(20), again).not.toContain(again);
    }
    const evidence = /Evidence 61 of 40 needed in trial 3 of 5: a useless fix reaches that in at most 2.5 %/g;
    expect(text.match(evidence)).toHaveLength(1);
    await page.close();
  });

  it('shows a search and filters only above lists that have something to search', async () => {
    const { url } = await tests.serve(busyViews({ patterns: 6 }));
    const page = await tests.open(`${url}patterns`);
    await drawn(page);
    expect(await page.getByRole('searchbox').count()).toBe(0);
    expect(await page.locator('.facet').count()).toBe(0);
    await page.getByText('Columns').first().waitFor();
    await page.goto(`${url}patterns?issue=timeout&q=book`);
    await drawn(page);
    expect(await page.getByRole('searchbox').count()).toBe(1);
    expect(await page.locator('.facet [aria-pressed=true]').count()).toBe(1);
    await page.close();
  });

  it('breaks a verdict down by model, with the guard of each', async () => {
    const { url } = await tests.serve(busyViews());
    const page = await tests.open(`${url}trials/f-ok`);
    const kinds = page.locator('.section', { hasText: 'Does it help everywhere?' }).getByRole('listitem');
    await kinds.first().waitFor();
    const texts = (await kinds.allTextContents()).map((text) => text.replaceAll('\u00a0', ' '));
    expect(texts[0]).toMatch(/model is claude-sonnet: 97 % of 34 tasks succeeded with it, .*harm 0.30 of 40/);
    expect(texts[1]).toMatch(/model is claude-haiku: .*left out of the fix/);
    await page.close();
  });

  it('works under a prefix', async () => {
    const { url } = await tests.serve(busyViews(), '/admin/rsi/');
    const page = await tests.open(`${url}patterns/p0`);
    await drawn(page);
    await page.getByRole('link', { name: 'Trials' }).click();
    await page.getByRole('heading', { name: 'Which fixes help?' }).waitFor();
    expect(page.url()).toBe(`${url}trials`);
    await page.goBack();
    await page.getByRole('heading', { name: /^Why does/ }).waitFor();
    await page.close();
  });
});
