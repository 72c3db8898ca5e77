import type { Page } from 'playwright-core';

/** Side of a cell in pixels. */
const CELL = 30;
/** Levels of ink in a cell: the share of pixels that are not the background, from none to all. */
const LEVELS = ' .:-=+*#%@';

/**
 * A picture as rows of characters, one per cell of 30 by 30 pixels: the more ink, the darker the character. Ink is what
 * differs from the most frequent colour. A person sees in a diff of two sketches where a screen has changed.
 */
export type Sketch = readonly string[];

/** Sketches a PNG. `page` is any page that may be left, which decodes the picture. */
export async function sketchOf(page: Page, picture: Buffer): Promise<Sketch> {
  const shares = await page.evaluate(sharesOfInk, {
    source: `data:image/png;base64,${picture.toString('base64')}`,
    cell: CELL,
  });
  const last = LEVELS.length - 1;
  // A line of text fills a quarter of its cells, so the root spreads what pictures of pages have.
  return shares.map((row) => row.map((share) => LEVELS[Math.round(Math.sqrt(share) * last)]).join(''));
}

/** Runs in the page. */
async function sharesOfInk({ source, cell }: { readonly source: string; readonly cell: number }): Promise<number[][]> {
  const image = new Image();
  image.src = source;
  await image.decode();
  const { width, height } = image;
  const canvas = new OffscreenCanvas(width, height).getContext('2d');
  if (canvas === null) throw new Error('no canvas');
  canvas.drawImage(image, 0, 0);
  const colors = new Uint32Array(canvas.getImageData(0, 0, width, height).data.buffer);
  const counts = new Map<number, number>();
  for (const color of colors) counts.set(color, (counts.get(color) ?? 0) + 1);
  const background = [...counts].reduce((most, other) => (other[1] > most[1] ? other : most))[0];
  const rows: number[][] = [];
  for (let top = 0; top < height; top += cell) {
    const row: number[] = [];
    for (let left = 0; left < width; left += cell) {
      let [ink, pixels] = [0, 0];
      for (let y = top; y < Math.min(top + cell, height); y++) {
        for (let x = left; x < Math.min(left + cell, width); x++) {
          pixels++;
          if (colors[y * width + x] !== background) ink++;
        }
      }
      row.push(ink / pixels);
    }
    rows.push(row);
  }
  return rows;
}

/** Share of the cells of two sketches that differ by two levels or more; 1 if their sizes differ. */
export function difference(a: Sketch, b: Sketch): number {
  const [left, right] = [a.join('\n'), b.join('\n')];
  if (left.length !== right.length) return 1;
  let changed = 0;
  for (let at = 0; at < left.length; at++) {
    if (Math.abs(LEVELS.indexOf(left.charAt(at)) - LEVELS.indexOf(right.charAt(at))) > 1) changed++;
  }
  return changed / left.length;
}
