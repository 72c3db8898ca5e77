/**
 * Draws the demo of the dashboard with the same data at each call: one picture for the README, and each screen in three
 * widths, light and dark, in `.tmp/pictures`. `npm run pictures -- readme` draws the first one only.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { type Demo, startDemo } from '../integrations/dashboard/demo/start-demo.js';
import { mountViews } from '../integrations/dashboard/server/mount.js';
import { drawn, PageTests } from '../test/integrations/dashboard/page/browser.js';
import { encodePng } from './palette-png.js';

const NOW_MS = Date.UTC(2026, 4, 6, 13, 20);
const README_PICTURE = 'docs/pictures/dashboard.png';
const MAX_README_BYTES = 120_000;
const FOLDER = '.tmp/pictures';
const HEIGHT = 900;
const WIDTHS = [360, 900, 1_440];
const COLORS = ['light', 'dark'] as const;

type Look = { readonly width: number; readonly colorScheme: (typeof COLORS)[number] };

async function openPage(tests: PageTests, url: string, { width, colorScheme }: Look): Promise<Page> {
  const page = await tests.open(url, {
    viewport: { width, height: HEIGHT },
    colorScheme,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
  });
  await page.clock.setFixedTime(NOW_MS);
  return page;
}

/** Opens a screen and returns its picture. */
async function draw(page: Page, address: string): Promise<Buffer> {
  await page.goto(address);
  await drawn(page);
  await page.locator('.notice', { hasText: 'Simulated' }).waitFor();
  await page.evaluate(() => document.fonts.ready);
  return page.screenshot({ animations: 'disabled', caret: 'hide' });
}

function save(path: string, picture: Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, picture);
}

/** Returns the pixels of a picture, four bytes each, as the browser reads them. */
async function pixelsOf(page: Page, picture: Buffer): Promise<Buffer> {
  await page.goto('about:blank');
  const text = await page.evaluate(
    async (source) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
      canvas?.drawImage(image, 0, 0);
      const bytes = canvas?.getImageData(0, 0, image.width, image.height).data ?? [];
      let written = '';
      for (const byte of bytes) written += String.fromCharCode(byte);
      return btoa(written);
    },
    `data:image/png;base64,${picture.toString('base64')}`,
  );
  return Buffer.from(text, 'base64');
}

async function drawReadme(tests: PageTests, url: string): Promise<void> {
  const page = await openPage(tests, url, { width: 1_440, colorScheme: 'light' });
  const pixels = await pixelsOf(page, await draw(page, url));
  await page.close();
  const picture = encodePng(pixels, { width: 1_440, height: HEIGHT });
  save(README_PICTURE, picture);
  console.log(`${README_PICTURE}: ${picture.length} bytes`);
  if (picture.length > MAX_README_BYTES) throw new Error(`${README_PICTURE} has more than ${MAX_README_BYTES} bytes`);
}

/** Returns the screens of the demo: name of the picture, and path of the page. */
async function screensOf({ data }: Demo): Promise<readonly (readonly [name: string, path: string])[]> {
  const overview = await data.view('overview');
  const session = (await data.view('sessions'))?.sessions.find(({ failures }) => failures > 0);
  const trials = (await data.view('trials'))?.trials ?? [];
  const running = trials.find(({ verdict }) => verdict === undefined);
  const confirmed = trials.find(({ verdict }) => verdict?.kind === 'confirmed');
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
    ['settings', 'settings'],
    ['ledger', 'ledger'],
    ['store', 'store'],
  ];
}

const demo = await startDemo({ nowMs: NOW_MS, isLive: false });
const tests = await PageTests.start();
try {
  const { url } = await tests.mount((assets) =>
    mountViews(demo.data, { assets }, { isHarmless: true, onProblem: (message) => console.error(message) }),
  );
  await drawReadme(tests, url);
  const looks = process.argv.includes('readme')
    ? []
    : WIDTHS.flatMap((width) => COLORS.map((colorScheme): Look => ({ width, colorScheme })));
  const screens = await screensOf(demo);
  for (const look of looks) {
    const page = await openPage(tests, url, look);
    for (const [name, path] of screens) {
      save(join(FOLDER, `${name}-${look.width}-${look.colorScheme}.png`), await draw(page, url + path));
    }
    await page.close();
  }
  if (looks.length > 0) console.log(`${FOLDER}: ${looks.length * screens.length} pictures`);
  if (tests.errors.length > 0) throw new Error(`the page reported errors:\n${tests.errors.join('\n')}`);
} finally {
  await tests.close();
  await demo.close();
}
