import { MemoryStore, RSILoop } from 'rsi-loop';
import type { Json } from '../../src/contract/json.js';
import { FORMAT } from '../../src/node/format.js';
import { sealLine } from '../../src/node/line.js';
import { networkError, World } from '../scenarios/world.js';
import { decideAtLast, decision, outcome, outcomesIn } from './folder.js';
import { SimulatedDisk } from './simulated-disk.js';
import { simulatedStore } from './simulated-store.js';
import type { FaultReport } from './store-faults.js';

const RECORDS = 160;

/** Opens folders in which a newer version wrote one file, and loops whose saved state another version wrote. */
export async function upgradeBothWays(): Promise<FaultReport> {
  const newer = await openNewerFiles();
  const fields = await readNewerFields();
  const states = await startFromOtherStates();
  const reports = [newer, fields, states];
  return {
    tried: reports.reduce((sum, { tried }) => sum + tried, 0),
    lost: reports.reduce((sum, { lost }) => sum + lost, 0),
    broken: reports.flatMap(({ broken }) => broken),
  };
}

interface Part {
  readonly tried: number;
  readonly lost: number;
  readonly broken: readonly string[];
}

/** Back: a newer version wrote one of the files. It is left as it is and named, and every other file is read. */
async function openNewerFiles(): Promise<Part> {
  const broken: string[] = [];
  let lost = 0;
  let tried = 0;
  const paths = (await filledDisk()).paths();
  for (const path of paths) {
    for (const format of [FORMAT + 1, FORMAT + 98]) {
      const disk = await filledDisk();
      const original = disk.content(path);
      const written = withFormat(original, format);
      if (written === undefined) continue;
      tried++;
      disk.overwrite(path, written);
      const { store, problems } = simulatedStore(disk, 2, new Set([2]));
      const where = `${path} of format ${format}`;
      const isWhole = path.endsWith('store.json');
      const read = outcomesIn(store).catch((error: unknown) => {
        if (!isWhole) broken.push(`${where}: ${error}`);
        return undefined;
      });
      const kept = new Set((await read)?.map(({ number }) => number));
      await store.ledger.head().catch(() => undefined);
      await store.snapshots.load('patterns').catch(() => undefined);
      await store.close();
      const inFile = path.startsWith('/data/journal/') ? numbersIn(original) : [];
      const missing = isWhole ? [] : allNumbers().filter((number) => !kept.has(number) && !inFile.includes(number));
      lost += missing.length;
      if (missing.length > 0) broken.push(`${where}: records ${missing.join(' ')} of other files are lost`);
      if (isWhole && kept.size > 0) broken.push(`${where}: the folder was read all the same`);
      if (!disk.content(path).equals(written)) broken.push(`${where} was changed`);
      const isNamed = problems.some(({ message }) => message.includes(`format ${format}`));
      if (inFile.length > 0 && !isNamed) broken.push(`${where} was not named`);
    }
  }
  return { tried, lost, broken };
}

/** Back: fields that no version writes yet are no reason to lose a record. */
async function readNewerFields(): Promise<Part> {
  const broken: string[] = [];
  let lost = 0;
  const paths = (await filledDisk()).paths().filter((path) => path.startsWith('/data/journal/'));
  for (const path of paths) {
    const disk = await filledDisk();
    const [head = '', ...lines] = disk.content(path).toString().trimEnd().split('\n');
    const changed = lines.map((line) => {
      const { crc: _, ...value } = JSON.parse(line);
      return sealLine(JSON.stringify({ ...value, later: 1, outcome: { ...value.outcome, later: [{}] } }).slice(1));
    });
    disk.overwrite(path, Buffer.from(`${[head, ...changed].join('\n')}\n`));
    const { store } = simulatedStore(disk, 2, new Set([2]));
    const missing = RECORDS - (await outcomesIn(store)).length;
    await store.close();
    lost += missing;
    if (missing > 0) broken.push(`${path}: ${missing} records with later fields are lost`);
  }
  return { tried: paths.length, lost, broken };
}

/** On: the saved state is of another version, or its parts are. The logs alone give the same. */
async function startFromOtherStates(): Promise<Part> {
  const store = new MemoryStore();
  const world = new World({ store });
  await world.loop.ready();
  await world.work(66, () => (world.happens(0.2) ? networkError() : undefined));
  await world.loop.runCycle();
  const expected = knownBy(world.loop);
  const broken: string[] = [];
  const others = otherStates((await store.snapshots.load('loop'))?.value);
  for (const [name, value] of others) {
    await store.snapshots.save('loop', value, (await store.snapshots.load('loop'))?.version ?? 0);
    const loop = new RSILoop({ store, clock: world.clock });
    loop.on('problem', ({ message }) => void broken.push(`state ${name}: ${message}`));
    await loop.ready();
    if (knownBy(loop) !== expected) broken.push(`state ${name}: patterns and fixes are not those of the logs`);
    await loop.runCycle();
  }
  return { tried: others.length, lost: 0, broken };
}

function otherStates(saved: Json | undefined): readonly (readonly [name: string, value: Json])[] {
  const state = saved as Readonly<Record<string, Json>> | undefined; // an object, as `stateOf` made it
  const version = Number(state?.version ?? 0);
  const parts = ['analyzer', 'verifier', 'health', 'models', 'library'];
  return [
    ...[version - 1, version + 1, 0, null].map((other) => [`version ${other}`, { ...state, version: other }] as const),
    ...parts.flatMap((part) =>
      [7, { version: 0 }, { version: 99 }].map(
        (other) => [`${part} ${JSON.stringify(other)}`, { ...state, [part]: other }] as const,
      ),
    ),
    ['nothing', {}],
  ];
}

function knownBy(loop: RSILoop): string {
  return JSON.stringify([loop.patterns(), loop.fixes()]);
}

async function filledDisk(): Promise<SimulatedDisk> {
  const disk = new SimulatedDisk();
  // A name of its own, so that every disk holds the same paths.
  const { store } = simulatedStore(disk, 1, new Set([1]), { writer: 'writer000001' });
  for (const number of allNumbers()) {
    store.journal.append([outcome(number)]);
    if (number % 8 === 7) await decideAtLast(store, decision(Math.floor(number / 8)));
  }
  await store.snapshots.save('patterns', { text: 'x' }, 0);
  await store.coordination.lease('cycle');
  await store.close();
  return disk;
}

function allNumbers(): readonly number[] {
  return Array.from({ length: RECORDS }, (_, number) => number);
}

function numbersIn(bytes: Buffer): readonly number[] {
  return [...bytes.toString().matchAll(/"id":"o(\d+)"/g)].map(([, number]) => Number(number));
}

/** A file with another format in its first line; undefined if it states none. */
function withFormat(bytes: Buffer, format: number): Buffer | undefined {
  const [head = '', ...lines] = bytes.toString().split('\n');
  const { crc: _, ...value } = JSON.parse(head);
  if (value.format === undefined) return undefined;
  return Buffer.from([sealLine(JSON.stringify({ ...value, format }).slice(1)), ...lines].join('\n'));
}
