import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeViolations, drawn, NO_BROWSER } from './browser.js';
import { NO_SESSIONS, RealSessions } from './real-sessions.js';

const MAX_SECONDS = 60;
const MAX_SCREENS = 3;

if (NO_SESSIONS !== undefined) console.log(`skipped: ${NO_SESSIONS}`);

/** A reader with a keyboard and no pointer. Counts the screens that it opens. */
class Reader {
  readonly #sinceMs = performance.now();
  #screens = 1;

  private constructor(
    readonly page: Page,
    private readonly question: string,
  ) {}

  static async open(real: RealSessions, question: string): Promise<Reader> {
    const page = await real.tests.open(real.openUrl);
    await drawn(page);
    return new Reader(page, question);
  }

  async keys(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** Presses keys that open another screen, and waits for its question. */
  async to(question: RegExp, ...keys: readonly string[]): Promise<void> {
    this.#screens += 1;
    await this.keys(...keys);
    await this.page.getByRole('heading', { level: 1, name: question }).waitFor();
    await drawn(this.page);
  }

  /** Moves the focus with Tab until it is on a control with this name, and presses Enter. */
  async choose(name: RegExp): Promise<void> {
    for (let times = 0; times < 200; times += 1) {
      const focused = await this.page.evaluate(() => {
        const { activeElement: at } = document;
        return `${at?.getAttribute('aria-label') ?? ''} ${at?.textContent ?? ''}`.trim();
      });
      if (name.test(focused)) return this.keys('Enter');
      await this.keys('Tab');
    }
    throw new Error(`${this.question} no control is named ${name}`);
  }

  async end(): Promise<void> {
    const seconds = (performance.now() - this.#sinceMs) / 1_000;
    console.log(`${this.question} ${seconds.toFixed(1)} s, screens: ${this.#screens}`);
    expect(seconds).toBeLessThan(MAX_SECONDS);
    expect(this.#screens).toBeLessThanOrEqual(MAX_SCREENS);
    await this.page.close();
  }
}

describe.skipIf(NO_BROWSER || NO_SESSIONS !== undefined)('real sessions, read with a keyboard', () => {
  let real: RealSessions;
  beforeAll(async () => {
    real = await RealSessions.start();
  });
  afterAll(() => real.close());

  it('answer: what fails worst?', async () => {
    const reader = await Reader.open(real, 'What fails worst?');
    await reader.to(/^What fails/, 'g', 'f');
    const answer = (await reader.page.locator('.sentence').textContent()) ?? '';
    expect(answer).toMatch(/fails worst, with .+ \(.*“.+”\): \d+ of \d+/);
    const first = await reader.page.locator('tbody tr').first().locator('th, td').allTextContents();
    // Task, message, rate and share of sessions of the worst one.
    expect(first[1]?.length).toBeGreaterThan(8);
    expect(first[2]).toMatch(/% of/);
    expect(first[3]).toMatch(/%/);
    await reader.end();
  });

  it('answer: show me a failing call with its arguments', async () => {
    const reader = await Reader.open(real, 'Show me a failing call with its arguments.');
    await reader.to(/^What happened in each session/, 'g', 's');
    await reader.keys('j');
    await reader.to(/^What happened in session/, 'Enter');
    const detail = reader.page.getByRole('region', { name: 'The chosen call' });
    await detail.getByRole('heading', { name: 'Error' }).waitFor();
    await detail.getByRole('heading', { name: 'Arguments' }).waitFor();
    await detail.getByRole('heading', { name: 'Result' }).waitFor();
    expect((await detail.locator('.arguments dd').first().textContent())?.length).toBeGreaterThan(0);
    await reader.keys('n');
    await reader.page.waitForURL(/call=/);
    await reader.end();
  });

  it('answer: is the fix proven?', async () => {
    const reader = await Reader.open(real, 'Is the fix proven?');
    await reader.to(/^Which fixes help/, 'g', 't');
    const answer = (await reader.page.locator('.sentence').textContent()) ?? '';
    // Records of the past compare nothing: the honest answer is that no fix was tried.
    expect(answer).toMatch(/No fix was tried yet|helped/);
    await reader.end();
  });

  it('answer: what should I decide?', async () => {
    const reader = await Reader.open(real, 'What should I decide?');
    await reader.to(/^What should I decide/, 'g', 'r');
    expect(await reader.page.locator('.sentence').textContent()).toMatch(/fit|wait/);
    await reader.page
      .getByText(/No trial can decide this here|Needs about|needs about/i)
      .first()
      .waitFor();
    await reader.end();
  });

  it('answer: undo it', async () => {
    const reader = await Reader.open(real, 'Undo it.');
    await reader.to(/^What should I decide/, 'g', 'r');
    const title = await reader.page.locator('.detail-title').textContent();
    await reader.keys('x');
    await reader.page.getByRole('dialog').waitFor();
    const { page } = reader;
    await page.getByLabel(/Who decides/).focus();
    await page.keyboard.type(' ada');
    await reader.keys('Tab');
    await page.keyboard.type('not now');
    await reader.choose(/^Reject/);
    await page.getByRole('heading', { name: /Rejected/ }).waitFor();
    await reader.choose(/^Undo: propose again/);
    await page.getByRole('heading', { name: 'Propose this fix again?' }).waitFor();
    await reader.choose(/^Propose again/);
    await page.getByRole('heading', { name: /Proposed again/ }).waitFor();
    await reader.choose(/^Close/);
    await page
      .locator('.master-list')
      .getByText((title ?? '').slice(0, 60))
      .first()
      .waitFor();
    await reader.end();
  });

  it('break no rule of accessibility on any screen, light and dark, in three widths', async () => {
    const screens = await real.screens();
    const found: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await real.tests.open(real.openUrl, { colorScheme, reducedMotion: 'reduce' });
      for (const width of [360, 900, 1_440]) {
        await page.setViewportSize({ width, height: 900 });
        for (const [name, path] of screens) {
          await page.goto(real.url + path);
          await drawn(page);
          for (const violation of await axeViolations(page))
            found.push(`${name} ${width} ${colorScheme}: ${violation}`);
        }
      }
      await page.close();
    }
    expect(found).toEqual([]);
    expect(real.tests.errors).toEqual([]);
  });
});
