import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { axeViolations, drawn, NO_BROWSER, PageTests } from './browser.js';
import { busyViews } from './fixture-views.js';

describe.skipIf(NO_BROWSER)('the page by keyboard', () => {
  let tests: PageTests;
  let page: Page;
  let url: string;
  beforeAll(async () => {
    tests = await PageTests.start();
    ({ url } = await tests.serve(busyViews({ patterns: 2_000 })));
  });
  beforeEach(async () => {
    page = await tests.open(url);
    await drawn(page);
  });
  afterEach(() => page.close());
  afterAll(() => tests.close());

  const question = (name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
  const focusedText = () =>
    page.evaluate(() => document.activeElement?.closest('tr')?.querySelector('th')?.textContent);

  it('goes to each screen with g and a letter', async () => {
    for (const [key, name] of [
      ['f', 'What fails?'],
      ['s', 'What happened in each session?'],
      ['t', 'Which fixes help?'],
      ['r', 'What should I decide?'],
      ['m', 'Which model does what best?'],
      ['e', 'Which rules and settings are in force?'],
      ['l', 'Who decided what, and when?'],
      ['d', 'Is the store sound?'],
      ['o', 'Is the agent well?'],
    ] as const) {
      await page.keyboard.press('g');
      await page.keyboard.press(key);
      await question(name);
    }
  });

  it('has a heading with the focus while a screen loads, and keeps the focus on its question', async () => {
    let answer = () => {};
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/api/patterns', (route) => asked.then(() => route.continue()));
    await page.keyboard.press('g');
    await page.keyboard.press('f');
    await question('Loading');
    const focused = () =>
      page.evaluate(() => `${document.activeElement?.tagName} ${document.activeElement?.textContent}`);
    await expect.poll(focused).toBe('H1 Loading');
    answer();
    await question('What fails?');
    await expect.poll(focused).toBe('H1 What fails?');
  });

  it('moves through rows with j and k, also beyond those that are drawn, and opens one with enter', async () => {
    await page.goto(`${url}patterns`);
    await drawn(page);
    const first = await page.locator('tr[data-index="0"] th').first().textContent();
    await page.keyboard.press('j');
    expect(await focusedText()).toBe(first);
    for (let times = 0; times < 60; times += 1) await page.keyboard.press('j');
    expect(await page.evaluate(() => document.activeElement?.closest('tr')?.getAttribute('data-index'))).toBe('60');
    await page.keyboard.press('k');
    expect(await page.evaluate(() => document.activeElement?.closest('tr')?.getAttribute('data-index'))).toBe('59');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: /^Why does/ }).waitFor();
    await page.goBack();
    await question('What fails?');
  });

  it('searches with /, and keeps the search, the order and hidden columns in the address', async () => {
    await page.goto(`${url}patterns`);
    await drawn(page);
    await page.keyboard.press('/');
    await page.keyboard.type('summarize');
    await page.getByText(/of 1,980\srows/).waitFor();
    await page.getByRole('button', { name: 'Last', exact: true }).first().click();
    await page.getByText('Columns', { exact: true }).click();
    await page.getByLabel('Where').uncheck();
    await page.waitForURL(/hide=where/);
    await page.reload();
    await drawn(page);
    expect(await page.getByRole('searchbox').inputValue()).toBe('summarize');
    expect(await page.getByRole('columnheader', { name: 'Last', exact: true }).first().getAttribute('aria-sort')).toBe(
      'descending',
    );
    expect(
      await page
        .getByRole('region', { name: 'patterns', exact: true })
        .getByRole('columnheader', { name: 'Where' })
        .count(),
    ).toBe(0);
    expect(await page.locator('tbody th').first().textContent()).toMatch(/^summarize/);
  });

  it('shows charts as tables with t, and back', async () => {
    await page.keyboard.press('t');
    await page.getByRole('region', { name: 'Numbers of Health' }).waitFor();
    expect(await page.locator('canvas').count()).toBe(0);
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('t');
    await page.getByRole('img', { name: /^Health/ }).waitFor();
  });

  it('lists all keys with ?', async () => {
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Which keys work here?' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('has a visible focus on everything that tab reaches, and reaches the content', async () => {
    const seen = new Set<string>();
    for (let times = 0; times < 40; times += 1) {
      await page.keyboard.press('Tab');
      const focused = await page.evaluate(() => {
        const element = document.activeElement;
        const style = element && getComputedStyle(element);
        const isVisible = style?.outlineStyle !== 'none' && style?.outlineWidth !== '0px';
        return { name: `${element?.tagName} ${element?.textContent?.slice(0, 30)}`, isVisible };
      });
      expect(focused.isVisible, focused.name).toBe(true);
      seen.add(focused.name);
    }
    expect([...seen].some((name) => name.startsWith('A all 2,000'))).toBe(true);
  });
});
