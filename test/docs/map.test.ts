import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT, readPage } from './code-blocks.js';

const entriesOf = (folder: string) => readdirSync(join(ROOT, folder)).sort();

/** Folders and files in the picture of a page, above and below its double line. */
function mapOf(page: string): { readonly integrations: readonly string[]; readonly src: readonly string[] } {
  const lines = readPage(page).split('\n');
  const fence = lines.findIndex((line) => line.includes('══'));
  const first = lines.findLastIndex((line, at) => at < fence && line.trim() === '') + 1;
  const last = lines.findIndex((line, at) => at > fence && line.trim() === '');
  // Names begin in one column; what they are is in the next.
  const names = (rows: readonly string[]) => rows.flatMap((row) => row.slice(19, 71).match(/[a-z][a-z.]+/g) ?? []);
  const isRow = (row: string) => !row.includes('│');
  return {
    integrations: names(lines.slice(first, fence).filter(isRow)).sort(),
    src: names(lines.slice(fence + 1, last).filter(isRow)).sort(),
  };
}

it.each(['docs/README.md', 'CONTRIBUTING.md'])('the map in %s has every folder, and no other', (page) => {
  expect(mapOf(page)).toEqual({ integrations: entriesOf('integrations'), src: entriesOf('src') });
});
