import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '../../../src/lib/random.js';
import { INJECTIONS } from '../../fixtures/injections.js';
import { MISBEHAVES, MISBEHAVING_HOSTS } from '../../host/misbehaviours.js';
import { raceDropLinks } from '../../integrations/sources/drop-folder/link-race.js';
import { bundleDropper, killAtEveryStep, poisonAmongGood } from '../../integrations/sources/drop-folder/trials.js';
import { attackServer } from '../../integrations/sources/http/attack.js';
import { killBehindPooler } from '../../integrations/stores/pooled-history.js';
import { whyNoPooler } from '../../integrations/stores/pooler.js';
import { startPostgres, whyNoPostgres } from '../../integrations/stores/postgres-server.js';
import { tryDeeds } from '../../integrations/stores/role-deeds.js';
import { slowExpressions } from '../../lib/slow-expressions.js';
import { runLives } from '../../lives/run-lives.js';
import { craftContent } from '../../node/crafted-store.js';
import { cutBlockDevice, whyNoBlockDevice } from '../../node/power-cut.js';
import { bundleRecorder, killAtRandom } from '../../node/processes.js';
import { soakWideWorld } from '../../node/soak.js';
import { cutPower, flipBits, killAtEveryCall, loseFolder, refuse, tearTails } from '../../node/store-faults.js';
import { upgradeBothWays } from '../../node/upgrades.js';
import { patchBesideAnEditor, raceLinks } from '../../node/workspace-faults.js';
import { sendHostileInput } from '../../observe/hostile-input.js';
import { jumpClocks } from '../../scenarios/clock-jumps.js';
import { eraseEverything } from '../../scenarios/erase-everything.js';
import { failInside } from '../../scenarios/failing-inside.js';
import { injectForADay } from '../../scenarios/injection-day.js';
import { startDuringFaults } from '../../scenarios/start-faults.js';
import { bundleLeader, stopLeader } from '../../scenarios/stopped-leader.js';
import { takeNumbers } from '../run-campaigns.js';
import { countsOf, type FaultClass, type FaultCounts } from './fault-class.js';

const STORE = 'npm run campaign -- store';
/** Outcomes of the soak: `--outcomes=10000000` runs it in full. */
const [OUTCOMES = 100_000] = takeNumbers('outcomes');

/** Every class of faults, in the order of the table. */
export const FAULT_CLASSES: readonly FaultClass[] = [
  { name: 'kill at every file call', run: async () => countsOf(await killAtEveryCall([1])), inFull: STORE },
  { name: 'power cut: simulated disk', run: async () => countsOf(await cutPower(1_000, 1)), inFull: STORE },
  { name: 'power cut: block device', run: cutDevice },
  { name: 'torn tail', run: async () => countsOf(await tearTails(200, 1)), inFull: STORE },
  { name: 'bit flip', run: async () => flipped(await flipBits(1_000, 1)), inFull: STORE },
  {
    name: 'ENOSPC, EIO, EDQUOT, EMFILE, EACCES, EROFS',
    run: async () => countsOf(await refuse([1, 30], 7)),
    inFull: STORE,
  },
  { name: 'folder deleted, moved, replaced', run: async () => countsOf(await loseFolder(5)), inFull: STORE },
  { name: 'many processes', run: killProcesses, inFull: STORE },
  { name: 'start while the store cannot be used', run: async () => countsOf(await startDuringFaults()) },
  { name: 'PgBouncer in transaction mode: kills', run: killPooled },
  { name: 'deeds of logins without the right', run: tryRoles },
  { name: 'stopped leader', run: stopLeaders },
  { name: 'clock jumps', run: async (folder) => countsOf(await jumpClocks(() => placeIn(folder), 7)) },
  { name: 'drop folder: poison, links, kills', run: dropFiles, inFull: 'npm run campaign -- drop-folder' },
  {
    name: 'hostile values into every public function',
    run: async () => {
      const { cases, broken } = sendHostileInput(10_000, 1);
      return { cases, escapes: broken.length, broken };
    },
    inFull: 'npm run campaign -- hostile-input',
  },
  { name: 'every host callback misbehaving', run: misbehave },
  {
    name: 'webhook floods, slow clients, forged ends',
    run: async (folder) => {
      const scale = { connections: 1_000, bytes: 10_000_000, goodRequests: 1_000 };
      return countsOf(await attackServer(placeIn(folder), scale));
    },
    inFull: 'npm run campaign -- serve',
  },
  {
    name: 'ReDoS over every expression',
    run: async () => {
      const { cases, broken } = await slowExpressions();
      return { cases, escapes: broken.length, broken };
    },
  },
  { name: 'injections into every sink', run: inject, inFull: 'npx vitest run test/scenarios/injections.slow.test.ts' },
  {
    name: 'link races in workspaces and drop folders',
    run: async (folder) =>
      added([
        countsOf(await raceLinks(300, 1), 'races'),
        countsOf({ ...(await raceDropLinks(placeIn(folder), 300)) }, 'races'),
      ]),
    inFull: 'npm run campaign -- workspace',
  },
  {
    name: 'concurrent human edits',
    run: async () => countsOf(await patchBesideAnEditor(300, 1), 'rounds'),
    inFull: 'npm run campaign -- workspace',
  },
  { name: 'crafted store content', run: async () => countsOf(await craftContent(4, 1)), inFull: STORE },
  {
    name: 'replay equality',
    run: async () => countsOf({ ...(await runLives({ count: 40, seed: 1 })) }, 'compared'),
    inFull: 'npm run campaign -- lives',
  },
  { name: 'upgrades both ways', run: async () => countsOf(await upgradeBothWays()) },
  {
    name: 'soak',
    run: async (folder) => countsOf(await soakWideWorld(folder, OUTCOMES)),
    inFull: 'npm run campaign -- faults --soak --outcomes=10000000',
  },
  { name: 'erasure', run: erase },
  { name: 'library failing inside', run: async () => countsOf(await failInside()) },
];

function placeIn(folder: string): string {
  return mkdtempSync(join(folder, 'place-'));
}

/** A flipped bit may take the record it lies in, which was acknowledged and is reported: it does not count as lost. */
function flipped(report: Awaited<ReturnType<typeof flipBits>>): FaultCounts {
  return { ...countsOf(report), lost: 0 };
}

async function cutDevice(folder: string): Promise<FaultCounts> {
  const why = whyNoBlockDevice(folder);
  if (why !== undefined) return { cases: 0, broken: [why] };
  return countsOf(await cutBlockDevice(placeIn(folder), 30, 1));
}

async function killProcesses(folder: string): Promise<FaultCounts> {
  const options = { processes: 3, records: 3_000, kills: 60, random: seededRandom(7) };
  return countsOf(await killAtRandom({ ...options, folder: placeIn(folder), script: await bundleRecorder(folder) }));
}

async function killPooled(): Promise<FaultCounts> {
  const why = whyNoPostgres() ?? whyNoPooler();
  if (why !== undefined) return { cases: 0, broken: [why] };
  const { killed, serverKills, missing, doubled, broken } = await killBehindPooler(7);
  return { cases: killed + serverKills, lost: missing, doubled, escapes: 0, broken };
}

async function tryRoles(): Promise<FaultCounts> {
  const why = whyNoPostgres();
  if (why !== undefined) return { cases: 0, broken: [why] };
  const server = await startPostgres();
  const { tried, escapes, broken } = await tryDeeds(server).finally(() => server.stop());
  return { cases: tried, escapes, broken };
}

async function stopLeaders(folder: string): Promise<FaultCounts> {
  const script = await bundleLeader(folder);
  const rounds: FaultCounts[] = [];
  for (let round = 0; round < 5; round++) rounds.push(countsOf({ ...(await stopLeader(folder, script)) }));
  return added(rounds);
}

async function dropFiles(folder: string): Promise<FaultCounts> {
  const poison = countsOf(await poisonAmongGood(placeIn(folder), 5, 100), 'poison');
  const kills = countsOf(await killAtEveryStep(placeIn(folder), await bundleDropper(folder), 1), 'steps');
  return added([poison, kills]);
}

async function misbehave(): Promise<FaultCounts> {
  const broken: string[] = [];
  for (const { name, check } of MISBEHAVING_HOSTS) {
    for (const kind of MISBEHAVES) {
      await check(kind).catch((error: unknown) => broken.push(`that ${kind} ${name}: ${String(error)}`));
    }
  }
  return { cases: MISBEHAVING_HOSTS.length * MISBEHAVES.length, escapes: broken.length, broken };
}

/** Every fifth text, in every field, on two days each. */
async function inject(): Promise<FaultCounts> {
  const { days, rules: _, ...harm } = await injectForADay(INJECTIONS.filter((__, index) => index % 5 === 0));
  const broken = Object.entries(harm).flatMap(([what, count]) => (count > 0 ? [`${what}: ${count}`] : []));
  return { cases: days, escapes: Object.values(harm).reduce((sum, count) => sum + count, 0), broken };
}

async function erase(folder: string): Promise<FaultCounts> {
  const report = await eraseEverything(folder, 16, 1);
  return { ...countsOf(report), escapes: Number(report.left) };
}

function added(parts: readonly FaultCounts[]): FaultCounts {
  const sum = (of: (part: FaultCounts) => number | undefined) => parts.reduce((all, part) => all + (of(part) ?? 0), 0);
  return {
    cases: sum(({ cases }) => cases),
    lost: sum(({ lost }) => lost),
    doubled: sum(({ doubled }) => doubled),
    escapes: sum(({ escapes }) => escapes),
    broken: parts.flatMap(({ broken }) => broken),
  };
}
