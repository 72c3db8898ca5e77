import { seededRandom } from '../../src/lib/random.js';
import { sealLine } from '../../src/node/line.js';
import { decideAtLast, decision, decisionsIn, outcome, outcomesIn } from './folder.js';
import { SimulatedDisk } from './simulated-disk.js';
import { simulatedStore } from './simulated-store.js';
import type { FaultReport } from './store-faults.js';

type Json = Record<string, unknown>;

/** Stands for lists in lists, which `JSON.stringify` cannot write. */
const DEEP = '@deep@';
const DEEP_TEXT = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;

/** Values that an attacker with access to the folder may put into an intact line. */
const WRONG: Readonly<Record<string, (line: Json, outcome: Json) => void>> = {
  'no task': (_, o) => Object.assign(o, { task: null }),
  'a task that is an object': (_, o) => Object.assign(o, { task: { a: 1 } }),
  'no issues': (_, o) => Object.assign(o, { issues: null }),
  'issues in a text': (_, o) => Object.assign(o, { issues: 'x' }),
  'an error that is a number': (_, o) => Object.assign(o, { success: false, error: 5 }),
  'an error without a text': (_, o) => Object.assign(o, { success: false, error: { message: {} } }),
  'a status that is a text': (_, o) => Object.assign(o, { error: { message: 'x', status: '429' } }),
  'no outcome': (line) => delete line.outcome,
  'outcome null': (line) => Object.assign(line, { outcome: null }),
  'a time that is a text': (_, o) => Object.assign(o, { atMs: 'yesterday' }),
  'a time beyond all': (_, o) => Object.assign(o, { atMs: 1e300 }),
  'a time before all': (_, o) => Object.assign(o, { atMs: -1e15 }),
  'a negative weight': (_, o) => Object.assign(o, { weight: -5 }),
  'an endless weight': (_, o) => Object.assign(o, { weight: 1e308 }),
  'a negative duration': (_, o) => Object.assign(o, { durationMs: -1 }),
  'tokens null': (_, o) => Object.assign(o, { tokens: null }),
  'attempts that are none': (_, o) => Object.assign(o, { attempts: [null] }),
  'a context that is a list': (_, o) => Object.assign(o, { context: [1] }),
  'a context 5,000 deep': (_, o) => Object.assign(o, { context: { a: DEEP } }),
  'an unknown field 5,000 deep': (_, o) => Object.assign(o, { more: DEEP }),
  'an unknown part of an error 5,000 deep': (_, o) => Object.assign(o, { error: { message: 'x', more: DEEP } }),
  'a line 5,000 deep': (line) => Object.assign(line, { outcome: DEEP }),
  'a kind of its own': (line) => Object.assign(line, { kind: '__proto__' }),
  'a start without anything': (line) => Object.assign(line, { kind: 'start', start: {} }),
  'a position beyond all': (line) => Object.assign(line, { n: 2 ** 53 }),
  'a position far ahead': (line) => Object.assign(line, { n: 100_000_000 }),
  'a negative position': (line) => Object.assign(line, { n: -1 }),
  'a broken position': (line) => Object.assign(line, { n: 3.5 }),
  'a position as text': (line) => Object.assign(line, { n: '3' }),
  'the position of another': (line) => Object.assign(line, { n: 7 }),
};

/** Entries of a ledger, each with one field that no version writes. */
const WRONG_ENTRIES: readonly unknown[] = [
  null,
  { kind: 'fix-proposed', atMs: 1, by: 'x', fix: null },
  { kind: 'fix-proposed', atMs: 1, by: 'x', fix: { id: 'f', change: null } },
  { kind: 'fix-moved', atMs: 1, by: 'x', fixId: null, to: 'confirmed', reason: '' },
  { kind: 'fix-moved', atMs: 1, by: 'x', fixId: 'f', to: 'trial', reason: '', trial: {} },
  { kind: 'cycle', atMs: 1, by: 'x', read: null, watermarkMs: 0 },
  { kind: 'cycle', atMs: 1, by: 'x', read: { w: -1 }, watermarkMs: 0 },
  { kind: 'frozen', atMs: 'now', by: 'x', reason: '' },
  { kind: 'frozen', atMs: 1, by: 'x', reason: DEEP },
  { kind: DEEP, atMs: 1, by: 'x', reason: '' },
];

const RECORDS = 40;
const DECISIONS = 6;

/** Puts a wrong value into one intact line, or lines in another order: every other record has to be read, once. */
export async function craftContent(swaps: number, seed: number): Promise<FaultReport> {
  const random = seededRandom(seed);
  const broken: string[] = [];
  let tried = 0;
  const disk = new SimulatedDisk();
  const { store } = simulatedStore(disk, 1, new Set([1]), { segmentBytes: 4_000 });
  for (let number = 0; number < RECORDS; number++) {
    store.journal.append([outcome(number)]);
    if (number % 5 === 0) await store.journal.flush();
  }
  for (let number = 0; number < DECISIONS; number++) await decideAtLast(store, decision(number));
  await store.close();

  const check = async (path: string, text: string, what: string, wrong: { records: number; told: boolean }) => {
    tried++;
    const original = disk.content(path);
    const segments = segmentsOn(disk);
    disk.overwrite(path, Buffer.from(text));
    const { store: reader, problems } = simulatedStore(disk, 2, new Set([2]));
    const numbers = (await outcomesIn(reader)).map(({ number }) => number);
    const isRising = numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? 0));
    if (!isRising) broken.push(`${what}: read as ${numbers.join(' ')}`);
    if (new Set(numbers).size < RECORDS - wrong.records) broken.push(`${what}: ${RECORDS - numbers.length} are lost`);
    const decisions = await decisionsIn(reader);
    if (wrong.told !== problems.some(({ kind }) => kind === 'damaged')) broken.push(`${what}: told ${!wrong.told}`);
    if (decisions.length < DECISIONS - (path.includes('/ledger/') ? 1 : 0)) broken.push(`${what}: decisions are lost`);
    // And it goes on from here: what comes later is read too.
    reader.journal.append([outcome(5_000)]);
    await reader.journal.flush();
    if ((await outcomesIn(reader)).length !== numbers.length + 1) broken.push(`${what}: later records are hidden`);
    await reader.close();
    for (const name of disk.paths()) {
      if (name.startsWith('/data/quarantine/') || name.includes(`/${reader.journal.writer}-`)) await disk.unlink(name);
    }
    // The reader may have put the end of the last segment into its name.
    for (const name of segments) {
      const now = segmentsOn(disk).find((other) => other.startsWith(name.slice(0, -'.jsonl'.length)));
      if (now !== undefined && now !== name) await disk.rename(now, name);
    }
    disk.overwrite(path, original);
  };

  const craftSegment = async (path: string) => {
    const lines = disk.content(path).toString().trimEnd().split('\n');
    const asText = (changed: readonly string[]) => `${changed.join('\n')}\n`;
    for (const [what, change] of Object.entries(WRONG)) {
      for (const at of [1, Math.ceil(lines.length / 2), lines.length - 1]) {
        const crafted = lines.with(at, craft(lines[at] ?? '', change));
        if (asText(crafted) === asText(lines)) continue;
        await check(path, asText(crafted), `${what} in line ${at} of ${path}`, { records: 1, told: true });
      }
    }
    for (let swap = 0; swap < swaps; swap++) {
      const pick = () => 1 + Math.floor(random() * (lines.length - 1));
      const [one, other] = [pick(), pick()];
      const swapped = lines.with(one, lines[other] ?? '').with(other, lines[one] ?? '');
      const what = `lines ${one} and ${other} of ${path} swapped`;
      await check(path, asText(swapped), what, { records: 0, told: one !== other });
      const doubled = [...lines.slice(0, one), lines[other] ?? '', ...lines.slice(one)];
      await check(path, asText(doubled), `line ${other} of ${path} again at ${one}`, { records: 0, told: true });
    }
  };
  const unnamed = segmentsOn(disk);
  for (const path of unnamed) await craftSegment(path);
  // The same with the end of the last segment in its name.
  const { store: next } = simulatedStore(disk, 3, new Set([3]));
  next.journal.append([outcome(5_000)]);
  await next.close();
  for (const path of segmentsOn(disk)) if (path.includes(`/${next.journal.writer}-`)) await disk.unlink(path);
  const named = segmentsOn(disk).filter((path) => !unnamed.includes(path));
  if (named.length !== 1) broken.push(`segments with an end in their name: ${named.join(', ')}`);
  for (const path of named) await craftSegment(path);
  for (const path of disk.paths().filter((name) => name.startsWith('/data/ledger/'))) {
    const lines = disk.content(path).toString().trimEnd().split('\n');
    for (const entry of WRONG_ENTRIES) {
      const crafted = lines.with(
        -1,
        craft(lines.at(-1) ?? '', (line) => Object.assign(line, { entry })),
      );
      await check(path, `${crafted.join('\n')}\n`, `${JSON.stringify(entry)} in ${path}`, { records: 0, told: true });
    }
  }
  return { tried, broken };
}

function segmentsOn(disk: SimulatedDisk): readonly string[] {
  return disk.paths().filter((path) => path.startsWith('/data/journal/'));
}

function craft(line: string, change: (line: Json, outcome: Json) => void): string {
  const { crc: _, ...value } = JSON.parse(line) as Json; // a line is an object
  change(value, value.outcome as Json); // the lines of this campaign hold outcomes
  return sealLine(JSON.stringify(value).slice(1).replaceAll(`"${DEEP}"`, DEEP_TEXT));
}
