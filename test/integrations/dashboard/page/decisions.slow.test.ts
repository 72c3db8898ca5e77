import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { axeViolations, drawn, NO_BROWSER, PageTests } from './browser.js';
import type { FixtureServer } from './fixture-server.js';
import { busyViews } from './fixture-views.js';

describe.skipIf(NO_BROWSER)('decisions in the page', () => {
  let tests: PageTests;
  let page: Page;
  let server: FixtureServer;
  let url: string;
  beforeAll(async () => {
    tests = await PageTests.start();
  });
  beforeEach(async () => {
    ({ server, url } = await tests.serve(busyViews()));
    page = await tests.open(`${url}review`);
    await page.getByRole('button', { name: /^Approve/ }).waitFor();
  });
  afterEach(() => page.close());
  afterAll(() => tests.close());

  const dialog = () => page.getByRole('dialog');

  it('approves with a, after saying what happens and asking who decides, and remembers the name', async () => {
    await page.keyboard.press('a');
    await dialog().getByText('A random part of the tasks gets the fix').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect(server.decisions).toEqual([]);
    await dialog()
      .getByLabel(/^Who decides/)
      .fill('grace');
    await dialog()
      .getByRole('button', { name: /^Approve/ })
      .click();
    await dialog().getByText('Approved. The trial starts with the next cycle.').waitFor();
    expect(server.decisions).toEqual([{ verb: 'approve', fixId: 'f-rule', by: 'grace' }]);
    expect(server.tokens).toEqual(['fixture']);
    await dialog().getByRole('button', { name: 'Undo: roll back now' }).click();
    expect(
      await dialog()
        .getByLabel(/^Who decides/)
        .inputValue(),
    ).toBe('grace');
    await dialog().getByRole('button', { name: 'Roll back now' }).click();
    await dialog().getByText('Rolled back.').waitFor();
    expect(server.decisions.at(-1)).toEqual({ verb: 'rollback', fixId: 'f-rule', by: 'grace' });
  });

  it('rejects with x only with a reason', async () => {
    await page.keyboard.press('x');
    await dialog().getByRole('button', { name: 'Reject' }).click();
    expect(server.decisions).toEqual([]);
    await dialog().getByLabel('Why?').fill('the host does this itself');
    await dialog().getByRole('button', { name: 'Reject' }).click();
    await dialog().getByText('Rejected.').waitFor();
    expect(server.decisions).toEqual([
      { verb: 'reject', fixId: 'f-rule', by: 'ada', reason: 'the host does this itself' },
    ]);
    // The keyboard goes on from the screen, also if the dialog was opened by a key.
    await dialog().getByRole('button', { name: 'Close' }).press('Enter');
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
  });

  it('says that nothing is proven when a fix is applied without a trial', async () => {
    await page.getByRole('button', { name: 'Apply without proof' }).click();
    await dialog().getByText('nothing can show that it helps').waitFor();
    await page.keyboard.press('Escape');
    expect(server.decisions).toEqual([]);
  });

  it('freezes the loop with a reason, without a fix', async () => {
    await page.getByRole('button', { name: 'Stop all trials' }).click();
    await dialog().getByLabel('Why?').fill('incident');
    await dialog().getByRole('button', { name: 'Stop all trials' }).click();
    await dialog().getByText('All trials are stopped.').waitFor();
    expect(server.decisions).toEqual([{ verb: 'freeze', by: 'ada', reason: 'incident' }]);
  });

  it('shows the change side by side and as one text', async () => {
    await page.getByText('Before', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Unified' }).click();
    await page.getByText('@@ -1,3 +1,4 @@').waitFor();
    expect(await page.locator('tr.line-added').allTextContents()).toEqual([
      '+- Rule: check the seat map before booking',
    ]);
  });

  it('says why decisions cannot be made where they cannot', async () => {
    server.views = busyViews({ status: { decisions: { allowed: false, reason: 'the store is read-only.' } } });
    await page.reload();
    await drawn(page);
    await page.getByText('Decisions cannot be made here: the store is read-only.').waitFor();
    expect(await page.getByRole('button', { name: /^Approve/ }).count()).toBe(0);
    await page.keyboard.press('a');
    expect(await dialog().count()).toBe(0);
  });
});
