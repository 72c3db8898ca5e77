import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RSILoop } from 'rsi-loop';
import { createDashboard } from 'rsi-loop/dashboard';
import { orchestrate, RunFolder, type TaskSpec } from 'rsi-loop/orchestrate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attacksFound, NO_ATTACKS } from './attacks-found.js';
import { axeViolations, drawn, NO_BROWSER, PageTests } from './browser.js';
import { HOSTILE_VARIANTS } from './hostile-variants.js';

const TASKS: readonly TaskSpec[] = [
  { id: 'compile', worker: 'ok' },
  { id: 'deploy', worker: 'wait', after: ['compile'], idempotent: false },
  { id: 'announce', worker: 'ok', after: ['deploy'] },
  { id: 'docs', worker: 'wait', after: ['compile'] },
];

/** Steps of runs are written to the disk. */
const PATIENT = { timeout: 30_000 };

describe.skipIf(NO_BROWSER)('runs in the page', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rsi-runs-page-'));
  const loop = new RSILoop();
  let tests: PageTests;
  beforeAll(async () => {
    tests = await PageTests.start();
  });
  afterAll(async () => {
    await tests.close();
    await loop.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const open = async (name: string) => {
    const runs = join(folder, name);
    const { openUrl, url } = await tests.mount((assets) => createDashboard({ loop, assets, runs, user: 'ada' }));
    return { runs, url, page: await tests.open(openUrl) };
  };

  it('are watched while they run: one task is cancelled, then the whole run', async () => {
    const { runs, url, page } = await open('watched');
    const waiting = new Map<string, () => void>();
    const run = orchestrate(loop, {
      ...{ id: 'nightly', folder: runs, tasks: TASKS },
      workers: {
        ok: () => 'fine',
        wait: ({ id, signal }) =>
          new Promise((done, fail) => {
            waiting.set(id, () => done('ended'));
            signal.addEventListener('abort', () => fail(signal.reason));
          }),
      },
    });
    await expect.poll(() => waiting.size, PATIENT).toBe(2);
    await page.goto(`${url}runs`);
    await page.getByText('1 run: 1 running, 0 stopped, 0 failed.').waitFor();
    await page.getByRole('link', { name: 'nightly' }).click();
    await page.getByText('1 of 4 tasks done, 2 running.').waitFor();
    await page.getByRole('link', { name: 'deploy' }).first().click();
    await page.getByRole('button', { name: 'Cancel the task' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('tasks that come after it are skipped').waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await dialog.getByLabel(/Why/).fill('wrong branch');
    await dialog.getByRole('button', { name: 'Cancel the task' }).click();
    await dialog.getByRole('button', { name: 'Close' }).click();
    // The process of the run takes the request, and the page shows it without a reload.
    await page.getByText('1 of 4 tasks done, 1 running, 1 skipped, 1 cancelled.').waitFor();
    await page.getByText('cancelled by ada: wrong branch').first().waitFor();
    expect(await page.getByRole('button', { name: 'Cancel the task' }).count()).toBe(0);

    await page.getByRole('button', { name: 'Cancel the run' }).click();
    await dialog.getByRole('button', { name: 'Keep it' }).click();
    await page.getByRole('button', { name: 'Cancel the run' }).click();
    await dialog.getByRole('button', { name: 'Cancel the run' }).click();
    expect(await run).toMatchObject({ status: 'cancelled' });
    await dialog.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => page.getByRole('button', { name: 'Cancel the run' }).count(), PATIENT).toBe(0);
    await page.close();
    expect(tests.errors).toEqual([]);
  });

  it('run nothing and become no markup, whatever their tasks are called', async () => {
    const { runs, url, page } = await open('hostile');
    const store = new RunFolder(runs);
    const names = [...new Set(HOSTILE_VARIANTS.map((text) => text || 'empty'))];
    const tasks = names.map((text) => ({ id: text, worker: text, after: [] }));
    await store.add('r', { kind: 'started', name: names[1] ?? '', tasks, atMs: 1 });
    for (const task of names.slice(0, 20))
      await store.add('r', { kind: 'failed', task, attempt: 1, error: task, atMs: 2 });
    await store.add('r', { kind: 'ended', status: 'stopped', why: names[2] ?? '', atMs: 3 });
    await store.close();
    await page.goto(`${url}runs/r`);
    await drawn(page);
    expect(await attacksFound(page)).toEqual(NO_ATTACKS);
    for (const task of names.slice(0, 5)) {
      await page.evaluate(
        (query) => {
          history.pushState(null, '', `/runs/r?${query}`);
          dispatchEvent(new PopStateEvent('popstate'));
        },
        `${new URLSearchParams({ task })}`,
      );
      await page.evaluate(() => new Promise((seen) => requestAnimationFrame(() => setTimeout(seen))));
      expect(await attacksFound(page), task).toEqual(NO_ATTACKS);
    }
    await page.locator('h2', { hasText: 'Task ' }).first().waitFor();
    await page.close();
    expect(tests.errors).toEqual([]);
  });

  it('begin with a sentence on how to begin', async () => {
    const { url, page } = await open('none');
    await page.goto(`${url}runs`);
    await page.getByText('A program begins one with orchestrate()').waitFor();
    await page.close();
  });
});
