import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '../../../src/lib/random.js';
import { bundleDropper, killAtEveryStep, poisonAmongGood } from '../../integrations/sources/drop-folder/trials.js';
import { craftContent } from '../../node/crafted-store.js';
import { bundleRecorder, killAtRandom } from '../../node/processes.js';
import { cutPower, flipBits, killAtEveryCall, loseFolder, refuse, tearTails } from '../../node/store-faults.js';
import { patchBesideAnEditor, raceLinks } from '../../node/workspace-faults.js';
import { sendHostileInput } from '../../observe/hostile-input.js';
import { countsOf, type FaultClass } from './fault-class.js';

const STORE = 'npm run campaign -- store';

/** Every class of faults, in the order of the table. */
export const FAULT_CLASSES: readonly FaultClass[] = [
  { name: 'kill at every file call', run: async () => countsOf(await killAtEveryCall([1])), inFull: STORE },
  { name: 'power cut', run: async () => countsOf(await cutPower(1_000, 1)), inFull: STORE },
  { name: 'torn tail', run: async () => countsOf(await tearTails(200, 1)), inFull: STORE },
  { name: 'bit flip', run: async () => flipped(await flipBits(1_000, 1)), inFull: STORE },
  {
    name: 'ENOSPC, EIO, EDQUOT, EMFILE, EACCES, EROFS',
    run: async () => countsOf(await refuse([1, 30], 7)),
    inFull: STORE,
  },
  { name: 'folder deleted, moved, replaced', run: async () => countsOf(await loseFolder(5)), inFull: STORE },
  {
    name: 'many processes',
    run: async (folder) => {
      const options = { processes: 3, records: 3_000, kills: 60, random: seededRandom(7) };
      return countsOf(
        await killAtRandom({ ...options, folder: placeIn(folder), script: await bundleRecorder(folder) }),
      );
    },
    inFull: STORE,
  },
  { name: 'stopped leader', missing: 'a leader that is stopped with SIGSTOP' },
  { name: 'clock jumps', elsewhere: 'test/node/file-store.test.ts, test/scenarios' },
  {
    name: 'drop folder: poison, links, kills',
    run: async (folder) => {
      const poison = countsOf(await poisonAmongGood(placeIn(folder), 5, 100), 'poison');
      const kills = countsOf(await killAtEveryStep(placeIn(folder), await bundleDropper(folder), 1), 'steps');
      return { ...kills, cases: poison.cases + kills.cases, broken: [...poison.broken, ...kills.broken] };
    },
    inFull: 'npm run campaign -- drop-folder',
  },
  {
    name: 'hostile values into every public function',
    run: async () => {
      const { cases, broken } = sendHostileInput(10_000, 1);
      return { cases, escapes: broken.length, broken };
    },
    inFull: 'npm run campaign -- hostile-input',
  },
  { name: 'every host callback misbehaving', missing: 'one guard for every function of the host' },
  { name: 'webhook floods, slow clients, forged ends', elsewhere: 'npm run campaign -- serve' },
  { name: 'ReDoS over every expression', elsewhere: 'test/classify/hostile.test.ts' },
  { name: 'injections into every sink', elsewhere: 'test/scenarios/injections.test.ts' },
  {
    name: 'symlink races',
    run: async () => countsOf(await raceLinks(300, 1), 'races'),
    inFull: 'npm run campaign -- workspace',
  },
  {
    name: 'concurrent human edits',
    run: async () => countsOf(await patchBesideAnEditor(300, 1), 'rounds'),
    inFull: 'npm run campaign -- workspace',
  },
  { name: 'crafted store content', run: async () => countsOf(await craftContent(4, 1)), inFull: STORE },
  { name: 'replay equality', elsewhere: 'npm run campaign -- whole-loop' },
  { name: 'upgrades both ways', elsewhere: 'test/node/file-store.test.ts' },
  { name: 'soak', elsewhere: STORE },
  { name: 'erasure', elsewhere: 'test/scenarios/erase.test.ts' },
  { name: 'library failing inside', elsewhere: 'test/scenarios/not-loaded.test.ts' },
];

function placeIn(folder: string): string {
  return mkdtempSync(join(folder, 'place-'));
}

/** A flipped bit may take the record it lies in, which was acknowledged and is reported: it does not count as lost. */
function flipped(report: Awaited<ReturnType<typeof flipBits>>): ReturnType<typeof countsOf> {
  return { ...countsOf(report), lost: 0 };
}
