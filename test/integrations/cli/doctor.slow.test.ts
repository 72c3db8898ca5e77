import { generateKeyPairSync } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { RSILoop } from 'rsi-loop';
import type { StoreCheck } from 'rsi-loop/node';
import { FileStore } from 'rsi-loop/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { columns } from '../../../integrations/cli/terminal/terminal-text.js';
import { checksOf, type Surroundings } from '../../../integrations/reports/checks-of-store.js';
import { inspectStore } from '../../../src/node/inspect-store.js';
import { machineProcesses } from '../../../src/node/process-identity.js';
import { buildCommand } from './build-command.js';
import { runCommand } from './run-command.js';
import { scriptWaiting } from './scripted-folder.js';

const folder = mkdtempSync(join(tmpdir(), 'rsi-doctor-'));
const store = join(folder, 'data');
let command = '';
beforeAll(async () => {
  command = await buildCommand(folder);
  await scriptWaiting(store);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const rsi = (...args: readonly string[]) => runCommand([command, 'doctor', ...args], { cwd: folder });

function copyOf(name: string): string {
  const to = join(folder, name);
  cpSync(store, to, { recursive: true });
  return to;
}

/** Changes the text of the first file in a folder whose name fits. */
function change(at: string, name: RegExp, edit: (text: string) => string): void {
  const file = readdirSync(at, { recursive: true, encoding: 'utf8' })
    .sort()
    .find((path) => name.test(path));
  const path = join(at, file ?? '');
  writeFileSync(path, edit(readFileSync(path, 'utf8')));
}

/** The texts of all files below a folder. */
function readFolder(at: string): string[] {
  const entries = readdirSync(at, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
}

/** A line as the store seals it. */
function sealed(rest: string): string {
  return `{"crc":"${crc32(rest).toString(16).padStart(8, '0')}",${rest}`;
}

const AROUND: Surroundings = {
  folder,
  nowMs: Date.now(),
  readable: true,
  writable: true,
  freeBytes: 1e9,
  version: '0.1.0',
  node: '20.19.0',
};

/** Items that need attention, by name. */
async function complaints(at: string, around: Partial<Surroundings> = {}): Promise<Record<string, StoreCheck>> {
  const checks = checksOf(await inspectStore(at), { ...AROUND, ...around, folder: at });
  const needy = checks.filter(({ ok }) => !ok);
  for (const { advice } of needy) expect(advice).toMatch(/\w/);
  return Object.fromEntries(needy.map((check) => [check.name, check]));
}

describe('rsi doctor', () => {
  it('says that all is well, with what it looked at', async () => {
    const { code, stdout, stderr } = await rsi('--store', store);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/✓ ledger {6}\d+ entries, an unbroken chain\n/);
    expect(stdout).toMatch(/✓ journal {5}200 outcomes and 0 starts in 1 segment of 1 process, \d+ kB,\n/);
    expect(stdout).toMatch(/✓ lease {7}free\n✓ processes {3}none writes now\n✓ clock/);
    expect(stdout).toMatch(/\nNothing needs attention\.\n$/);
    expect(Math.max(...stdout.slice(stdout.indexOf('\n')).split('\n').map(columns))).toBeLessThanOrEqual(80);
  });

  it('names a process that runs and shows no sign of life, and says that cycles wait for it', async () => {
    const inspection = await inspectStore(store);
    const stopped = { writer: 'stopped', alive: true, watermarkMs: AROUND.nowMs - 90_000 };
    const find = (processes: readonly (typeof stopped)[]) =>
      checksOf({ ...inspection, processes }, AROUND).find(({ name }) => name === 'processes');
    expect(find([stopped])).toMatchObject({
      ok: false,
      found: expect.stringContaining('no sign of life: stopped since'),
    });
    expect(find([{ ...stopped, watermarkMs: AROUND.nowMs - 900 }])?.ok).toBe(true);
  });

  it('says that cycles fail, since when and why, until one ends well in this process or the next', async () => {
    const at = join(folder, 'failing');
    const secret = 'sk-ant-api03-aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789';
    const open = () => new FileStore(at);
    const failing = open();
    const loop = new RSILoop({ store: failing });
    const problems: string[] = [];
    loop.on('problem', ({ message }) => problems.push(message));
    await loop.runCycle();
    expect(await complaints(at)).toEqual({});
    const { writers } = failing.coordination;
    failing.coordination.writers = () => Promise.reject(new Error(`the board is closed for ${secret}`));
    for (let cycle = 0; cycle < 2; cycle++) expect((await loop.runCycle()).unfinished).toMatch(/^the board is closed/);
    const { cycles } = await complaints(at);
    expect(cycles?.found).toMatch(/^the last cycle of \w{12} failed, at .*: the board is closed for/);
    expect(JSON.stringify(readFolder(at))).not.toContain(secret);
    expect(problems.filter((message) => message.includes('rsi doctor'))).toEqual([]);
    failing.coordination.writers = writers;
    await loop.runCycle();
    expect(await complaints(at)).toEqual({});

    failing.coordination.writers = () => Promise.reject(new Error('closed again'));
    await loop.runCycle();
    await loop.close();
    expect(Object.keys(await complaints(at))).toEqual(['cycles']);
    const next = new RSILoop({ store: open() });
    await next.runCycle();
    expect(await complaints(at)).toEqual({});
    await next.close();
  });

  it('says that records wait for a cycle while a process writes them', async () => {
    const at = join(folder, 'waiting');
    const open = new FileStore(at);
    const loop = new RSILoop({ store: open });
    await loop.ready();
    loop.observer.recordSimple('call', { success: true });
    await loop.flush();
    expect(await complaints(at)).toEqual({});
    const later = Date.now() + 2 * 3_600_000;
    const cyclesAt = async (nowMs: number) =>
      checksOf(await inspectStore(at), { ...AROUND, folder: at, nowMs }).find(({ name }) => name === 'cycles');
    expect(await cyclesAt(later)).toMatchObject({
      ok: false,
      found: expect.stringMatching(/^no cycle took in records yet; 1 record waits/),
    });
    await loop.runCycle();
    expect(await cyclesAt(later)).toMatchObject({
      ok: true,
      found: expect.stringMatching(/^the last took in records/),
    });
    await loop.close();
  });

  it('names what is broken with what to do, ends with 1 and changes nothing', async () => {
    const copy = copyOf('broken');
    change(copy, /^journal\/.*jsonl$/, (text) => text.replace('"success":false', '"success":truE'));
    change(copy, /^ledger\/\d+\/.*2\.jsonl$/, (text) => text.replace('"atMs":1', '"atMs":2'));
    change(copy, /^state\//, () => 'nothing');
    rmSync(join(copy, 'store.json'));
    writeFileSync(join(copy, 'journal', 'notes.txt'), 'mine');
    mkdirSync(join(copy, 'quarantine'));
    writeFileSync(join(copy, 'quarantine', 'old'), 'torn');
    const before = readdirSync(copy, { recursive: true }).sort();
    const { code, stdout } = await rsi('--store', copy);
    expect(code).toBe(1);
    for (const part of [
      /✗ format {6}store\.json is missing\n {14}→ /,
      /✗ ledger {6}\d+ entries: ledger\/.* holds a damaged\s+entry; entry \d is\s+missing\n {14}→ decisions were changed/,
      /✗ damaged {5}state\/loop\.\d+\.json is damaged.*journal\/.*: 1 records cannot\s+be read\n {14}→ /s,
      /✗ foreign {5}journal\/notes\.txt is not a segment of a journal/,
      /✗ quarantine {2}1 damaged place set aside\n {14}→ /,
      /\n5 checks need attention\.\n$/,
    ]) {
      expect(stdout).toMatch(part);
    }
    expect(readdirSync(copy, { recursive: true }).sort()).toEqual(before);
    const report = JSON.parse((await rsi('--store', copy, '--json')).stdout);
    expect(report).toMatchObject({ format: 'rsi-doctor/1', folder: copy });
    expect(report.checks.filter(({ ok }: StoreCheck) => !ok)).toHaveLength(5);
  });

  it('counts the records that the ledger speaks of: names deleted, emptied and cut segments, and a missing ledger', async () => {
    const changes: Readonly<Record<string, (path: string) => void>> = {
      deleted: (path) => rmSync(path),
      emptied: (path) => writeFileSync(path, ''),
      cut: (path) => writeFileSync(path, `${readFileSync(path, 'utf8').split('\n').slice(0, 101).join('\n')}\n`),
    };
    for (const [name, spoil] of Object.entries(changes)) {
      const at = copyOf(name);
      const [segment = ''] = readdirSync(join(at, 'journal'));
      spoil(join(at, 'journal', segment));
      const { journal } = await complaints(at);
      const [count, from] = name === 'cut' ? [100, 100] : [200, 0];
      expect(journal?.found, name).toMatch(
        new RegExp(`^${count} records that cycles counted are missing: of \\w{12} from ${from} to 199$`),
      );
    }
    const inspection = await inspectStore(store);
    const trials = { ...inspection.journal, starts: 3 };
    const none = { ok: true, head: { length: 0, hash: '' }, faults: [] };
    const checks = checksOf({ ...inspection, journal: trials, ledger: none }, AROUND);
    expect(checks.find(({ name }) => name === 'ledger')).toMatchObject({
      ok: false,
      found: 'missing, although the journal holds 3 starts of trials',
    });
  });

  it('takes old records that are gone for deleted by retention', async () => {
    const at = copyOf('retained');
    for (const name of readdirSync(join(at, 'journal'))) rmSync(join(at, 'journal', name));
    const nowMs = Date.now() + 40 * 86_400_000;
    expect((await inspectStore(at, { nowMs })).missing).toEqual([]);
  });

  it('ends with 2 where there is no folder of a loop', async () => {
    mkdirSync(join(folder, 'foreign'));
    for (const at of ['missing', 'foreign']) {
      expect(await rsi('--store', at)).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(/^error: /),
      });
    }
    expect(readdirSync(folder)).not.toContain('missing');
  });
});

describe('what needs attention', () => {
  it('is a disk that is almost full, a folder without rights, an old Node', async () => {
    expect(await complaints(store)).toEqual({});
    expect(await complaints(store, { freeBytes: 1e6 })).toMatchObject({ space: { found: '1.0 MB free' } });
    expect(await complaints(store, { writable: false })).toMatchObject({ folder: { found: /not writable/ } });
    expect(await complaints(store, { readable: false })).toMatchObject({ folder: { found: /not readable/ } });
    expect(await complaints(store, { node: '20.18.3' })).toHaveProperty('versions');
    expect(await complaints(store, { node: '22.0.0' })).toEqual({});
  });

  it('is a record from the future, and not one of a clock that goes a little ahead', async () => {
    const at = join(folder, 'future');
    const loop = new RSILoop({ store: new FileStore(at) });
    loop.observer.recordSimple('t', { success: true, atMs: Date.now() + 20_000 });
    await loop.flush();
    expect(await complaints(at)).toEqual({});
    loop.observer.recordSimple('t', { success: true, atMs: Date.now() + 3_600_000 });
    await loop.flush();
    expect(await complaints(at)).toMatchObject({
      clock: { found: expect.stringMatching(/^1 record from the future/) },
    });
    await loop.close();
  });

  it('is a ledger without its head, and a folder of a newer version', async () => {
    const copy = copyOf('headless');
    rmSync(join(copy, 'head'), { recursive: true });
    expect((await complaints(copy)).ledger?.found).toMatch(/the head is missing/);
    const newer = copyOf('newer');
    writeFileSync(join(newer, 'store.json'), `${sealed('"format":3,"kind":"store","product":"rsi-loop"}')}\n`);
    change(newer, /^journal\/.*jsonl$/, () => `${sealed('"format":3,"kind":"journal"}')}\n`);
    const { format, foreign } = await complaints(newer);
    expect(format?.advice).toMatch(/^upgrade rsi-loop/);
    expect(foreign?.found).toMatch(/^journal\/.* of format 3/);
  });

  it('is a folder of an earlier version, or of another program, each with its own advice', async () => {
    const marked = async (format: string) => {
      writeFileSync(join(copy, 'store.json'), `${sealed(`"format":${format},"kind":"store","product":"rsi-loop"}`)}\n`);
      return (await complaints(copy)).format;
    };
    const copy = copyOf('older');
    expect(await marked('1')).toMatchObject({
      found: expect.stringContaining('of an earlier version'),
      advice: expect.not.stringContaining('upgrade rsi-loop'),
    });
    expect((await marked('"x"'))?.found).toContain('another program');
  });

  it('is a saved state that is not what records and decisions give', async () => {
    const at = copyOf('replayed');
    const replay = async () => (await rsi('--store', at, '--json')).stdout;
    const found = async () => JSON.parse(await replay()).checks.find((check: StoreCheck) => check.name === 'replay');
    expect(await found()).toMatchObject({ ok: true, found: 'records and decisions give the same as the saved state' });
    const editor = new FileStore(at);
    const saved = await editor.snapshots.load('loop');
    // As if none of the entries that it contains were counted: they are counted twice.
    await editor.snapshots.save('loop', { ...Object(saved?.value), entries: 0 }, saved?.version ?? 0);
    await editor.close();
    expect(await found()).toMatchObject({ ok: false, found: expect.stringContaining('differ') });
    rmSync(join(at, 'state'), { recursive: true });
    expect(await found()).toMatchObject({ ok: true, found: 'not compared: no state is saved' });
  });

  it('is a deleted ledger of a loop that began no trial: the saved state still counts its entries', async () => {
    const at = copyOf('without-ledger');
    for (const part of ['ledger', 'head']) rmSync(join(at, part), { recursive: true });
    const { code, stdout } = await rsi('--store', at);
    expect(code).toBe(1);
    expect(stdout.replace(/\s+/g, ' ')).toMatch(
      /saved state contains \d+ entries of the ledger, which has 0 → restore ledger/,
    );
  });

  it('is a signed decision that was changed; others are shown with their keys by explain and doctor', async () => {
    const [at, key] = [copyOf('signed'), join(folder, 'key.pem')];
    writeFileSync(key, generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const fix = JSON.parse((await runCommand([command, 'fixes', '--json', '--store', at], { cwd: folder })).stdout)
      .fixes[0];
    const run = (args: readonly string[], RSI_DECISION_KEY = key) =>
      runCommand([command, ...args, '--store', at], { cwd: folder, env: { ...process.env, RSI_DECISION_KEY } });
    expect((await run(['freeze', '--reason', 'x'], join(folder, 'none.pem'))).stderr).toContain(
      'cannot use RSI_DECISION_KEY',
    );
    expect(await run(['reject', fix.id, '--by', 'alice', '--reason', 'not now'])).toMatchObject({ code: 0 });
    const { stdout } = await run(['explain', fix.id]);
    expect(stdout).toMatch(
      /proposed +by .*\(unsigned\)\n.*rejected +by alice: not now \(signed with key\s+[0-9a-f]{8}\)/,
    );
    expect((await rsi('--store', at)).stdout).toMatch(/✓ signatures +1 by alice with key [0-9a-f]{8}, \d+ unsigned/);
  });

  it('is a ledger that was rewritten with its head, which only a witness notices', async () => {
    const [at, witness] = [copyOf('witnessed'), join(folder, 'witness.json')];
    for (let time = 0; time < 2; time++) {
      expect(await rsi('--store', at, '--witness', witness)).toMatchObject({ code: 0 });
    }
    for (const part of ['ledger', 'head', 'state']) rmSync(join(at, part), { recursive: true });
    const loop = new RSILoop({ store: at });
    await loop.freeze({ by: 'ada', reason: 'test' });
    await loop.close();
    expect((await complaints(at)).ledger).toBeUndefined();
    const { code, stdout } = await rsi('--store', at, '--witness', witness);
    expect([code, stdout]).toEqual([1, expect.stringMatching(/✗ witness .*entries/)]);
  });

  it('is no lease, whether its holder runs or was killed', async () => {
    const at = join(folder, 'leases');
    const running = new FileStore(at);
    const lease = await running.coordination.lease('cycle');
    const found = async (name: string) =>
      checksOf(await inspectStore(at), AROUND).find((check) => check.name === name)?.found;
    expect(await found('lease')).toBe('cycle held by a process that runs');
    expect(await found('processes')).toBe('1 writes now');
    await lease?.release();
    expect(await found('lease')).toBe('free');

    const { self } = machineProcesses();
    // A number that no process has.
    const processes = { self: { ...self, pid: 2 ** 30 }, liveness: () => 'alive' as const };
    const killed = new FileStore(at, { processes });
    await killed.coordination.lease('cycle');
    expect(await found('lease')).toMatch(/^cycle left by a process that ended/);
    expect(await found('processes')).toBe('1 writes now, 1 ended without closing');
    expect(await complaints(at)).toEqual({});
    await running.close();
    await killed.close();
  });
});
