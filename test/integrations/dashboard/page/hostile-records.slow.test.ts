import type { Page } from 'playwright-core';
import { mark, RSILoop } from 'rsi-loop';
import { createDashboard } from 'rsi-loop/dashboard';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attacksFound, NO_ATTACKS } from './attacks-found.js';
import { drawn, NO_BROWSER, PageTests } from './browser.js';
import { HOSTILE_VARIANTS } from './hostile-variants.js';

/** Records every text in every field that holds one: often enough to be a pattern, and a proposal. */
function recordAttacks(loop: RSILoop): void {
  for (const text of HOSTILE_VARIANTS) {
    const own = { source: text, session: text, agent: text, model: text, tool: text, expected: text, actual: text };
    const failed = { success: false, error: { message: text, name: text, code: text }, issues: ['timeout', text] };
    const more = {
      tags: [text],
      context: { [text]: text },
      attempts: [{ success: false, durationMs: 1, model: text }],
    };
    for (let times = 0; times < 4; times++) loop.observer.record({ task: text, ...own, ...failed, ...more });
    loop.observer.record({ task: text, ...own, success: true });
  }
}

/** Titles of the screens of a single record. */
const ONE: Readonly<Record<string, string>> = { patterns: 'Why does', sessions: 'What happened in session' };

describe.skipIf(NO_BROWSER)('records that attack the page', () => {
  let tests: PageTests;
  let loop: RSILoop;
  let url: string;
  beforeAll(async () => {
    tests = await PageTests.start();
    loop = new RSILoop({ autoFix: false });
    recordAttacks(loop);
    await loop.runCycle();
    for (const [at, text] of HOSTILE_VARIANTS.slice(0, 60).entries()) {
      await mark(loop, 'deploy', text || 'x', { by: 'ada' }).catch(() => undefined);
      const fix = loop.fixes({ status: 'proposed' })[at % 3];
      if (fix && at < 30) await loop.reject(fix.id, { by: text, reason: text }).catch(() => undefined);
    }
    await loop.freeze({ by: 'ada', reason: HOSTILE_VARIANTS[1] ?? '' });
    ({ openUrl: url } = await tests.mount((assets) => createDashboard({ loop, assets })));
  });
  afterAll(async () => {
    await tests.close();
    await loop.close();
  });

  const see = async (page: Page, path: string) => {
    await page.evaluate((address) => {
      history.pushState(null, '', address);
      dispatchEvent(new PopStateEvent('popstate'));
    }, path);
    const [, screen = ''] = path.split(/[/?]/);
    await page.locator('main h1', { hasText: path.length > screen.length + 2 ? (ONE[screen] ?? '') : '' }).waitFor();
    await drawn(page);
    await page.evaluate(() => new Promise((seen) => requestAnimationFrame(() => setTimeout(seen))));
    expect(await attacksFound(page), path).toEqual(NO_ATTACKS);
  };

  it.each([360, 1_440])(
    'run nothing, become no markup and break no layout, 200 of them in all fields, at %i px',
    async (width) => {
      expect(HOSTILE_VARIANTS.length).toBeGreaterThanOrEqual(200);
      const page = await tests.open(url, { viewport: { width, height: 900 } });
      const foreign: string[] = [];
      const { origin } = new URL(url);
      page.on('request', (request) => {
        if (!request.url().startsWith(origin)) foreign.push(request.url());
      });
      page.on('dialog', (dialog) => foreign.push(dialog.message()));
      await drawn(page);
      const ids = await page.evaluate(async () => {
        const read = async (path: string) => (await fetch(`/api/${path}`)).json();
        const { patterns } = await read('patterns');
        const { sessions } = await read('sessions?limit=1000');
        const { waiting } = await read('review');
        const of = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);
        return { patterns: of(patterns), sessions: of(sessions), fixes: of(waiting) };
      });
      console.log(`${ids.patterns.length} patterns, ${ids.sessions.length} sessions, ${ids.fixes.length} proposals`);
      expect(ids.sessions.length).toBeGreaterThan(180);
      const below = (screen: string, names: readonly string[], step: number) =>
        names.filter((_, at) => at % step === 0).map((id) => `/${screen}/${encodeURIComponent(id)}`);
      const lists = ['/', '/patterns', '/sessions', '/trials', '/review', '/models', '/settings', '/ledger', '/store'];
      // The two widths see the two halves of the single records.
      const step = 2;
      const [patterns, sessions] = [ids.patterns, ids.sessions].map((names) => names.slice(width === 360 ? 0 : 1));
      const addresses = [
        ...lists,
        ...below('patterns', patterns ?? [], step),
        ...below(
          'sessions',
          (sessions ?? []).filter((id) => !/^(\.\.?|~.*)$/.test(id)),
          step,
        ),
        ...ids.fixes.filter((_, at) => at % 8 === 0).map((id) => `/review?fix=${encodeURIComponent(id)}`),
      ];
      for (const path of addresses) await see(page, path);
      // Tables draw the rows in sight only.
      for (const path of ['/patterns', '/sessions', '/models']) {
        await see(page, path);
        for (let row = 0; row < ids.sessions.length; row += 20) {
          await page
            .locator('.rows')
            .first()
            .evaluate((rows, top) => rows.scrollTo(0, top), row * 32);
          await page.evaluate(() => new Promise(requestAnimationFrame));
          expect(await attacksFound(page), `${path}, row ${row}`).toEqual(NO_ATTACKS);
        }
      }
      expect(foreign).toEqual([]);
      expect(tests.errors).toEqual([]);
      await page.close();
    },
    180_000,
  );
});
