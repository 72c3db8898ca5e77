import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { createDashboard } from 'rsi-loop/dashboard';
import { FileStore } from 'rsi-loop/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { networkError, World } from '../../../scenarios/world.js';
import { axeViolations, drawn, NO_BROWSER, PageTests } from './browser.js';

const START_MS = Date.UTC(2026, 0, 5, 9);
/** Pages learn of news when the server has read the store, at most every 5 s. */
const NEWS = { timeout: 15_000 };

describe.skipIf(NO_BROWSER)('the page beside a working agent', () => {
  let tests: PageTests;
  let folder: string;
  let agent: World;
  let page: Page;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'rsi-loop-page-story-'));
    tests = await PageTests.start();
    // The name of the writer and the time are part of the ids, and arms are drawn by id: the same in every run.
    const store = new FileStore(folder, { writer: 'agent0000000' });
    agent = new World({ store, autoFix: false }, { startMs: START_MS });
    await agent.loop.ready();
    const { openUrl } = await tests.mount((assets) => createDashboard({ loop: agent.loop, assets }));
    page = await tests.open(openUrl);
    await drawn(page);
  });
  afterAll(async () => {
    await tests.close();
    await agent.loop.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const work = (count: number, cycleEvery: number) =>
    agent.work(count, () => (agent.happens(0.25) ? networkError() : undefined), { everyMs: 30_000, cycleEvery });
  const dialog = () => page.getByRole('dialog');
  const button = (name: RegExp | string) => dialog().getByRole('button', { name });
  const sentence = () => page.locator('.sentence');
  const retries = () => agent.loop.policy('api_call')['retries.network'];

  it('shows a failure, takes the decisions, draws the trial to its verdict, and says who decided', async () => {
    await page.getByText('Not enough data yet').waitFor();
    await page.evaluate(() => Reflect.set(globalThis, 'isSamePage', true));

    await work(60, 30);
    await page.getByRole('link', { name: 'api_call network' }).waitFor(NEWS);

    await page.getByRole('link', { name: '1 thing waits for you.' }).click();
    await page.getByRole('button', { name: 'Approve: start the trial' }).click();
    await button(/^Approve/).click();
    expect(await dialog().getByText('Approved.').count(), 'a decision without a name').toBe(0);
    await dialog()
      .getByLabel(/^Who decides/)
      .fill('Grace');
    await button(/^Approve/).click();
    await dialog().getByText('Approved. The trial starts with the next cycle.').waitFor();
    await button('Close').click();

    await work(40, 8);
    await page.getByRole('link', { name: 'Trials', exact: true }).click();
    await page
      .getByRole('link', { name: /^up to 2 more attempts/ })
      .first()
      .click(NEWS);
    const undecided = / succeeded with it, .* without: it (is not proven yet|helps so far|is proven to help)/;
    await expect.poll(() => sentence().textContent(), NEWS).toMatch(undecided);
    const evidence = page.locator('figure.chart', { hasText: 'Evidence' });
    expect(await inkOf(evidence.locator('canvas').first())).toBeGreaterThan(200);
    expect(await axeViolations(page)).toEqual([]);

    const isOver = () => agent.loop.fixes()[0]?.verdict !== undefined;
    for (let round = 0; round < 30 && !isOver(); round++) await work(50, 25);
    await expect
      .poll(() => sentence().textContent(), NEWS)
      .toMatch(/ succeeded with it, .* without: it is proven to help/);
    await page.locator('.state-confirmed', { hasText: 'confirmed' }).first().waitFor();
    expect(retries()).toBe(2);

    await page.getByRole('button', { name: 'Roll back now' }).click();
    expect(
      await dialog()
        .getByLabel(/^Who decides/)
        .inputValue(),
    ).toBe('Grace');
    await button('Roll back now').click();
    await dialog().getByText('Rolled back.').waitFor();
    await button('Close').click();
    await page.locator('.state', { hasText: 'rolled back' }).first().waitFor(NEWS);
    await work(10, 10);
    expect(retries()).toBe(0);

    await page.getByRole('link', { name: 'Ledger' }).click();
    await expect
      .poll(() => page.locator('tbody tr', { hasText: 'Grace' }).allTextContents(), NEWS)
      .toEqual([expect.stringMatching(/roll/i), expect.stringMatching(/approv/i)]);
    await expect.poll(() => sentence().textContent(), NEWS).toMatch(/Chain intact/);
    expect(await page.evaluate(() => Reflect.get(globalThis, 'isSamePage')), 'the page was never loaded again').toBe(
      true,
    );
    expect(tests.errors).toEqual([]);
  });
});

/** Returns the number of drawn pixels of a canvas. */
function inkOf(canvas: ReturnType<Page['locator']>): Promise<number> {
  return canvas.evaluate((element) => {
    if (!(element instanceof HTMLCanvasElement)) return 0;
    const { data = [] } = element.getContext('2d')?.getImageData(0, 0, element.width, element.height) ?? {};
    return data.filter((value, at) => at % 4 === 3 && value > 0).length;
  });
}
