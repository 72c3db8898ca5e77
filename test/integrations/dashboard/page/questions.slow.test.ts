import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Demo, startDemo } from '../../../../integrations/dashboard/demo/start-demo.js';
import { mountViews } from '../../../../integrations/dashboard/server/mount.js';
import { drawn, NO_BROWSER, PageTests } from './browser.js';

const MAX_CLICKS = 3;
const PAGE = readFileSync(resolve(import.meta.dirname, '../../../../docs/dashboard.md'), 'utf8');

interface Question {
  readonly question: string;
  /** Names of links, in order. */
  readonly clicks: readonly string[];
  readonly answers: readonly string[];
}

/** Reads the table below the heading of the documentation. */
function questionsOf(page: string): readonly Question[] {
  const [, section = ''] = page.split('## Five questions');
  const rows = section.split('\n## ')[0]?.match(/^\| [^|]*\?[^|]*\|.*$/gm) ?? [];
  return rows.map((row) => {
    const [question = '', clicks = '', answers = ''] = row.split('|').slice(1);
    const quoted = (cell: string) => [...cell.matchAll(/"([^"]+)"/g)].map(([, text = '']) => text);
    return { question: question.trim(), clicks: quoted(clicks), answers: quoted(answers) };
  });
}

const QUESTIONS = questionsOf(PAGE);

describe('the questions of the documentation', () => {
  it('are five, each answered with at most three clicks', () => {
    expect(QUESTIONS).toHaveLength(5);
    for (const { question, clicks, answers } of QUESTIONS) {
      expect(clicks.length, question).toBeLessThanOrEqual(MAX_CLICKS);
      expect(answers.length, question).toBeGreaterThan(1);
    }
  });
});

describe.skipIf(NO_BROWSER)('the demo in a browser', () => {
  let tests: PageTests;
  let demo: Demo;
  let url: string;
  beforeAll(async () => {
    tests = await PageTests.start();
    // As a visitor finds it: the agent has not gone on yet.
    demo = await startDemo({ isLive: false });
    ({ url } = await tests.mount((assets) =>
      mountViews(demo.data, { assets }, { isHarmless: true, onProblem: (message) => tests.errors.push(message) }),
    ));
  });
  afterAll(async () => {
    await tests.close();
    await demo.close();
  });

  it.each(QUESTIONS)('answers: $question', async ({ clicks, answers }) => {
    const page = await tests.open(url);
    await drawn(page);
    for (const name of clicks) await page.getByRole('link', { name }).first().click();
    for (const answer of answers) {
      const place = page
        .locator('main')
        .getByText(answer)
        .or(page.locator('main').getByRole('link', { name: answer }));
      await place
        .or(page.getByRole('button', { name: answer }))
        .first()
        .waitFor();
    }
    await page.locator('.notice', { hasText: 'Simulated' }).waitFor();
    await page.close();
    expect(tests.errors).toEqual([]);
  });
});
