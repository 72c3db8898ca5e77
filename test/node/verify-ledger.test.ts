import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FileStore, verifyLedger } from 'rsi-loop/node';
import { describe, expect, it } from 'vitest';
import { sealLine } from '../../src/node/line.js';
import { decideAtLast, decision, testFolder } from './folder.js';

const ENTRIES = 8;

async function ledgerFolder(): Promise<{ folder: string; part: string; file: (position: number) => string }> {
  const folder = testFolder();
  const store = new FileStore(folder);
  for (let number = 0; number < ENTRIES; number++) await decideAtLast(store, decision(number));
  await store.close();
  const part = join(folder, 'ledger', '000000000000');
  return { folder, part, file: (position) => join(part, `${String(position).padStart(12, '0')}.jsonl`) };
}

/** Changes a line as an attacker does who knows the format: with a checksum that fits. */
function rewrite(path: string, change: (rest: string) => string): void {
  const [header, line] = readFileSync(path, 'utf8').split('\n');
  writeFileSync(path, `${header}\n${sealLine(change((line ?? '').slice(18)))}\n`);
}

const kinds = async (folder: string) => (await verifyLedger(folder)).faults.map(({ kind }) => kind);

describe('verifyLedger', () => {
  it('finds nothing wrong with a ledger as it was written', async () => {
    const { folder } = await ledgerFolder();
    const report = await verifyLedger(folder);
    expect(report).toMatchObject({ ok: true, faults: [], head: { length: ENTRIES } });
    expect(await verifyLedger(testFolder())).toMatchObject({ ok: true, head: { length: 0, hash: '' } });
  });

  it('finds a deleted entry', async () => {
    const { folder, file } = await ledgerFolder();
    rmSync(file(3));
    expect(await kinds(folder)).toEqual(['missing']);
  });

  it('finds an edited entry, whose checksum was mended', async () => {
    const { folder, file } = await ledgerFolder();
    rewrite(file(3), (rest) => rest.replace('somebody', 'someone'));
    expect(await verifyLedger(folder)).toMatchObject({ ok: false, faults: [{ kind: 'broken-chain', position: 4 }] });
  });

  it('finds that the last entry was edited', async () => {
    const { folder, file } = await ledgerFolder();
    rewrite(file(ENTRIES - 1), (rest) => rest.replace('somebody', 'someone'));
    expect(await kinds(folder)).toEqual(['replaced']);
  });

  it('finds an inserted entry', async () => {
    const { folder, file } = await ledgerFolder();
    const [, line] = readFileSync(file(3), 'utf8').split('\n');
    writeFileSync(file(4), `${readFileSync(file(4), 'utf8')}${line}\n`);
    expect(await kinds(folder)).toContain('repeated');
  });

  it('finds an entry added at the end that follows from the one before', async () => {
    const { folder, file } = await ledgerFolder();
    const { head } = await verifyLedger(folder);
    const rest = `"n":${ENTRIES},"prev":"${head.hash}","entry":${JSON.stringify(decision(99))}}`;
    const [header] = readFileSync(file(3), 'utf8').split('\n');
    writeFileSync(file(ENTRIES), `${header}\n${sealLine(rest)}\n`);
    expect(await kinds(folder)).toEqual(['beyond-head']);
  });

  it('finds two entries that changed places', async () => {
    const { folder, file } = await ledgerFolder();
    const [one, other] = [readFileSync(file(3)), readFileSync(file(4))];
    writeFileSync(file(3), other);
    writeFileSync(file(4), one);
    expect((await kinds(folder)).length).toBeGreaterThan(0);
  });

  it('finds that the end was cut off', async () => {
    const { folder, file } = await ledgerFolder();
    rmSync(file(ENTRIES - 1));
    rmSync(file(ENTRIES - 2));
    expect(await verifyLedger(folder)).toMatchObject({ faults: [{ kind: 'truncated', position: ENTRIES - 2 }] });
  });

  it('finds that the head was taken away', async () => {
    const { folder } = await ledgerFolder();
    rmSync(join(folder, 'head'), { recursive: true });
    expect(await kinds(folder)).toEqual(['no-head']);
  });

  it('is not needed to learn of it: a store that reads a ledger without its head says so, once', async () => {
    const { folder } = await ledgerFolder();
    const told = async () => {
      const store = new FileStore(folder);
      const messages: string[] = [];
      store.onProblem(({ message }) => messages.push(message));
      await store.ledger.head();
      await store.ledger.head();
      await store.close();
      return messages;
    };
    expect(await told()).toEqual([]);
    rmSync(join(folder, 'head'), { recursive: true });
    expect(await told()).toEqual([expect.stringMatching(/the head of the ledger is missing: run "rsi doctor"/)]);
  });

  it('reads a ledger of several parts, one of them written as one file', async () => {
    const folder = testFolder();
    const store = new FileStore(folder, { ledgerPartFiles: 4 });
    for (let number = 0; number < 11; number++) await decideAtLast(store, decision(number));
    await store.close();
    expect(readdirSync(join(folder, 'ledger')).sort()).toEqual([
      '000000000000.jsonl',
      '000000000004.jsonl',
      '000000000008',
    ]);
    expect(await verifyLedger(folder)).toMatchObject({ ok: true, head: { length: 11 } });
  });
});
