/**
 * Reads, prunes and revives published skills, and compares every byte. The folder of the environment variable
 * `RSI_PUBLISHED_SKILLS` has a folder for each repository. Prints a row for each, what was rejected, and what was held back.
 * Exits 1 if a byte changed.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { publishedFolder, tryPublished } from './skills/published.js';

const folder = publishedFolder();
if (folder === undefined) console.log('skipped: name a folder of repositories in RSI_PUBLISHED_SKILLS');
let changedAll = 0;
for (const name of folder === undefined ? [] : readdirSync(folder)) {
  const { repository, skills, files, read, unchanged, held, rejected, changed } = await tryPublished(
    join(folder ?? '', name),
  );
  console.log(
    `${repository}: ${skills} skills, ${files} files, ${read} read, ${unchanged} revived byte for byte, ${held.length} held back, ${rejected.length} rejected`,
  );
  for (const line of [...held.slice(0, 5), ...rejected.slice(0, 5)]) console.log(`  ${line}`);
  changedAll += changed.length;
}
process.exitCode = changedAll === 0 ? 0 : 1;
