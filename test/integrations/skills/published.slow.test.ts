import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type PublishedReport, publishedFolder, tryPublished } from '../../campaigns/skills/published.js';

const folder = publishedFolder();
if (folder === undefined)
  console.log('published skills: skipped, as there is no folder: name one in RSI_PUBLISHED_SKILLS');

it.skipIf(folder === undefined)('published skills are read, pruned and revived byte for byte', async () => {
  const reports: PublishedReport[] = [];
  for (const name of readdirSync(folder ?? '')) reports.push(await tryPublished(join(folder ?? '', name)));
  const sum = (of: 'skills' | 'read' | 'unchanged') => reports.reduce((all, one) => all + one[of], 0);
  expect(sum('skills')).toBeGreaterThanOrEqual(150);
  expect(reports.flatMap(({ changed }) => changed)).toEqual([]);
  expect(sum('unchanged')).toBe(sum('read'));
  expect(sum('read') / sum('skills')).toBeGreaterThan(0.97);
  expect(reports.flatMap(({ held }) => held).length / sum('read')).toBeLessThan(0.02);
});
