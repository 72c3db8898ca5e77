import { describe, expect, it } from 'vitest';
import { LoopError } from '../../src/contract/errors.js';
import type { FixStatus } from '../../src/contract/fix.js';
import type { FixId } from '../../src/contract/ids.js';
import type { LedgerEntry } from '../../src/contract/ledger-entry.js';
import type { AppendResult, LedgerHead, LedgerLog, StoredEntry } from '../../src/contract/ledger-log.js';
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
  const ledger = new Ledger(store.ledger, { commit: () => {}, dropped: (step) => dropped.push(step) });
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

  it('writes nothing when nothing is decided, and can decide afterwards', async () => {
    const log = new SwitchedLog();
    const { ledger, applied } = following(log);
    expect(await ledger.append(() => [])).toEqual([]);
    expect(log.appended).toBe(0);
    await ledger.append(() => [propose('a')]);
    expect(applied).toEqual(['a']);
  });

  it('decides again on the newest state when another process was first, up to 20 times', async () => {
    const log = new SwitchedLog();
    const { ledger, applied } = following(log);
    log.rivals = 19;
    const sizes: number[] = [];
    await ledger.append(({ fixes }) => {
      sizes.push(fixes.size);
      return [propose('mine')];
    });
    expect(sizes).toEqual(Array.from({ length: 20 }, (_, index) => index));
    expect(applied.at(-1)).toBe('mine');
    log.rivals = 20;
    await expect(ledger.append(() => [propose('late')])).rejects.toMatchObject({ code: 'store-conflict' });
    expect(applied).not.toContain('late');
    // It follows again as soon as the others are quiet.
    await ledger.append(() => [propose('last')]);
    expect(applied.at(-1)).toBe('last');
    expect(ledger.length).toBe(41);
  });

  it('reads only entries that it does not know yet', async () => {
    const log = new SwitchedLog();
    const { ledger, applied } = following(log);
    await ledger.append(() => [propose('a'), propose('b')]);
    await ledger.follow();
    expect(log.reads).toEqual([]);
    await log.others([propose('c')]);
    await ledger.follow();
    await ledger.follow();
    expect(log.reads).toEqual([[2, 3]]);
    expect(applied).toEqual(['a', 'b', 'c']);
  });

  it('applies an entry that failed halfway again, and those before it once', async () => {
    for (const path of ['append', 'follow'] as const) {
      const log = new SwitchedLog();
      const { ledger, applied, failOn } = following(log);
      failOn.add('c');
      const entries = [propose('a'), propose('b'), propose('c'), propose('d')];
      if (path === 'follow') await log.others(entries);
      await expect(path === 'append' ? ledger.append(() => entries) : ledger.follow()).rejects.toThrow('disk full');
      expect([...ledger.state.fixes.values()].map(({ id }) => id)).toEqual(['a', 'b']);
      expect(ledger.length).toBe(2);
      expect(ledger.historyOf('c' as FixId)).toEqual([]);
      failOn.clear();
      await ledger.follow();
      expect(applied).toEqual(['a', 'b', 'c', 'd']);
    }
  });

  it('goes on without a listener for the steps that it drops', async () => {
    const ledger = new Ledger(new SwitchedLog());
    expect(await ledger.appendLegal(() => [move('unknown', 'trial')])).toEqual([]);
    const log = new SwitchedLog();
    await log.others([move('unknown', 'trial'), propose('a')]);
    const other = new Ledger(log);
    await other.follow();
    expect(other.state.fixes.size).toBe(1);
  });

  it('does not take a defect for a step that is not legal', async () => {
    const { ledger, dropped } = open();
    const broken = { kind: 'fix-proposed', atMs: 0, by: 'auto' } as unknown as LedgerEntry;
    await expect(ledger.appendLegal(() => [broken])).rejects.toThrow(TypeError);
    expect(dropped).toEqual([]);
  });
});

describe('the history of a fix', () => {
  it('holds its proposal and its steps, and nothing of other fixes', async () => {
    const { ledger } = open();
    const frozen: LedgerEntry = { kind: 'frozen', atMs: 0, by: 'ada', reason: 'release' };
    await ledger.append(() => [propose('a'), propose('b'), frozen, move('a', 'approved')]);
    expect(ledger.historyOf('a' as FixId)).toEqual([propose('a'), move('a', 'approved')]);
    expect(ledger.historyOf('b' as FixId)).toEqual([propose('b')]);
    expect(ledger.historyOf('c' as FixId)).toEqual([]);
  });

  it('is the newest 200 entries', async () => {
    const { ledger } = open();
    const at = (atMs: number): LedgerEntry => ({ ...propose('a'), atMs });
    await ledger.append(() => Array.from({ length: 200 }, (_, index) => at(index)));
    expect(ledger.historyOf('a' as FixId)).toHaveLength(200);
    await ledger.append(() => [at(200), at(201)]);
    expect(ledger.historyOf('a' as FixId).map(({ atMs }) => atMs)).toEqual(
      Array.from({ length: 200 }, (_, index) => index + 2),
    );
  });
});

describe('a ledger that was replaced', () => {
  const REPLACED = { code: 'store-replaced' };

  it.each([
    ['shorter', []],
    ['as long as before', [propose('x'), propose('y')]],
  ])('is noticed when it is %s, and the process does not go back to the old one', async (_, content) => {
    const log = new SwitchedLog();
    const { ledger } = following(log);
    await ledger.append(() => [propose('a'), propose('b')]);
    expect(ledger.isReplaced).toBe(false);
    const old = log.content;
    log.content = new MemoryStore().ledger;
    await log.others(content);
    await expect(ledger.follow()).rejects.toMatchObject(REPLACED);
    expect(ledger.isReplaced).toBe(true);
    log.content = old;
    await expect(ledger.append(() => [propose('c')])).rejects.toMatchObject(REPLACED);
    expect((await old.head()).length).toBe(2);
  });

  it('is not assumed because entries were added, nor because the disk failed once', async () => {
    const log = new SwitchedLog();
    const { ledger } = following(log);
    await ledger.append(() => [propose('a')]);
    await log.others([propose('b')]);
    await ledger.follow();
    for (const error of [new Error('disk failed'), new LoopError('closed', 'the store is closed')]) {
      log.error = error;
      await expect(ledger.follow()).rejects.toBe(error);
      expect(ledger.isReplaced).toBe(false);
    }
    log.error = new LoopError('store-replaced', 'the store says so');
    await expect(ledger.follow()).rejects.toMatchObject(REPLACED);
    expect(ledger.isReplaced).toBe(true);
  });

  it('tells that its entries cannot be trusted when that begins and when it ends', async () => {
    const log = new SwitchedLog();
    const changes: (string | undefined)[] = [];
    const ledger: Ledger = new Ledger(log, { commit: () => {}, brokenChanged: () => changes.push(ledger.broken) });
    await ledger.follow();
    log.broken = 'entry 3 was edited';
    await ledger.follow();
    await ledger.follow();
    log.broken = undefined;
    await ledger.follow();
    expect(changes).toEqual(['entry 3 was edited', undefined]);
    const silent = new Ledger(log);
    log.broken = 'entry 3 was edited';
    await silent.follow();
    expect(silent.broken).toBe('entry 3 was edited');
  });
});

/** Ledger log in memory that another process writes to, and whose content can be exchanged. */
class SwitchedLog implements LedgerLog {
  content: LedgerLog = new MemoryStore().ledger;
  /** Number of times that another process appends first. */
  rivals = 0;
  appended = 0;
  readonly reads: (readonly [number, number])[] = [];
  error: Error | undefined;
  broken: string | undefined;

  async head(): Promise<LedgerHead> {
    if (this.error) throw this.error;
    return { ...(await this.content.head()), ...(this.broken !== undefined && { broken: this.broken }) };
  }

  async append(entries: readonly LedgerEntry[], after: LedgerHead): Promise<AppendResult> {
    this.appended++;
    if (this.rivals-- > 0) await this.others([propose(`rival-${this.appended}`)]);
    return this.content.append(entries, after);
  }

  read(from = 0, upTo = Number.POSITIVE_INFINITY): AsyncIterable<StoredEntry> {
    this.reads.push([from, upTo]);
    return this.content.read(from, upTo);
  }

  async others(entries: readonly LedgerEntry[]): Promise<void> {
    await this.content.append(entries, await this.content.head());
  }
}

/** Ledger that notes the ids of the proposals it applied. */
function following(log: LedgerLog) {
  const applied: string[] = [];
  const failOn = new Set<string>();
  const ledger = new Ledger(log, {
    commit: ({ entry }) => {
      if (entry.kind !== 'fix-proposed') return;
      if (failOn.has(entry.fix.id)) throw new Error('disk full');
      applied.push(entry.fix.id);
    },
  });
  return { ledger, applied, failOn };
}
