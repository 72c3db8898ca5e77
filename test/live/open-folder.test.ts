// Loaded here: a test that ends while the store still loads them breaks the files after it.
import 'rsi-loop/node';
import 'rsi-loop/stores/postgres';
import { ManualClock } from 'rsi-loop/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openFolder } from '../../src/live/open-folder.js';

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('a store that is given as a text', () => {
  it('writes under a name of twelve letters and digits, of the time and of chance', async () => {
    const writerAt = (nowMs: number, random: number) =>
      openFolder('postgres://ada:s3cret@127.0.0.1:1/none', new ManualClock(nowMs), () => random).journal.writer;
    expect(writerAt(1_700_000_000_999, 0.5)).toBe('s44we8i00000');
    expect(writerAt(0, 0)).toBe('000000000000');
    expect(writerAt(1_700_000_001_000, 0.5)).toBe('s44we9i00000');
    expect(writerAt(1_700_000_000_000, 1 - 2 ** -40)).toBe('s44we8zzzzzz');
    // The stores load this entry. A test file that ends before would break the import of it in a later file.
    await import('rsi-loop/stores/postgres');
  });

  it.each([
    ['./data', 'store is "./data": folders need Node, Bun or Deno; give a store object'],
    ['xpostgres://data', 'store is "xpostgres://data": folders need Node'],
    ['postgres://ada:s3cret@host/db', 'store is "postgres://...": folders need Node'],
    ['postgresql://ada:s3cret@host/db', 'store is "postgres://...": folders need Node'],
  ])('is refused in a browser, without its password: %s', (store, message) => {
    for (const process of [undefined, {}, { versions: {} }]) {
      vi.stubGlobal('process', process);
      const open = () => openFolder(store, new ManualClock(0), Math.random);
      expect(open).toThrow(message);
      expect(open).not.toThrow('s3cret');
      vi.unstubAllGlobals();
    }
  });
});
