/**
 * The long versions of the tests of the drop folder: 50 kinds of poison 25 times over, 10,000 files in one moment, and killed 200
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
} from '../integrations/sources/drop-folder/trials.js';
import { campaigns } from './run-campaigns.js';

const folder = mkdtempSync(join(tmpdir(), 'rsi-drops-'));
const place = (name: string) => mkdtempSync(join(folder, `${name}-`));
const run = campaigns();

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
