import type { Page } from 'playwright-core';
import { type Demo, startDemo } from '../../../../integrations/dashboard/demo/start-demo.js';
import { mountViews } from '../../../../integrations/dashboard/server/mount.js';
import { drawn, PageTests } from './browser.js';

const NOW_MS = Date.UTC(2026, 4, 6, 13, 20);
export const HEIGHT = 900;
const WIDTHS = [360, 900, 1_440];
const COLORS = ['light', 'dark'] as const;

export interface Look {
  readonly width: number;
  readonly colorScheme: (typeof COLORS)[number];
}

export const LOOKS = WIDTHS.flatMap((width) => COLORS.map((colorScheme): Look => ({ width, colorScheme })));

/** A browser with the demo of the dashboard, which draws the same data in every run. */
export class DemoPictures {
  private constructor(
    readonly tests: PageTests,
    private readonly demo: Demo,
    private readonly url: string,
  ) {}

  static async start(): Promise<DemoPictures> {
    const demo = await startDemo({ nowMs: NOW_MS, isLive: false });
    const tests = await PageTests.start();
    const { url } = await tests.mount((assets) =>
      mountViews(demo.data, { assets }, { isHarmless: true, onProblem: (message) => tests.errors.push(message) }),
    );
    return new DemoPictures(tests, demo, url);
  }

  /** Draws screens in one look, as PNG. `css` is added to the page. */
  async draw({ width, colorScheme }: Look, paths: readonly string[], css = ''): Promise<readonly Buffer[]> {
    const page = await this.tests.open(this.url, {
      viewport: { width, height: HEIGHT },
      colorScheme,
      reducedMotion: 'reduce',
      locale: 'en-GB',
      timezoneId: 'UTC',
    });
    await page.clock.setFixedTime(NOW_MS);
    const pictures: Buffer[] = [];
    for (const path of paths) pictures.push(await picture(page, this.url + path, css));
    await page.close();
    return pictures;
  }

  /** Returns the screens of the demo: name of the picture, and path of the page. */
  async screens(): Promise<readonly (readonly [name: string, path: string])[]> {
    const { data } = this.demo;
    const overview = await data.view('overview');
    const session = (await data.view('sessions'))?.sessions.find(({ failures }) => failures > 0);
    const trials = (await data.view('trials'))?.trials ?? [];
    const running = trials.find(({ verdict }) => verdict === undefined);
    const confirmed = trials.find(({ verdict }) => verdict?.kind === 'confirmed');
    const benchmarks = await data.view('benchmarks');
    const compared = benchmarks?.benchmarks.find(({ action }) => action === 'compare');
    const below = (screen: string, id: string | undefined) => `${screen}/${encodeURIComponent(id ?? '')}`;
    return [
      ['overview', ''],
      ['patterns', 'patterns'],
      ['pattern', below('patterns', overview?.worst[0]?.id)],
      ['sessions', 'sessions'],
      ['session', below('sessions', session?.id)],
      ['trials', 'trials'],
      ['trial-running', below('trials', running?.fix.id)],
      ['trial-confirmed', below('trials', confirmed?.fix.id)],
      ['review', 'review'],
      ['models', 'models'],
      ['skills', 'skills'],
      ['skill', 'skills/invoice-total'],
      ['runs', 'runs'],
      ['run', 'runs/october?task=check%20Dune'],
      ['benchmarks', 'benchmarks'],
      ['benchmark', below('benchmarks', compared?.id)],
      ['improvement', below('improvements', benchmarks?.improvements[0]?.id)],
      ['settings', 'settings'],
      ['ledger', 'ledger'],
      ['store', 'store'],
    ];
  }

  async close(): Promise<void> {
    await this.tests.close();
    await this.demo.close();
  }
}

async function picture(page: Page, address: string, css: string): Promise<Buffer> {
  await page.goto(address);
  await drawn(page);
  await page.locator('.notice', { hasText: 'Simulated' }).waitFor();
  if ((await page.getByText('Nothing is stored under this id').count()) > 0)
    throw new Error(`${address} is not in the demo`);
  await page.evaluate(async (rules) => {
    await document.fonts.ready;
    // A style sheet made by a script is allowed by the content security policy; a style element is not.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rules);
    document.adoptedStyleSheets.push(sheet);
  }, css);
  return page.screenshot({ animations: 'disabled', caret: 'hide' });
}
