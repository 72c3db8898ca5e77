import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const MAX_COLORS = 256;
/** Header fields after the size: 8 bits a pixel, each an index of the palette, not interlaced. */
const INDEXED = [8, 3, 0, 0, 0];

/** Returns RGBA pixels as a PNG of at most 256 colours: a page of text is about a third of its usual size. */
export function encodePng(pixels: Uint8Array, { width, height }: { width: number; height: number }): Buffer {
  const colors = new Map<number, number>();
  for (let at = 0; at < pixels.length; at += 4) {
    const color = colorAt(pixels, at);
    colors.set(color, (colors.get(color) ?? 0) + 1);
  }
  const byCount = [...colors].sort((a, b) => b[1] - a[1]).map(([color]) => color);
  const palette = byCount.slice(0, MAX_COLORS);
  const places = new Map(byCount.map((color, at) => [color, at < MAX_COLORS ? at : nearest(palette, color)]));
  const rows = Buffer.alloc((width + 1) * height);
  for (let at = 0; at < pixels.length; at += 4) {
    const pixel = at / 4;
    // Each row begins with its filter: none.
    rows[pixel + Math.floor(pixel / width) + 1] = places.get(colorAt(pixels, at)) ?? 0;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set(INDEXED, 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap(channels))),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function colorAt(pixels: Uint8Array, at: number): number {
  return ((pixels[at] ?? 0) << 16) | ((pixels[at + 1] ?? 0) << 8) | (pixels[at + 2] ?? 0);
}

function channels(color: number): readonly [number, number, number] {
  return [color >> 16, (color >> 8) & 255, color & 255];
}

function nearest(palette: readonly number[], color: number): number {
  const distances = palette.map((other) => distance(channels(other), channels(color)));
  return distances.indexOf(Math.min(...distances));
}

function distance(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, at) => sum + (value - (b[at] ?? 0)) ** 2, 0);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(body.length + 8);
  frame.writeUInt32BE(data.length);
  frame.set(body, 4);
  frame.writeUInt32BE(crc32(body) >>> 0, body.length + 4);
  return frame;
}
