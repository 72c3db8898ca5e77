import { appendFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LoopError } from 'rsi-loop';
import { FileStore, machineFileSystem } from 'rsi-loop/node';
import { describe, expect, it } from 'vitest';
import { Ledger } from '../../src/ledger/ledger.js';
import { sealLine } from '../../src/node/line.js';
import { decideAtLast, decision, decisionsIn, filesIn, outcome, outcomesIn, testFolder } from './folder.js';
import { failure, SimulatedDisk } from './simulated-disk.js';
import { simulatedStore } from './simulated-store.js';

const DAY_MS = 86_400_000;

describe('FileStore on disk', () => {
  it('finds the chain of decisions whole, however many look at its end at the same time', async () => {
    const folder = testFolder();
    const [writer, reader] = [new FileStore(folder), new FileStore(folder)];
    for (let number = 0; number < 20; number++) {
      await decideAtLast(writer, decision(number));
      const heads = await Promise.all(Array.from({ length: 5 }, () => reader.ledger.head()));
      expect(heads.map(({ length, broken }) => [length, broken])).toEqual(heads.map(() => [number + 1, undefined]));
    }
    await Promise.all([writer.close(), reader.close()]);
  });

  it('reads each decision once at a start, and later ones of others too', async () => {
    const folder = testFolder();
    const writer = new FileStore(folder);
    for (let number = 0; number < 5; number++) await decideAtLast(writer, decision(number));
    const opened: string[] = [];
    const fs = {
      ...machineFileSystem,
      open: (path: string, flags: 'r' | 'r+' | 'wx') => {
        if (path.includes('/ledger/')) opened.push(path);
        return machineFileSystem.open(path, flags);
      },
    };
    const reader = new FileStore(folder, { fs });
    const ledger = new Ledger(reader.ledger);
    await ledger.follow();
    expect([ledger.length, opened.length]).toEqual([5, 5]);
    await reader.ledger.head();
    await decideAtLast(writer, decision(5));
    expect(await decisionsIn(reader)).toEqual([0, 1, 2, 3, 4, 5]);
    await Promise.all([writer.close(), reader.close()]);
  });

  it('writes lines that any JSON tool reads, each with its position and checksum, under a header with the format', async () => {
    const folder = testFolder();
    const store = new FileStore(folder);
    store.journal.append([outcome(0), outcome(1)]);
    await store.close();
    const [path = ''] = filesIn(join(folder, 'journal'));
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    const values = lines.map((line) => JSON.parse(line));
    expect(values[0]).toMatchObject({ format: 2, kind: 'journal', writer: store.journal.writer, from: 0 });
    expect(values.slice(1)).toMatchObject([
      { n: 0, kind: 'outcome', outcome: { id: 'o0', model: 'sonnet' } },
      { n: 1, kind: 'outcome', outcome: { id: 'o1', model: 'sonnet' } },
    ]);
    expect(values.every(({ crc }) => /^[0-9a-f]{8}$/.test(crc))).toBe(true);
  });

  it('writes a large state in small slices, so that other work goes on, and reads it whole', async () => {
    const writes: number[] = [];
    const fs = {
      ...machineFileSystem,
      write: (file: number, bytes: Uint8Array, position: number) => {
        writes.push(bytes.byteLength);
        return machineFileSystem.write(file, bytes, position);
      },
    };
    const store = new FileStore(testFolder(), { fs });
    const state = {
      groups: Array.from({ length: 20_000 }, (_, index) => ({ id: `group ä ${index}`, counts: [1, 2, 3] })),
    };
    expect(await store.snapshots.save('loop', state, 0)).toBe(true);
    expect(writes.reduce((sum, bytes) => sum + bytes, 0)).toBeGreaterThan(700_000);
    expect(Math.max(...writes)).toBeLessThan(100_000);
    expect(await store.snapshots.load('loop')).toEqual({ version: 1, value: state });
    await store.close();
  });

  it('reads a folder as version 1 of the format wrote it', async () => {
    const folder = testFolder();
    mkdirSync(join(folder, 'journal'));
    writeFileSync(join(folder, 'store.json'), '{"crc":"e79d91e1","format":2,"kind":"store","product":"rsi-loop"}\n');
    writeFileSync(
      join(folder, 'journal', 'w1-000000-000000000000.jsonl'),
      '{"crc":"e4abcc3b","format":2,"kind":"journal","writer":"w1","from":0}\n{"crc":"e15ac2a7","n":0,"kind":"outcome","outcome":{"id":"o7","task":"t","success":true,"atMs":1,"source":"s","issues":[]}}\n',
    );
    const store = new FileStore(folder);
    const told: unknown[] = [];
    store.onProblem((problem) => told.push(problem));
    expect(await outcomesIn(store)).toEqual([{ writer: 'w1', position: 0, number: 7 }]);
    expect(told).toEqual([]);
    await store.close();
  });

  it('leaves alone and names files of a newer version or of another program', async () => {
    const folder = testFolder();
    const store = new FileStore(folder);
    const told: string[] = [];
    store.onProblem(({ kind, message }) => told.push(`${kind} ${message}`));
    store.journal.append([outcome(0)]);
    await store.journal.flush();
    const newer = join(folder, 'journal', 'new1-000000-000000000000.jsonl');
    const text = `${sealLine('"format":3,"kind":"journal","writer":"new1","from":0}')}\n${sealLine('"n":0,"kind":"outcome","outcome":{}}')}\n`;
    writeFileSync(newer, text);
    writeFileSync(join(folder, 'journal', 'notes.txt'), 'mine');
    expect((await outcomesIn(store)).map(({ number }) => number)).toEqual([0]);
    await outcomesIn(store);
    expect(new Set(told)).toEqual(
      new Set([
        `foreign ${join(folder, 'journal')}/notes.txt is not a segment of a journal: ignored`,
        `foreign ${newer} is a segment of a journal of format 3, and this version reads only format 2: a newer version wrote it; upgrade rsi-loop`,
      ]),
    );
    expect(told.length).toBe(2);
    expect(readFileSync(newer, 'utf8')).toBe(text);
    await store.close();
  });

  it('refuses a folder that a newer version has made its own, without touching it', async () => {
    const folder = testFolder();
    const path = join(folder, 'store.json');
    const text = `${sealLine('"format":3,"kind":"store","product":"rsi-loop"}')}\n`;
    writeFileSync(path, text);
    const store = new FileStore(folder);
    const error = await store.ledger.head().catch((reason: unknown) => reason);
    expect(LoopError.is(error) && error.code === 'store-failed' && error.message.includes(folder)).toBe(true);
    store.journal.append([outcome(0)]);
    await store.close();
    expect(filesIn(folder)).toEqual([path]);
  });

  it.each(['journal', 'ledger', 'head', 'state', 'leases', 'writers', 'quarantine', 'journal/x.jsonl'])(
    'refuses a folder in which %s is a link, and writes nothing through it',
    async (name) => {
      const folder = testFolder();
      const outside = testFolder();
      mkdirSync(join(folder, dirname(name)), { recursive: true });
      symlinkSync(outside, join(folder, name));
      const store = new FileStore(folder);
      await expect(store.ledger.head()).rejects.toMatchObject({ code: 'store-failed' });
      await expect(store.ledger.head()).rejects.toThrow(`${join(folder, name)} is a link`);
      store.journal.append([outcome(0)]);
      await expect(store.journal.flush()).rejects.toThrow('is a link');
      await store.close();
      expect(filesIn(outside)).toEqual([]);
    },
  );

  it('follows the link that the host itself names as its folder', async () => {
    const outside = testFolder();
    const path = join(testFolder(), 'data');
    symlinkSync(outside, path);
    const store = new FileStore(path);
    store.journal.append([outcome(0)]);
    await store.journal.flush();
    expect((await outcomesIn(store)).map(({ number }) => number)).toEqual([0]);
    await store.close();
    expect(filesIn(outside).length).toBeGreaterThan(1);
  });

  it.skipIf(!existsSync('/proc/self'))(
    'says so where its folder can never be made, instead of trying for ever',
    async () => {
      const store = new FileStore('/proc/nowhere/data');
      await expect(store.ledger.head()).rejects.toMatchObject({ code: 'ENOENT' });
      expect(() => machineFileSystem.mkdirSync('/proc/nowhere')).toThrow('ENOENT');
      await store.close();
    },
  );

  it('keeps a copy of what it cannot read, and erases that too', async () => {
    const folder = testFolder();
    const store = new FileStore(folder);
    store.journal.append([outcome(0), outcome(1, { session: 'secret-session' }), outcome(2)]);
    await store.close();
    const [path = ''] = filesIn(join(folder, 'journal'));
    writeFileSync(path, readFileSync(path, 'utf8').replace('"o1"', '"oX"'));
    const reader = new FileStore(folder);
    const told: unknown[] = [];
    reader.onProblem(({ kind, count }) => told.push({ kind, count }));
    expect((await outcomesIn(reader)).map(({ number }) => number)).toEqual([0, 2]);
    expect(told).toEqual([{ kind: 'damaged', count: 1 }]);
    const [copy = ''] = filesIn(join(folder, 'quarantine'));
    expect(readFileSync(copy, 'utf8')).toContain('"oX"');
    await reader.erase({ session: 'secret-session' });
    expect(filesIn(join(folder, 'quarantine'))).toEqual([]);
    await reader.close();
  });

  it('tells every damaged place with the number of records lost there', async () => {
    const folder = testFolder();
    const store = new FileStore(folder);
    store.journal.append(Array.from({ length: 12 }, (_, number) => outcome(number)));
    await store.close();
    const [path = ''] = filesIn(join(folder, 'journal'));
    const damaged = readFileSync(path, 'utf8').replaceAll(/"o(?:1|2|5|10|11)"/g, '"oX"');
    writeFileSync(path, damaged);
    const reader = new FileStore(folder);
    const told: (number | undefined)[] = [];
    reader.onProblem(({ count }) => told.push(count));
    expect((await outcomesIn(reader)).map(({ number }) => number)).toEqual([0, 3, 4, 6, 7, 8, 9]);
    expect(told).toEqual([2, 1, 2]);
    expect(filesIn(join(folder, 'quarantine'))).toHaveLength(3);
    await outcomesIn(reader);
    expect(told).toHaveLength(3);
    await reader.close();
  });

  it('does not take the line a living process is just writing for damage', async () => {
    const folder = testFolder();
    const store = new FileStore(folder);
    store.journal.append([outcome(0)]);
    await store.journal.flush();
    const [path = ''] = filesIn(join(folder, 'journal'));
    appendFileSync(path, '{"crc":"0000');
    const reader = new FileStore(folder);
    const told: unknown[] = [];
    reader.onProblem((problem) => told.push(problem));
    expect((await outcomesIn(reader)).length).toBe(1);
    expect(told).toEqual([]);
    await reader.close();
    await store.close();
  });
});

describe('FileStore over time', () => {
  it('deletes closed segments that are too old, and none that is being written', async () => {
    const disk = new SimulatedDisk();
    const { store, clock } = simulatedStore(disk, 1, new Set([1]), { retainDays: 2, segmentBytes: 1 });
    for (let number = 0; number < 3; number++) {
      store.journal.append([outcome(number)]);
      await store.journal.flush();
    }
    expect((await outcomesIn(store)).length).toBe(3);
    disk.mtimeMs = clock.now() - 3 * DAY_MS;
    store.journal.append([outcome(3)]);
    await store.journal.flush();
    // The newest one was still open when the next one asked.
    expect((await outcomesIn(store)).map(({ number }) => number)).toEqual([2, 3]);
    await store.close();
  });

  it('deletes the oldest segments beyond the size it may keep, never a decision', async () => {
    const disk = new SimulatedDisk();
    const { store } = simulatedStore(disk, 1, new Set([1]), { retainBytes: 1_500, segmentBytes: 1 });
    for (let number = 0; number < 10; number++) {
      store.journal.append([outcome(number)]);
      await store.journal.flush();
      await decideAtLast(store, decision(number));
    }
    const left = (await outcomesIn(store)).map(({ number }) => number);
    expect(left.length).toBeLessThan(6);
    expect(left.at(-1)).toBe(9);
    expect((await store.ledger.head()).length).toBe(10);
    await store.close();
  });

  it.each([
    ['is set back by an hour', -3_600_000],
    ['is set ahead by a year', 365 * DAY_MS],
    ['stands still', undefined],
  ])('loses nothing and keeps its lease when the clock %s', async (_how, jumpMs) => {
    const disk = new SimulatedDisk();
    const alive = new Set([1, 2]);
    const { store, clock } = simulatedStore(disk, 1, alive, { segmentBytes: 1 });
    const { store: other, clock: otherClock } = simulatedStore(disk, 2, alive);
    const lease = await store.coordination.lease('cycle');
    for (let number = 0; number < 6; number++) {
      if (number === 3) {
        for (const each of [clock, otherClock]) {
          each.isStuck = jumpMs === undefined;
          each.set(each.now() + (jumpMs ?? 0));
        }
      }
      store.journal.append([outcome(number)]);
      await clock.advance(200);
      await store.journal.flush();
    }
    expect((await outcomesIn(store)).map(({ number }) => number)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(await other.coordination.lease('cycle')).toBeUndefined();
    expect(await lease?.held()).toBe(true);
    await store.close();
    await other.close();
  });

  it('takes a lease over from a process on another host only after it was silent for 8 seconds', async () => {
    const disk = new SimulatedDisk();
    const hosts = (pid: number) => ({
      self: { host: `host ${pid}`, pid, started: '' },
      liveness: (other: { readonly host: string }) => (other.host === `host ${pid}` ? 'alive' : 'unknown') as 'alive',
    });
    const one = simulatedStore(disk, 1, new Set(), { processes: hosts(1) });
    const two = simulatedStore(disk, 2, new Set(), { processes: hosts(2) });
    const first = await one.store.coordination.lease('cycle');
    for (let second = 0; second < 20; second++) {
      await one.clock.advance(1_000);
      await two.clock.advance(1_000);
      expect(await two.store.coordination.lease('cycle')).toBeUndefined();
    }
    // From here on the one beats no more.
    await two.clock.advance(7_000);
    expect(await two.store.coordination.lease('cycle')).toBeUndefined();
    await two.clock.advance(2_000);
    const second = await two.store.coordination.lease('cycle');
    expect(second?.fence).toBe((first?.fence ?? 0) + 1);
    expect(await first?.held()).toBe(false);
    await two.store.close();
    await one.store.close();
  });

  it('holds the watermark back while records wait for a disk that does not take them', async () => {
    const disk = new SimulatedDisk();
    const { store, clock } = simulatedStore(disk, 1, new Set([1]));
    store.journal.append([outcome(0)]);
    await store.journal.flush();
    const stuckMs = clock.now();
    store.journal.append([outcome(1)]);
    // The record is 300 bytes, a heartbeat 512.
    disk.refuses = (bytes) => bytes < 512;
    await clock.advance(60_000);
    const [held] = await store.coordination.writers();
    expect(held?.watermarkMs).toBeLessThanOrEqual(stuckMs);
    disk.refuses = () => false;
    await store.journal.flush();
    const [free] = await store.coordination.writers();
    expect(free?.watermarkMs).toBeGreaterThan(stuckMs);
    await store.close();
  });

  it('never fsyncs a file again after an fsync of it failed: the records go to a new one', async () => {
    const disk = new SimulatedDisk();
    const { store, problems } = simulatedStore(disk, 1, new Set([1]), { segmentBytes: 1_000_000 });
    store.journal.append([outcome(0)]);
    await store.journal.flush();
    let failures = 1;
    disk.fault = (_call, name) => {
      if (name === 'fsync' && failures-- > 0) throw failure('EIO');
    };
    store.journal.append([outcome(1)]);
    await store.journal.flush();
    expect(disk.paths().filter((path) => path.startsWith('/data/journal/')).length).toBe(2);
    expect((await outcomesIn(store)).map(({ number }) => number)).toEqual([0, 1]);
    expect(problems).toMatchObject([{ kind: 'failing' }]);
    await store.close();
  });

  it('refuses settings that make no sense', () => {
    for (const options of [{ flushMs: -1 }, { maxQueued: 0 }, { retainDays: Number.NaN }, { fsyncRecords: 0 }]) {
      expect(() => new FileStore('/nowhere', options)).toThrow(LoopError);
    }
  });
});
