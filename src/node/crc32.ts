/**
 * Returns the CRC-32 of zlib and PNG over part of a buffer. `node:zlib` has one too, but it is slower on a line of a
 * few hundred bytes: it needs a new view of the part for each call.
 */
export function crc32(bytes: DataView, from: number, to: number): number {
  tables ??= makeTables();
  const table = tables;
  let crc = -1;
  let at = from;
  // Eight bytes at a time: table k holds the effect of a byte on the sum k bytes later ("slicing by 8", Kounavis 2005).
  for (const last = to - 8; at <= last; at += 8) {
    const one = crc ^ bytes.getInt32(at, true);
    const two = bytes.getInt32(at + 4, true);
    crc =
      at8(table, 7, one) ^
      at8(table, 6, one >>> 8) ^
      at8(table, 5, one >>> 16) ^
      at8(table, 4, one >>> 24) ^
      at8(table, 3, two) ^
      at8(table, 2, two >>> 8) ^
      at8(table, 1, two >>> 16) ^
      at8(table, 0, two >>> 24);
  }
  for (; at < to; at++) crc = (crc >>> 8) ^ at8(table, 0, crc ^ bytes.getUint8(at));
  return ~crc >>> 0;
}

function at8(table: Int32Array, slice: number, byte: number): number {
  return table[(slice << 8) | (byte & 255)] ?? 0;
}

/** Built on first use, so importing costs nothing. Constant afterwards. */
let tables: Int32Array | undefined;

function makeTables(): Int32Array {
  const table = new Int32Array(8 * 256);
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
    table[byte] = crc;
  }
  for (let index = 256; index < table.length; index++) {
    const before = table[index - 256] ?? 0;
    table[index] = (before >>> 8) ^ (table[before & 255] ?? 0);
  }
  return table;
}
