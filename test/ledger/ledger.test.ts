import { describe, expect, it } from 'vitest';
import type { FixStatus } from '../../src/contract/fix.js';
import type { FixId } from '../../src/contract/ids.js';
import type { LedgerEntry } from '../../src/contract/ledger-entry.js';
import { MemoryStore } from '../../src/defaults/memory-store.js';
import { Ledger } from '../../src/ledger/ledger.js';
import type { DroppedStep } from '../../src/ledger/legal-entries.js';
import { proposedFix } from './fixtures.js';

const propose = (id: string): LedgerEntry => ({ kind: 'fix-proposed', atMs: 0, by: 'auto', fix: proposedFix(id) });
const move = (id: string, to: FixStatus): LedgerEntry => ({
  kind: 'fix-moved',
  atMs: 0,
  by: 'auto',
  fixId: id as FixId,
  to,
  reason: 'test',
});

function open(store = new MemoryStore()) {
  const dropped: DroppedStep[] = [];
  const ledger = new Ledger({ log: store.ledger, onEntry: () => {}, onDropped: (step) => dropped.push(step) });
  const statuses = () => [...ledger.state.fixes.values()].map(({ status }) => status);
  return { store, ledger, dropped, statuses };
}

describe('the ledger', () => {
  it('drops a step of the loop that is not legal any more, and takes the others', async () => {
    const { ledger, dropped, statuses, store } = open();
    await ledger.append(() => [propose('a'), propose('b'), move('a', 'approved'), move('a', 'trial')]);
    const appended = await ledger.appendLegal(() => [propose('a'), move('b', 'approved'), move('c', 'approved')]);
    expect(appended).toEqual([move('b', 'approved')]);
    expect(statuses()).toEqual(['trial', 'approved']);
    expect(dropped.map(({ why }) => why.code)).toEqual(['illegal-step', 'unknown-fix']);
    expect(await store.ledger.head()).toMatchObject({ length: 5 });
  });

  it('takes in no entry while its state is read in parts, and takes them in afterwards', async () => {
    const { ledger, statuses } = open();
    await ledger.append(() => [propose('a')]);
    let goOn = () => {};
    const paused = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const parts: number[] = [];
    const reading = ledger.settled(async () => {
      parts.push(ledger.state.fixes.size);
      await paused;
      parts.push(ledger.state.fixes.size);
    });
    const appending = ledger.append(() => [propose('b')]);
    goOn();
    await reading;
    expect(parts).toEqual([1, 1]);
    await appending;
    expect(statuses()).toEqual(['proposed', 'proposed']);
  });

  it('leaves finished fixes out of those that a cycle looks at, until their rule is out of its file', async () => {
    const { ledger } = open();
    const active = () => [...ledger.state.active.values()].map(({ id }) => id);
    await ledger.append(() => [propose('a'), propose('b'), move('a', 'rejected'), move('b', 'applied-unverified')]);
    expect(active()).toEqual(['b']);
    const file = { atMs: 0, by: 'auto', fixId: 'b' as FixId, path: 'AGENTS.md' };
    await ledger.append(() => [{ kind: 'change-written', ...file }, move('b', 'rolled-back')]);
    expect(active()).toEqual(['b']);
    await ledger.append(() => [{ kind: 'change-removed', ...file }, propose('a')]);
    expect(active()).toEqual(['a']);
    expect(ledger.state.fixes.size).toBe(2);
  });

  it('refuses a person the whole decision when one step of it is not legal', async () => {
    const { ledger, statuses } = open();
    await ledger.append(() => [propose('a')]);
    await expect(ledger.append(() => [move('a', 'approved'), move('a', 'reopened')])).rejects.toMatchObject({
      code: 'illegal-step',
    });
    expect(statuses()).toEqual(['proposed']);
  });

  it('goes on past an entry of another version that is not legal here, as every process does', async () => {
    const store = new MemoryStore();
    const entries = [propose('a'), move('a', 'confirmed'), move('b', 'trial'), move('a', 'approved')];
    await store.ledger.append(entries, await store.ledger.head());
    const { ledger, dropped, statuses } = open(store);
    await ledger.follow();
    expect(statuses()).toEqual(['approved']);
    expect(ledger.length).toBe(entries.length);
    expect(dropped.map(({ entry }) => entry)).toEqual([entries[1], entries[2]]);
    await ledger.append(() => [move('a', 'trial')]);
    expect(statuses()).toEqual(['trial']);
  });
});
