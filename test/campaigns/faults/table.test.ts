import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { FAULT_CLASSES } from './classes.js';

it('stands in docs/security.md with a row and its counts for every class', () => {
  const page = readFileSync(resolve(import.meta.dirname, '../../../docs/security.md'), 'utf8');
  const rows = page.split('\n').filter((line) => /^\| .* \| +\d+ \|.*\| held/.test(line));
  expect(rows.map((row) => row.split('|')[1]?.trim())).toEqual(FAULT_CLASSES.map(({ name }) => name));
  expect(FAULT_CLASSES).toHaveLength(27);
});
