import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RSILoop } from 'rsi-loop';
import { createDashboard } from 'rsi-loop/dashboard';
import { FileSkillFolder, fileLogs, SkillLibrary } from 'rsi-loop/skills/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CSV, skillFolder } from '../../clients/skill-folder.js';
import { temporaryFolder } from '../../skills/temporary-folder.js';
import { VmSandbox } from '../../skills/vm-sandbox.js';
import { attacksFound, NO_ATTACKS } from './attacks-found.js';
import { axeViolations, drawn, NO_BROWSER, PageTests } from './browser.js';

const EVIL = '<img src=x onerror="globalThis.executed=1"><b>now</b> \u202eevil';

describe.skipIf(NO_BROWSER)('skills in the page', () => {
  let tests: PageTests;
  const loop = new RSILoop();
  beforeAll(async () => {
    tests = await PageTests.start();
  });
  afterAll(async () => {
    await tests.close();
    await loop.close();
  });

  const open = async (skills: string) => {
    const { openUrl, url } = await tests.mount((assets) => createDashboard({ loop, assets, skills, user: 'ada' }));
    return { url, page: await tests.open(openUrl) };
  };

  it('shows the skills of a folder, and one of them with its tests, while a program calls it', async () => {
    const folder = skillFolder();
    const skills = new SkillLibrary(loop, {
      files: new FileSkillFolder(folder),
      logs: fileLogs(folder),
      sandbox: new VmSandbox(),
    });
    // A copied skill is untested until its tests ran in this folder.
    await skills.test('csv-total');
    const { url, page } = await open(folder);
    await page.goto(`${url}skills`);
    await page.getByText('3 skills: 2 active, 0 on trial, 0 proven.').waitFor();
    await skills.call('csv-total', { csv: CSV, column: 'amount' });
    await skills.close();
    await page.reload();
    await page.getByRole('link', { name: 'csv-total' }).click();
    await page.getByText('No trial has shown it. 1 of 1 call succeeded').waitFor();
    expect(await page.locator('main h1').textContent()).toBe('Does skill csv-total help?');
    await page.getByText('subtotals for each category').waitFor();
    expect(await page.getByText('sees it').count()).toBe(3);
    expect(await axeViolations(page)).toEqual([]);
    await page.close();
    expect(tests.errors).toEqual([]);
  });

  it('shows texts of hostile skills as texts', async () => {
    const folder = skillFolder();
    writeFileSync(
      join(folder, 'house-style', 'SKILL.md'),
      `---\nname: house-style\ndescription: ${JSON.stringify(EVIL)}\n---\n\n${EVIL}\n`,
    );
    const { url, page } = await open(folder);
    for (const path of ['skills', 'skills/house-style', 'skills/poisoned']) {
      await page.goto(`${url}${path}`);
      await drawn(page);
      expect(await attacksFound(page), path).toEqual(NO_ATTACKS);
    }
    await page.close();
    expect(tests.errors).toEqual([]);
  });

  it('says how to begin where there is no skill', async () => {
    const { url, page } = await open(temporaryFolder());
    await page.goto(`${url}skills`);
    await page.getByText('No skill was learned yet.').waitFor();
    await page.getByText('npx rsi skill learn "total the amounts of a CSV" --examples totals.json').waitFor();
    await page.close();
  });
});
