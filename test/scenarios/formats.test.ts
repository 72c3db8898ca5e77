import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { RSILoop } from 'rsi-loop';
import { FileStore, inspectStore } from 'rsi-loop/node';
import { ManualClock } from 'rsi-loop/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { upgradeFolder } from '../../integrations/cli/store/upgrade-folder.js';
import { FORMAT } from '../../src/node/format.js';
import { networkError, World } from './world.js';

/** A folder of every format that a version wrote, named by its number. They are written once and never changed. */
const FORMATS = new URL('../fixtures/formats', import.meta.url).pathname;
const WRITTEN_MS = Date.UTC(2026, 0, 5, 12);

const copies: string[] = [];
afterAll(() => {
  for (const copy of copies) rmSync(copy, { recursive: true, force: true });
});

async function life(folder: string): Promise<void> {
  const store = new FileStore(folder, { writer: 'agent0000000' });
  const world = new World({ store }, { seed: 7, startMs: WRITTEN_MS });
  for (let round = 0; round < 30 && world.loop.fixes({ status: 'confirmed' }).length === 0; round++)
    await world.work(20, () => (world.happens(0.5) ? networkError() : undefined));
  await world.loop.close();
}

// After a new format: WRITE_FORMAT=1 npx vitest run test/scenarios/formats.test.ts
if (process.env.WRITE_FORMAT) await life(join(FORMATS, `${FORMAT}`));

describe('folders of every format', () => {
  it('are kept, also of the newest one', () => {
    expect(readdirSync(FORMATS)).toContain(`${FORMAT}`);
  });

  it.each(readdirSync(FORMATS))('format %s is read with all that it says, and the loop goes on', async (format) => {
    const folder = mkdtempSync(join(tmpdir(), 'rsi-format-'));
    copies.push(folder);
    cpSync(join(FORMATS, format), folder, { recursive: true });
    if (format !== `${FORMAT}`) copies.push((await upgradeFolder(folder)).kept);
    expect(await inspectStore(folder, { nowMs: WRITTEN_MS })).toMatchObject({ marker: 'intact', ledger: { ok: true } });
    const clock = new ManualClock(WRITTEN_MS + 86_400_000);
    const loop = new RSILoop({ clock, idempotent: true, store: new FileStore(folder, { clock }) });
    await loop.ready();
    expect(loop.fixes()).toMatchObject([{ target: 'retries.network', status: 'confirmed' }]);
    expect(loop.patterns().map(({ task, issue }) => [task, issue])).toEqual([['api_call', 'network']]);
    expect(loop.policy('api_call')['retries.network']).toBeGreaterThan(0);
    await loop.run('api_call', () => 'done');
    await loop.runCycle();
    expect(loop.hasLostStore).toBe(false);
    await loop.close();
  });
});

describe('a folder of the format before', () => {
  const copy = () => {
    const folder = join(mkdtempSync(join(tmpdir(), 'rsi-format-')), 'data');
    copies.push(join(folder, '..'));
    cpSync(join(FORMATS, `${FORMAT - 1}`), folder, { recursive: true });
    return folder;
  };

  it('is refused with the command to run, which keeps it and the same chain beside the new one', async () => {
    const folder = copy();
    const before = filesOf(folder);
    const loop = new RSILoop({ store: new FileStore(folder) });
    const problems: string[] = [];
    loop.on('problem', ({ message }) => problems.push(message));
    await loop.ready();
    await loop.close();
    expect(problems.join()).toContain('run "rsi store upgrade"');
    const report = await upgradeFolder(folder);
    expect(report).toMatchObject({ from: 1, to: 2, records: 100, decisions: 7, kept: `${folder}.format-1` });
    expect(filesOf(report.kept)).toEqual(before);
    const store = new FileStore(folder);
    expect(await store.ledger.head()).toEqual({ length: 7, hash: report.head });
    await store.close();
    await expect(upgradeFolder(folder)).rejects.toThrow('is of format 2 already');
  });

  it.each([
    ['a damaged record', 'journal', (text: string) => text.replace('"success":false', '"success":true')],
    ['a damaged first line', 'journal', (text: string) => text.replace('"from":0', '"from":7')],
    ['a decision that was edited', 'ledger', (text: string) => text.replace('"by":"auto"', '"by":"ada"')],
    ['a missing file of the ledger', 'ledger', () => ''],
  ])('with %s is left as it is', async (_, part, edit) => {
    const folder = copy();
    const [name = ''] = readdirSync(join(folder, part), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.jsonl'))
      .sort()
      .slice(part === 'ledger' ? 1 : 0);
    const path = join(folder, part, name);
    writeFileSync(path, edit(readFileSync(path, 'utf8')));
    const before = filesOf(folder);
    await expect(upgradeFolder(folder)).rejects.toThrow('nothing was upgraded');
    expect(filesOf(folder)).toEqual(before);
    expect(readdirSync(join(folder, '..'))).toEqual(['data']);
  });

  it('with a verdict in words of another version is left as it is', async () => {
    const folder = copy();
    const chain = join(folder, 'ledger/000000000000/000000000006.jsonl');
    const [head = '', line = ''] = readFileSync(chain, 'utf8').split('\n');
    const rest = line.slice(18).replace('"verdict":{"kind":"confirmed"', '"verdict":{"kind":"proven"');
    writeFileSync(chain, `${head}\n{"crc":"${crc32(rest).toString(16).padStart(8, '0')}",${rest}\n`);
    await expect(upgradeFolder(folder)).rejects.toThrow('nothing was upgraded');
  });

  it('of any other version is no reason to touch the folder', async () => {
    const folder = copy();
    writeFileSync(join(folder, 'store.json'), '{"crc":"00000000","format":9,"kind":"store"}\n');
    await expect(upgradeFolder(folder)).rejects.toThrow('is of format 9, and this version upgrades only format 1');
    rmSync(join(folder, 'store.json'));
    await expect(upgradeFolder(folder)).rejects.toThrow('no readable store.json');
  });
});

function filesOf(folder: string): readonly (readonly [string, string])[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => [path.slice(folder.length), readFileSync(path, 'utf8')] as const);
}
