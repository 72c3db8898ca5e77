import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SECONDS } from './long-files.js';

it('lists only test files that exist, so that a renamed one still begins first', () => {
  const missing = Object.keys(SECONDS).filter((name) => !existsSync(join(import.meta.dirname, `${name}.slow.test.ts`)));
  expect(missing).toEqual([]);
});
