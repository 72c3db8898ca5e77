import { existsSync } from 'node:fs';
import { dirname } from 'node:path';

/** Tests to run for a change: filters for the runner, by project. */
export interface ChangedTests {
  readonly fast: readonly string[];
  readonly slow: readonly string[];
}

/** Parts that nearly everything uses: a change there runs the tests of the whole core. */
const EVERYWHERE = /^src\/(contract|lib)\//;
const CORE =
  'contract classify lib observe analyze fix run verify ledger experience defaults node record testing live judge';
const PAGE = /^integrations\/dashboard\/page\//;
/** Draws every screen of the page in a browser. */
const SCREENS = 'test/integrations/dashboard/page/screens.slow.test.ts';

/** Returns the tests of the parts that changed files belong to. `exists` looks for folders of tests. */
export function testsOf(changed: readonly string[], exists: (path: string) => boolean = existsSync): ChangedTests {
  const code = changed.filter((file) => /^(src|integrations|test)\/.*\.tsx?$/.test(file));
  const fast = new Set<string>();
  const slow = new Set<string>();
  for (const file of code) {
    fast.add('test/architecture.test.ts');
    if (file.endsWith('.slow.test.ts')) slow.add(file);
    else if (file.endsWith('.test.ts')) fast.add(file);
    else if (EVERYWHERE.test(file)) for (const part of CORE.split(' ')) fast.add(`test/${part}/`);
    else fast.add(folderOf(file, exists));
    if (PAGE.test(file)) slow.add(SCREENS);
  }
  if (changed.some((file) => file.endsWith('.md'))) fast.add('test/links.test.ts').add('test/voice.test.ts');
  return { fast: [...fast].sort(), slow: [...slow].sort() };
}

/** Returns the nearest folder of tests that mirrors a file. */
function folderOf(file: string, exists: (path: string) => boolean): string {
  const mirrored = file.replace(/^src\//, 'test/').replace(/^integrations\//, 'test/integrations/');
  for (let folder = dirname(mirrored); folder !== 'test' && folder !== '.'; folder = dirname(folder)) {
    if (exists(folder)) return `${folder}/`;
  }
  return 'test/scenarios/';
}
