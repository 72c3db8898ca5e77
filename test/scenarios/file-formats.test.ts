import { cpSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { LoopError, RSILoop } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import { beforeAll, describe, expect, it } from 'vitest';
import { HookInbox } from '../../integrations/cli/hook/inbox.js';
import { SessionNotes } from '../../integrations/cli/hook/session-notes.js';
import { keepReceipt, undoneBy } from '../../integrations/cli/install/settings-file.js';
import { FORMAT } from '../../src/node/format.js';
import { sealLine } from '../../src/node/line.js';
import { decideAtLast, decision, filesIn, outcome, testFolder } from '../node/folder.js';

interface FileCase {
  readonly files: RegExp;
  /** How a file of another format is named; undefined for files that are never read back. */
  readonly sentence?: string;
}

/** Every kind of file in the folder of a store. A file without a row here fails the test. */
const CASES: readonly FileCase[] = [
  { files: /^store\.json$/, sentence: 'the marker of a store' },
  { files: /^journal\/\w+-\d{6}-\d{12}\.jsonl$/, sentence: 'a segment of a journal' },
  { files: /^ledger\/\d{12}\.jsonl$/, sentence: 'a file of a ledger' },
  { files: /^ledger\/\d{12}\/\d{12}\.jsonl$/, sentence: 'a file of a ledger' },
  { files: /^head\/head\.\d{12}\.json$/, sentence: 'the head of a ledger' },
  { files: /^state\/[a-z-]+\.\d{12}\.json$/, sentence: 'a snapshot' },
  { files: /^leases\/[a-z-]+\.\d{12}\.json$/, sentence: 'a lease' },
  { files: /^writers\/\w+\.json$/, sentence: 'the heartbeat of a process' },
  // Bytes as they were found, for a person.
  { files: /^quarantine\// },
  { files: /^state\/.*\.damaged$/ },
];

const OTHERS = [
  [FORMAT - 1, 'an earlier version wrote it; run "rsi store upgrade"'],
  [FORMAT - 2, 'an earlier version wrote it; use that version to read it'],
  [FORMAT + 1, 'a newer version wrote it; upgrade rsi-loop'],
  ['two', 'another program wrote it; move it away'],
  [undefined, 'another program wrote it; move it away'],
] as const;

let full = '';
beforeAll(async () => {
  full = mkdtempSync(join(tmpdir(), 'rsi-'));
  await fill(full);
  return () => rmSync(full, { recursive: true, force: true });
});

describe('every file of a store', () => {
  it('is of a kind that has a case here', () => {
    const files = filesIn(full).map((path) => relative(full, path));
    expect(files.filter((path) => !CASES.some((one) => one.files.test(path)))).toEqual([]);
    expect(CASES.filter((one) => !files.some((path) => one.files.test(path)))).toEqual([]);
  });

  it('states its format', () => {
    for (const path of statingFiles()) {
      expect(JSON.parse(readFileSync(join(full, path), 'utf8').split('\n')[0] ?? '')).toMatchObject({ format: FORMAT });
    }
  });

  it('is refused with a sentence and left unchanged if it has another format', async () => {
    for (const path of statingFiles()) {
      const sentence = CASES.find((one) => one.files.test(path))?.sentence;
      for (const [format, advice] of OTHERS) {
        const folder = testFolder();
        cpSync(full, folder, { recursive: true });
        const written = withFormat(readFileSync(join(folder, path), 'utf8'), format);
        writeFileSync(join(folder, path), written);
        const told = await readEverything(folder);
        const why = `${join(folder, path)} is ${sentence} of format ${format}, and this version reads only format ${FORMAT}: ${advice}`;
        expect(told.filter((message) => message.startsWith(why)).length, `${why}, not: ${told.join(' | ')}`).toBe(1);
        expect(readFileSync(join(folder, path), 'utf8')).toBe(written);
      }
    }
  });
});

/** Files that hooks and installations leave beside a store. */
const BESIDE = [
  // The version is part of the name, because notes are appended and only their end is read.
  /^hooks\/sessions\/\w+\.v1\.(log|begun)$/,
  // Parsed like any other file that a drop folder takes.
  /^hooks\/inbox\/[\w-]+\.json$/,
  /^hooks\/installed\/\w+\.json$/,
  // Empty; only its time counts.
  /^hooks\/taken$/,
  /^\.gitignore$/,
];

describe('every file that hooks leave beside a store', () => {
  it('is of a kind that has a case here, and is not used by another version', async () => {
    const folder = testFolder();
    const inbox = new HookInbox(folder);
    await inbox.prepare();
    inbox.leave('one', { task: 'call', success: true });
    inbox.isTimeToTake(0, true);
    const notes = new SessionNotes(inbox.sessions, 'claude', 's-1');
    notes.begin({ atMs: 1, advice: ['Be brief.'] });
    notes.add({ model: 'sonnet' });
    const place = { store: folder, path: join(folder, 'settings.json') };
    await keepReceipt(place, '{}', '{"hooks":1}', false);
    const files = filesIn(folder).map((path) => relative(folder, path));
    expect(files.filter((path) => !BESIDE.some((kind) => kind.test(path)))).toEqual([]);
    expect(BESIDE.filter((kind) => !files.some((path) => kind.test(path)))).toEqual([]);

    expect(notes.memory()).toMatchObject({ model: 'sonnet' });
    expect(await undoneBy(place, '{"hooks":1}')).toMatchObject({ text: '{}' });
    for (const path of filesIn(folder)) {
      if (path.includes('/sessions/')) renameSync(path, path.replace('.v1.', '.v2.'));
      if (path.includes('/installed/')) {
        writeFileSync(path, readFileSync(path, 'utf8').replace('"format":1', '"format":2'));
      }
    }
    expect(notes.memory().model).toBeUndefined();
    expect(notes.begun()).toBeUndefined();
    expect(await undoneBy(place, '{"hooks":1}')).toBeUndefined();
  });
});

describe('a ledger of an earlier version, whose verdicts have other words', () => {
  it('is refused, and the loop goes on in memory', async () => {
    const folder = testFolder();
    cpSync(full, folder, { recursive: true });
    const header = `"format":${FORMAT - 1},"kind":"ledger","from":0}`;
    writeFileSync(join(folder, 'ledger/000000000000.jsonl'), `${sealLine(header)}\n`);
    const loop = new RSILoop({ store: new FileStore(folder) });
    const problems: string[] = [];
    loop.on('problem', ({ message }) => problems.push(message));
    await loop.ready();
    expect(loop.hasLostStore).toBe(true);
    expect(problems.join()).toContain('an earlier version wrote it');
    await loop.close();
  });
});

function statingFiles(): readonly string[] {
  const files = filesIn(full).map((path) => relative(full, path));
  return files.filter((path) => CASES.some((one) => one.sentence !== undefined && one.files.test(path)));
}

/** Leaves a file of every kind: two parts of a ledger, damage that was set aside, and the heartbeat of a killed process. */
async function fill(folder: string): Promise<void> {
  const damaged = new FileStore(folder, { ledgerPartFiles: 4 });
  damaged.journal.append([outcome(0), outcome(1), outcome(2)]);
  await damaged.snapshots.save('broken', 1, 0);
  await damaged.close();
  for (const path of filesIn(folder)) {
    if (!/journal\/|state\//.test(path)) continue;
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, text.replace(/"o1"|"value":1/, '"_"'));
  }
  const store = new FileStore(folder, { ledgerPartFiles: 4 });
  store.journal.append([outcome(3)]);
  await store.journal.flush();
  await readAll(store);
  await store.snapshots.load('broken');
  for (let number = 0; number < 6; number++) await decideAtLast(store, decision(number));
  await store.snapshots.save('loop', { a: 1 }, 0);
  const lease = await store.coordination.lease('cycle');
  expect(await lease?.held()).toBe(true);
  const heartbeats = filesIn(join(folder, 'writers')).map((path) => [path, readFileSync(path)] as const);
  await store.close();
  for (const [path, bytes] of heartbeats) writeFileSync(path, bytes);
}

/** Opens a folder, reads everything in it as a loop does, and returns what was reported and thrown. */
async function readEverything(folder: string): Promise<readonly string[]> {
  const store = new FileStore(folder, { ledgerPartFiles: 4 });
  const told: string[] = [];
  const add = (error: unknown) => {
    if (!LoopError.is(error)) throw error;
    if (!told.includes(error.message)) told.push(error.message);
  };
  store.onProblem(({ message }) => told.push(message));
  for (let time = 0; time < 2; time++) {
    await store.ledger.head().catch(add);
    await store.snapshots.load('loop').catch(add);
    await store.coordination.lease('cycle').catch(add);
    await store.coordination.writers().catch(add);
    await readAll(store).catch(add);
  }
  await store.close();
  return told;
}

async function readAll(store: FileStore): Promise<void> {
  for await (const _ of store.journal.read());
}

function withFormat(text: string, format: unknown): string {
  const [head = '', ...lines] = text.split('\n');
  const { crc: _, ...value } = JSON.parse(head);
  return [sealLine(JSON.stringify({ ...value, format }).slice(1)), ...lines].join('\n');
}
