import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_BROWSER } from './browser.js';
import { DemoPictures } from './demo-pictures.js';
import { drawAll, type Kept, readKept } from './kept-pictures.js';
import { difference, sketchOf } from './sketch.js';

/** Share of cells that may differ: smoothed edges, and a chart that draws a line a pixel higher. */
const SAME = 0.01;

describe.skipIf(NO_BROWSER)('the pictures of the demo', () => {
  let demo: DemoPictures;
  let now: Kept;
  beforeAll(async () => {
    demo = await DemoPictures.start();
    now = await drawAll(demo);
  }, 120_000);
  afterAll(() => demo.close());

  it('look as they did when they were kept', ({ skip }) => {
    const kept = readKept();
    if (`${now.fonts}` !== `${kept.fonts}`) skip('this machine has other fonts, which break lines elsewhere');
    expect(Object.keys(now.sketches)).toEqual(Object.keys(kept.sketches));
    for (const [name, sketch] of Object.entries(now.sketches)) {
      const before = kept.sketches[name] ?? [];
      // A difference shows as a diff of sketches. The picture itself is in .tmp/pictures.
      if (difference(sketch, before) > SAME) expect(sketch, `${name}: npm run pictures keeps a change`).toEqual(before);
    }
    expect(demo.tests.errors).toEqual([]);
  });

  it.each([
    ['a chart without its lines', '', 'figure.chart canvas { visibility: hidden }'],
    ['a table without its numbers', 'patterns', 'tbody td { visibility: hidden !important }'],
    ['a heading of twice the height', '', 'h2 { font-size: 2em !important }'],
    ['a page whose colours are gone', '', '* { color: inherit !important; background: none !important }'],
  ])('would show %s', async (_, path, css) => {
    const blank = await demo.tests.open('about:blank');
    const look = { width: 1_440, colorScheme: 'light' } as const;
    const [before = Buffer.alloc(0)] = await demo.draw(look, [path]);
    const [after = Buffer.alloc(0)] = await demo.draw(look, [path], css);
    expect(difference(await sketchOf(blank, before), await sketchOf(blank, after))).toBeGreaterThan(SAME);
    await blank.close();
  });
});
