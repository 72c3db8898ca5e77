/**
 * Draws the demo of the dashboard with the same data at each call: one picture for the README, and each screen in three
 * widths, light and dark, in `.tmp/pictures`. Keeps a sketch of each, with which a test compares later ones.
 * `npm run pictures -- readme` draws the first one only.
 * `npm run pictures -- --sessions FOLDER --into FOLDER` draws real transcripts instead, outside of the repository.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { drawn } from '../test/integrations/dashboard/page/browser.js';
import { DemoPictures, HEIGHT, LOOKS } from '../test/integrations/dashboard/page/demo-pictures.js';
import { drawAll, PICTURES, writeKept } from '../test/integrations/dashboard/page/kept-pictures.js';
import { RealSessions } from '../test/integrations/dashboard/page/real-sessions.js';
import { encodePng } from './palette-png.js';

const README_PICTURE = 'docs/pictures/dashboard.png';
const README_WIDTH = 1_440;
const MAX_README_BYTES = 120_000;

async function drawReadme(demo: DemoPictures): Promise<void> {
  const [drawn = Buffer.alloc(0)] = await demo.draw({ width: README_WIDTH, colorScheme: 'light' }, ['']);
  const picture = encodePng(await pixelsOf(demo, drawn), { width: README_WIDTH, height: HEIGHT });
  mkdirSync(dirname(README_PICTURE), { recursive: true });
  writeFileSync(README_PICTURE, picture);
  console.log(`${README_PICTURE}: ${picture.length} bytes`);
  if (picture.length > MAX_README_BYTES) throw new Error(`${README_PICTURE} has more than ${MAX_README_BYTES} bytes`);
}

/** Returns the pixels of a picture, four bytes each, as the browser reads them. */
async function pixelsOf({ tests }: DemoPictures, picture: Buffer): Promise<Buffer> {
  const page = await tests.open('about:blank');
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
  await page.close();
  return Buffer.from(text, 'base64');
}

/** Draws each screen with real sessions, in every look. Keeps nothing in the repository. */
async function drawSessions(sessions: string, into: string): Promise<void> {
  if (!relative(process.cwd(), into).startsWith('..'))
    throw new Error('--into is in the repository: name another folder');
  mkdirSync(into, { recursive: true });
  const real = await RealSessions.start(sessions);
  try {
    const screens = await real.screens();
    for (const { width, colorScheme } of LOOKS) {
      const page = await real.tests.open(real.openUrl, { viewport: { width, height: HEIGHT }, colorScheme });
      for (const [name, path] of screens) {
        await page.goto(real.url + path);
        await drawn(page);
        await page.screenshot({ path: join(into, `${name}-${width}-${colorScheme}.png`), animations: 'disabled' });
      }
      await page.close();
    }
    console.log(`${into}: ${screens.length * LOOKS.length} pictures`);
  } finally {
    await real.close();
  }
}

const { values } = parseArgs({
  options: { sessions: { type: 'string' }, into: { type: 'string' } },
  allowPositionals: true,
});
if (values.sessions !== undefined && values.into !== undefined) {
  await drawSessions(resolve(values.sessions), resolve(values.into));
  process.exit();
}

const demo = await DemoPictures.start();
try {
  await drawReadme(demo);
  if (!process.argv.includes('readme')) {
    const kept = await drawAll(demo);
    writeKept(kept);
    console.log(`${PICTURES}: ${Object.keys(kept.sketches).length} pictures`);
  }
  const { errors } = demo.tests;
  if (errors.length > 0) throw new Error(`the page reported errors:\n${errors.join('\n')}`);
} finally {
  await demo.close();
}
