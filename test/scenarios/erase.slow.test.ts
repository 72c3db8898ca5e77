import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MemoryStore, RSILoop } from 'rsi-loop';
import { FileStore, verifyLedger } from 'rsi-loop/node';
import { importInto } from 'rsi-loop/sources/import';
import { ManualClock } from 'rsi-loop/testing';
import { describe, expect, it } from 'vitest';
import { hashOf } from '../../src/node/hash-of.js';
import { openLine, sealLine } from '../../src/node/line.js';
import { filesIn, outcome, outcomesIn, testFolder } from '../node/folder.js';
import { eraseEverything, filesHolding, shownBy } from './erase-everything.js';

const NAME = 'Zebediah Quux';

/** Half of the tasks of four sessions fail, and say whose mail it was. */
function record(loop: RSILoop, count = 60): void {
  for (let index = 0; index < count; index++) {
    loop.observer.record({
      task: 'mail',
      session: `user-${index % 4}`,
      agent: index % 2 ? 'writer' : 'reader',
      success: index % 2 === 0,
      ...(index % 2 && { error: `could not send to ${NAME}: 404 mailbox not found`, issues: ['not_found'] }),
      actual: `to ${NAME}`,
      context: { user: NAME },
    });
  }
}

const holding = filesHolding;
const shown = shownBy;

describe('erasure', () => {
  it('takes all of one person and nothing of another, by any field, from any of two processes', async () => {
    const { broken } = await eraseEverything(testFolder(), 8, 1);
    expect(broken).toEqual([]);
  });

  it('reaches every file and the running loop, and what was erased never comes back', async () => {
    const folder = testFolder();
    const loop = new RSILoop({ store: new FileStore(folder) });
    record(loop);
    await loop.runCycle();
    await loop.freeze({ by: 'me', reason: `${NAME} asked for it` });
    await loop.unfreeze({ by: 'me' });
    await loop.runCycle();
    expect(holding(folder).length).toBeGreaterThan(1);
    expect(shown(loop)).toContain('Zebediah');

    const dry = await loop.erase({ session: 'user-1' }, { dryRun: true });
    expect(dry.records).toBe(15);
    expect(shown(loop)).toContain('Zebediah');
    for (const session of ['user-0', 'user-1', 'user-2', 'user-3']) await loop.erase({ session }, { by: 'me' });
    expect(holding(folder)).toEqual([]);
    expect(shown(loop)).not.toContain('Zebediah');

    loop.observer.recordSimple('mail', { success: true, session: 'user-9' });
    expect((await loop.runCycle()).unfinished).toBeUndefined();
    await loop.close();
    expect(holding(folder)).toEqual([]);
    expect((await verifyLedger(folder)).faults).toEqual([]);
    const next = new RSILoop({ store: new FileStore(folder) });
    await next.ready();
    expect(shown(next)).not.toContain('Zebediah');
    // The decision stays, without the words.
    const kinds: string[] = [];
    for await (const { entry } of next.store.ledger.read(0)) kinds.push(entry.kind);
    expect(kinds).toContain('frozen');
    await next.close();
    expect(holding(folder)).toEqual([]);
  });

  it.each(['text', 'source', 'agent'] as const)('by %s makes a loop in another process forget, too', async (field) => {
    const folder = testFolder();
    const loop = new RSILoop({ store: new FileStore(folder), source: 'desk' });
    record(loop);
    await loop.runCycle();
    await loop.flush();
    const other = new RSILoop({ store: new FileStore(folder) });
    await other.ready();
    const filters = {
      text: [{ text: 'Zebediah' }],
      source: [{ source: 'desk' }],
      agent: [{ agent: 'writer' }, { agent: 'reader' }],
    };
    for (const filter of filters[field]) await other.erase(filter, { by: 'me' });
    // The first loop leads and still has its records in memory.
    expect((await loop.runCycle()).unfinished).toBeUndefined();
    expect((await loop.runCycle()).unfinished).toBeUndefined();
    expect(shown(loop)).not.toContain('Zebediah');
    await other.close();
    await loop.close();
    expect(holding(folder)).toEqual([]);
  });

  it('keeps out what was erased when its source is imported again, and when it is sent again', async () => {
    const folder = testFolder();
    const path = join(testFolder(), 'runs.jsonl');
    const lines = Array.from({ length: 20 }, (_, index) => {
      const who = index % 4 === 0 ? NAME : 'Ottoline Vance';
      return {
        id: `run-${index}`,
        task: 'mail',
        success: false,
        error: `no mailbox of ${who}`,
        session: `s${index % 4}`,
      };
    });
    writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const importAll = async () => {
      const store = new FileStore(folder);
      const result = await importInto(store, path);
      await store.close();
      return result;
    };
    expect(await importAll()).toMatchObject({ written: 20, known: 0, erased: 0 });
    expect(await importAll()).toMatchObject({ written: 0, known: 20, erased: 0 });
    const loop = new RSILoop({ store: new FileStore(folder) });
    await loop.erase({ text: 'Zebediah' });
    let dropped = 0;
    loop.on('outcomes-dropped', ({ count }) => {
      dropped += count;
    });
    for (const line of lines) loop.observer.record(line);
    await loop.runCycle();
    expect(dropped).toBe(5);
    expect(shown(loop)).not.toContain('Zebediah');
    await loop.close();
    expect(await importAll()).toMatchObject({ written: 0, known: 15, erased: 5 });
    expect(holding(folder)).toEqual([]);
  });

  it('waits for what another process has recorded and not written yet', async () => {
    const folder = testFolder();
    const slow = new FileStore(folder, { flushMs: 600, fsyncMs: 600 });
    slow.journal.append([outcome(1, { session: 'kept' })]);
    await slow.journal.flush();
    slow.journal.append([outcome(2, { session: 'zeb' })]);
    const store = new FileStore(folder);
    const { records, waiting } = await store.erase({ session: 'zeb' });
    expect([records, waiting]).toEqual([1, undefined]);
    await slow.close();
    expect((await outcomesIn(store)).map(({ number }) => number)).toEqual([1]);
    await store.close();
  });

  it('says which process may still hold records, because it is stopped or its disk hangs', async () => {
    const folder = testFolder();
    const clock = new ManualClock(Date.now());
    const stopped = new FileStore(folder, { clock });
    stopped.journal.append([outcome(1, { session: 'zeb' })]);
    await stopped.journal.flush();
    const store = new FileStore(folder);
    const { records, waiting } = await store.erase({ session: 'zeb' });
    expect([records, waiting]).toEqual([1, [stopped.journal.writer]]);
    await store.close();
    await stopped.close();
  });

  it('fails with a sentence when the store has no erase', async () => {
    const { journal, ledger, snapshots, coordination } = new MemoryStore();
    const loop = new RSILoop({ store: { journal, ledger, snapshots, coordination } });
    await expect(loop.erase({ text: 'Zebediah' })).rejects.toThrow(
      'this store cannot erase records: it has no erase()',
    );
    await loop.close();
  });

  it('finds an entry that was changed without an erasure', async () => {
    const folder = testFolder();
    const loop = new RSILoop({ store: new FileStore(folder) });
    record(loop);
    await loop.runCycle();
    await loop.erase({ text: 'Zebediah' });
    await loop.close();
    expect((await verifyLedger(folder)).ok).toBe(true);
    const [path = ''] = filesIn(join(folder, 'ledger'));
    const [head = '', line = '', ...lines] = readFileSync(path, 'utf8').split('\n');
    const { crc: _, was, n, prev, entry } = JSON.parse(line);
    const hash = was ?? hashOf(openLine(line) ?? '');
    const forged = sealLine(JSON.stringify({ n, prev, was: hash, entry: { ...entry, by: 'somebody else' } }).slice(1));
    writeFileSync(path, [head, forged, ...lines].join('\n'));
    expect((await verifyLedger(folder)).faults).toMatchObject([{ kind: 'broken-chain', position: n }]);
  });
});
