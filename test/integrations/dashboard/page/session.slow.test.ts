import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { axeViolations, drawn, NO_BROWSER, PageTests } from './browser.js';
import type { FixtureServer } from './fixture-server.js';
import { busyViews } from './fixture-views.js';

describe.skipIf(NO_BROWSER)('a session', () => {
  let tests: PageTests;
  let page: Page;
  let server: FixtureServer;
  let url: string;
  beforeAll(async () => {
    tests = await PageTests.start();
    ({ server, url } = await tests.serve(busyViews()));
  });
  beforeEach(async () => {
    server.asked.length = 0;
    page = await tests.open(`${url}sessions/session-0`, { viewport: { width: 1_280, height: 900 } });
    await drawn(page);
  });
  afterEach(() => page.close());
  afterAll(() => tests.close());

  const detail = () => page.getByRole('region', { name: 'The chosen call' });

  it('opens its first failure in full, with arguments, result and words of the model', async () => {
    await detail().getByText('connect ETIMEDOUT 10.0.0.7:443 after 30000 ms').waitFor();
    await detail().getByText('no seat is left').waitFor();
    await detail().getByText('I look for a seat.').waitFor();
    await detail().getByText('Lisbon', { exact: true }).waitFor();
    expect(await detail().locator('dd', { hasText: 'first line' }).textContent()).toMatch(/first line\nsecond line/);
    await detail().getByText('Read from the transcript just now, redacted, and kept nowhere.').waitFor();
    expect(server.asked).toContain('transcripts/session-0');
  });

  it('goes from failure to failure with n and p, and from call to call with j and k', async () => {
    const place = page.getByRole('region', { name: 'Failures' }).getByRole('status');
    expect(await place.textContent()).toMatch(/^1 of \d+$/);
    await page.keyboard.press('n');
    await expect.poll(() => place.textContent()).toMatch(/^2 of/);
    await page.waitForURL(/call=o-7/);
    await page.keyboard.press('p');
    await expect.poll(() => place.textContent()).toMatch(/^1 of/);
    await page.keyboard.press('j');
    await page.waitForURL(/call=o-4/);
    await page.keyboard.press('k');
    await page.keyboard.press('k');
    await page.waitForURL(/call=o-2/);
    await detail().getByText('succeeded').waitFor();
  });

  it('folds calls without failure into one line, which opens by click and by keyboard', async () => {
    const fold = page.getByRole('button', { name: /7\scalls without failure/ });
    expect(await fold.getAttribute('aria-expanded')).toBe('false');
    const lines = page.locator('.calls .call:not(.fold)');
    const before = await lines.count();
    await fold.click();
    expect(await lines.count()).toBe(before + 7);
    await fold.click();
    expect(await lines.count()).toBe(before);
    await page.keyboard.press('n');
    await page.waitForURL(/call=o-7/);
    await page.keyboard.press('j');
    await expect.poll(() => fold.evaluate((one) => one === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await page.keyboard.press('j');
    await page.waitForURL(/call=o-8/);
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    expect(await lines.count()).toBe(before);
    await page.keyboard.press('j');
    await page.waitForURL(/call=o-15/);
  });

  it('opens the line that a chosen call without failure is in', async () => {
    await page.goto(`${url}sessions/session-0?call=o-10`);
    await drawn(page);
    expect(await page.getByRole('button', { name: /7\scalls without failure/ }).getAttribute('aria-expanded')).toBe(
      'true',
    );
    await page.locator('.calls [aria-current=true]').waitFor();
  });

  it('shows requests and what each call is about, with the time since it began', async () => {
    await page.getByRole('heading', { name: /book the flight to Lisbon/ }).waitFor();
    await page.getByRole('button', { name: /lisbon-2026/ }).waitFor();
    expect(await page.locator('.call .offset').first().textContent()).toMatch(/^\+\d+:\d\d/);
  });

  it('begins at its top on a phone and keeps its failures in place when a late transcript arrives', async () => {
    const phone = await tests.open('about:blank', { viewport: { width: 360, height: 640 } });
    let answer = () => {};
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await phone.route('**/api/transcripts/**', (route) => asked.then(() => route.continue()));
    await phone.goto(`${url}sessions/session-0`);
    const failures = phone.getByRole('region', { name: 'Failures' });
    const place = () => failures.evaluate((shown) => [scrollY, shown.getBoundingClientRect().top]);
    await phone.getByText('Reading the transcript').waitFor();
    const before = await place();
    answer();
    await drawn(phone);
    await phone.getByText('Read from the transcript just now').waitFor();
    expect(await place()).toEqual(before);
    expect(before[0]).toBe(0);
    await phone.close();
  });

  it('says which rules were given or withheld, and marks the first difference to a good session', async () => {
    await detail().getByText('given by a trial').waitFor();
    const beside = page.locator('.section', { hasText: 'What did a session without a failure do?' });
    await beside.getByRole('link', { name: 'session-1' }).waitFor();
    expect(await beside.getByText('first difference').count()).toBe(1);
    expect(await axeViolations(page)).toEqual([]);
    expect(tests.errors).toEqual([]);
  });
});
