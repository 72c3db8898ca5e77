/**
 * The long versions of the tests of the drop folder: 50 kinds of poison 25 times over, 10,000 files at once, and killed 200
 * times by one and by two watchers. `-- drop-folder --kill` runs the parts whose name holds the word.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '../../src/lib/random.js';
import {
  bundleDropper,
  flood,
  killAtEveryStep,
  killWhileTaking,
  poisonAmongGood,
  type TrialReport,
} from '../integrations/sources/drop-folder/trials.js';

const folder = mkdtempSync(join(tmpdir(), 'rsi-drops-'));
const place = (name: string) => mkdtempSync(join(folder, `${name}-`));
const only = process.argv.slice(2).map((arg) => arg.replace(/^--/, ''));

async function run(name: string, campaign: () => Promise<TrialReport>): Promise<void> {
  if (only.length > 0 && !only.some((word) => name.includes(word))) return;
  const startedMs = performance.now();
  const { broken, ...counts } = await campaign();
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(0);
  console.log(`${name}: ${JSON.stringify(counts)}, promises broken: ${broken.length} (${seconds} s)`);
  for (const what of broken.slice(0, 10)) console.log(`  ${what}`);
  if (broken.length > 0) process.exitCode = 1;
}

try {
  await run('poison', () => poisonAmongGood(place('poison'), 25, 1_000));
  await run('flood of 10,000 files', () => flood(place('flood'), 10_000));
  const script = await bundleDropper(folder);
  await run('kill -9 before each step', () => killAtEveryStep(place('steps'), script, 1));
  await run('kill -9, one watcher', () =>
    killWhileTaking(place('one'), { script, kills: 200, watchers: 1, random: seededRandom(5) }),
  );
  await run('kill -9, two watchers', () =>
    killWhileTaking(place('two'), { script, kills: 200, watchers: 2, random: seededRandom(6) }),
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
