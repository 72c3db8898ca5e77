import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DemoPictures, LOOKS } from './demo-pictures.js';
import { type Sketch, sketchOf } from './sketch.js';

/** Folder of the pictures, which git ignores. */
export const PICTURES = '.tmp/pictures';
const SKETCHES = new URL('pictures.json', import.meta.url);

/** Sketches of pictures, and the widths of a text in the fonts they were drawn with: other fonts break lines elsewhere. */
export interface Kept {
  readonly fonts: readonly number[];
  readonly sketches: Readonly<Record<string, Sketch>>;
}

/** Draws every screen of the demo in every look, keeps the pictures, and returns their sketches. */
export async function drawAll(demo: DemoPictures): Promise<Kept> {
  mkdirSync(PICTURES, { recursive: true });
  const screens = await demo.screens();
  const blank = await demo.tests.open('about:blank');
  const sketches: Record<string, Sketch> = {};
  for (const look of LOOKS) {
    const pictures = await demo.draw(
      look,
      screens.map(([, path]) => path),
    );
    for (const [at, picture] of pictures.entries()) {
      const name = `${screens[at]?.[0]}-${look.width}-${look.colorScheme}`;
      writeFileSync(join(PICTURES, `${name}.png`), picture);
      sketches[name] = await sketchOf(blank, picture);
    }
  }
  const fonts = await blank.evaluate(() =>
    ['system-ui', 'ui-monospace'].map((family) => {
      const text = document.createElement('span');
      text.style.font = `600 40px ${family}`;
      text.textContent = 'What fails most, 12,345 of 67,890 %';
      document.body.append(text);
      return Math.round(text.getBoundingClientRect().width);
    }),
  );
  await blank.close();
  return { fonts, sketches };
}

export function readKept(): Kept {
  return existsSync(SKETCHES) ? JSON.parse(readFileSync(SKETCHES, 'utf8')) : { fonts: [], sketches: {} };
}

export function writeKept(kept: Kept): void {
  writeFileSync(SKETCHES, `${JSON.stringify(kept, null, 1)}\n`);
}
