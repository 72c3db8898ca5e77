import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder, makeFolderSync } from '../../src/node/make-folder.js';
import { testFolder } from './folder.js';

test('many that make the same folders at once are all done', async () => {
  const root = testFolder();
  for (let round = 0; round < 200; round++) {
    const path = join(root, `${round}`, 'ledger', '000000000000');
    await Promise.all(Array.from({ length: 8 }, (_, maker) => makeFolder(maker % 2 ? path : join(path, '..'))));
    expect(existsSync(path)).toBe(true);
  }
});

test('a place that takes no folder is an error, and ends', async () => {
  const file = join(testFolder(), 'file');
  writeFileSync(file, '');
  await expect(makeFolder(join(file, 'a', 'b'))).rejects.toThrow('ENOTDIR');
  expect(() => makeFolderSync(join(file, 'a', 'b'))).toThrow('ENOTDIR');
});

test.runIf(existsSync('/proc/self'))('a place that says its folder is not there is an error, and ends', async () => {
  await expect(makeFolder('/proc/x/y')).rejects.toThrow('ENOENT');
  expect(() => makeFolderSync('/proc/x/y')).toThrow('ENOENT');
});
