import { generateKeyPairSync } from 'node:crypto';
import { type LedgerEntry, MemoryStore, RSILoop } from 'rsi-loop';
import { FileStore, signatureOf, signDecisions } from 'rsi-loop/node';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DashboardData } from '../../integrations/dashboard/data/dashboard-data.js';
import { checkSignatures } from '../../integrations/reports/signatures.js';
import { testFolder } from './folder.js';

const keyOf = (type = 'ed25519') =>
  generateKeyPairSync(type as 'ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string; // as asked for

async function entriesOf(store: Pick<FileStore, 'ledger'>): Promise<readonly LedgerEntry[]> {
  const entries: LedgerEntry[] = [];
  for await (const { entry } of store.ledger.read()) entries.push(entry);
  return entries;
}

async function* stored(entries: readonly LedgerEntry[]) {
  for (const [position, entry] of entries.entries()) yield { position, entry };
}

/** A ledger with a decision of alice, who has a key, and one of bob, who has none. */
async function decided() {
  const folder = testFolder();
  const alice = new RSILoop({ store: signDecisions(new FileStore(folder), keyOf()) });
  await alice.freeze({ by: 'alice', reason: 'too many failures' });
  await alice.runCycle();
  await alice.close();
  const bob = new RSILoop({ store: new FileStore(folder) });
  await bob.unfreeze({ by: 'bob', reason: 'mended' });
  await bob.close();
  const store = new FileStore(folder);
  onTestFinished(() => store.close());
  expect((await store.ledger.head()).broken).toBeUndefined();
  return { folder, store, entries: (await entriesOf(store)).filter(({ kind }) => kind.endsWith('frozen')) };
}

describe('a signed decision', () => {
  it('is known after it was stored and read, by its key; others stay unsigned', async () => {
    const { entries } = await decided();
    expect(entries.map(signatureOf)).toEqual([
      { kind: 'signed', key: expect.stringMatching(/^[0-9a-f]{16}$/) },
      { kind: 'unsigned' },
    ]);
    expect((await checkSignatures(stored(entries))).found).toMatch(/^1 by alice with key [0-9a-f]{8}, 1 unsigned$/);
  });

  it.each([
    ['who made it', { by: 'mallory' }],
    ['what it decides', { kind: 'unfrozen' }],
    ['its time', { atMs: 1 }],
    ['its reason', { reason: 'other' }],
    ['a new field', { fixId: 'x' }],
    ['its key', { signature: { key: 'AAAA', value: 'AAAA' } }],
    ['its form', { signature: 'alice' }],
  ])('no longer fits if someone changes %s', async (_, change) => {
    const { entries } = await decided();
    const [first] = entries;
    const forged = { ...first, ...change } as LedgerEntry; // what a forger could write
    expect(signatureOf(forged)).toEqual({ kind: 'forged' });
    expect(await checkSignatures(stored([forged]))).toMatchObject({ ok: false });
  });

  it('cannot be taken over by another decision', async () => {
    const { entries } = await decided();
    const [signed, other] = entries;
    expect(signatureOf(Object.assign({ ...signed }, other))).toEqual({ kind: 'forged' });
  });

  it('fails no check after an erasure changed its decision', async () => {
    const { store, folder } = await decided();
    await store.journal.append([]);
    await store.close();
    const eraser = new FileStore(folder);
    const loop = new RSILoop({ store: eraser });
    loop.observer.recordSimple('t', { success: false, error: 'failures' });
    await loop.flush();
    await loop.close();
    const again = new FileStore(folder);
    await again.erase({ text: 'failures' });
    const check = await checkSignatures(again.ledger.read());
    expect(check).toMatchObject({ ok: true, found: expect.stringContaining('1 changed by an erasure') });
    await again.close();
  });

  it('needs an Ed25519 key', () => {
    expect(() => signDecisions(new MemoryStore(), 'no key')).toThrow('no private key in PEM');
    expect(() => signDecisions(new MemoryStore(), keyOf('ed448'))).toThrow('of type ed448');
  });

  it('is shown as such in the dashboard of the process that decided', async () => {
    const loop = new RSILoop({ store: signDecisions(new MemoryStore(), keyOf()) });
    onTestFinished(() => loop.close());
    await loop.freeze({ by: 'alice', reason: 'test' });
    const view = await new DashboardData({ loop }).view('ledger');
    expect(view?.entries).toMatchObject([
      { by: 'alice', signature: expect.stringMatching(/^signed with key [0-9a-f]{8}$/) },
    ]);
  });
});
