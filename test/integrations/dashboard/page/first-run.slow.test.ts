import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { FileStore } from 'rsi-loop/node';
import { importInto } from 'rsi-loop/sources/import';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FollowedFolder } from '../../../../integrations/cli/dashboard/followed-folder.js';
import { mountViews } from '../../../../integrations/dashboard/server/mount.js';
import { Transcript } from '../../sources/import/transcript.js';
import { axeViolations, drawn, NO_BROWSER, PageTests } from './browser.js';
import { NO_SESSIONS, SESSIONS } from './real-sessions.js';

const FILES = 40;

/** Writes sessions in which every fifth call fails. */
function writeSessions(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (let session = 0; session < FILES; session++) {
    const transcript = new Transcript(`s-${session}`, Date.now() - (FILES - session) * 3_600_000);
    transcript.prompt(`write part ${session}`);
    for (let call = 0; call < 100; call++) {
      const id = `t${session}-${call}`;
      const isFailed = call % 5 === 4;
      transcript.call(id, 'Read').result(id, isFailed ? 'File does not exist.' : 'text', { error: isFailed });
    }
    writeFileSync(join(folder, `s-${session}.jsonl`), transcript.text);
  }
}

describe.skipIf(NO_BROWSER)('a first run in a browser', () => {
  let tests: PageTests;
  let folder: string;
  let store: string;
  let page: Page;
  const closed: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    tests = await PageTests.start();
  });
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'rsi-first-run-'));
    store = join(folder, 'rsi_data');
    const empty = new FileStore(store);
    await (await empty.coordination.lease('import'))?.release();
    await empty.close();
  });
  afterEach(async () => {
    await page.close();
    for (const close of closed.splice(0)) await close();
    rmSync(folder, { recursive: true, force: true });
  });
  afterAll(() => tests.close());

  const open = async (transcripts: string, files: number) => {
    const source = await FollowedFolder.open(store, {
      transcripts: [{ agent: 'Claude Code', path: transcripts, files }],
    });
    const { openUrl, close } = await tests.mount((assets) =>
      mountViews(source, { assets }, { onProblem: (message) => tests.errors.push(message) }),
    );
    closed.push(close, () => source.close());
    page = await tests.open(openUrl);
    await drawn(page);
  };

  it.each([
    ['written for this test', () => join(folder, 'projects'), false],
    ['of real work', () => SESSIONS, NO_SESSIONS !== undefined],
  ])(
    'imports sessions %s with one button, and shows what fails',
    async (name, place, isMissing) => {
      if (isMissing) return console.log(`skipped: ${NO_SESSIONS}`);
      const sessions = place();
      if (sessions !== SESSIONS) writeSessions(sessions);
      const sinceMs = performance.now();
      await open(sessions, FILES);
      await page.getByText('No task is recorded yet.').waitFor();
      await page.getByRole('button', { name: /^Import 40\ssessions of Claude Code$/ }).click();
      await page.getByText('Done: the records are counted.').waitFor({ timeout: 120_000 });
      await page.locator('.worst').first().waitFor();
      console.log(`sessions ${name}: failures shown after ${((performance.now() - sinceMs) / 1_000).toFixed(1)} s`);
      expect(await page.locator('.notice').count()).toBe(0);
      await page.getByRole('link', { name: 'Sessions', exact: true }).click();
      await page.locator('tbody tr .state-failing').first().waitFor();
      expect(await axeViolations(page)).toEqual([]);
      expect(tests.errors).toEqual([]);
    },
    180_000,
  );

  it('says “Not counted yet” over records that no cycle has seen, and counts them with a button', async () => {
    const sessions = join(folder, 'projects');
    writeSessions(sessions);
    const other = new FileStore(store);
    await importInto(other, sessions);
    await other.close();
    await open(sessions, FILES);
    const notice = page.locator('.notice', { hasText: 'No cycle has counted these records' });
    await notice.getByText('Not counted yet').waitFor();
    expect(await page.getByText('Old figures').count()).toBe(0);
    await notice.getByRole('button', { name: 'Count them now' }).click();
    await page.getByText('Done: the records are counted.').waitFor({ timeout: 60_000 });
    await page.locator('.worst').first().waitFor();
    expect(await page.locator('.notice').count()).toBe(0);
  }, 120_000);
});
