import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LoopEvent, RSILoop } from 'rsi-loop';
import { FileStore } from 'rsi-loop/node';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { judgedParts } from '../../src/judge/judged-parts.js';
import { snapshotOf } from '../../src/judge/snapshot.js';
import { testFolder } from '../node/folder.js';
import { networkError, World } from './world.js';

/** More than a start waits for. */
const RECORDS = 25_000;
const PER_CYCLE = 5_000;
let past = '';
let endedMs = 0;

/** A folder with a trial that runs, many records and saved state. */
beforeAll(async () => {
  past = mkdtempSync(join(tmpdir(), 'rsi-rebuild-'));
  const world = new World({ store: new FileStore(past, { writer: 'past00000000' }) });
  const { loop, clock } = world;
  await loop.ready();
  await world.work(66, () => (world.happens(0.2) ? networkError() : undefined));
  for (let from = 0; from < RECORDS; from += PER_CYCLE) {
    for (let index = from; index < from + PER_CYCLE; index++) {
      const success = index % 9 !== 0;
      const error = success ? {} : { error: `row ${index} of table_${index % 40} is locked` };
      loop.observer.recordSimple(`job_${index % 50}`, { success, model: `model_${index % 7}`, ...error });
    }
    clock.set(clock.now() + 60_000);
    await loop.runCycle();
  }
  await loop.close();
  endedMs = clock.now();
}, 120_000);
afterAll(() => rmSync(past, { recursive: true, force: true }));

/** A copy of that folder after an upgrade: its state was saved by another version. */
async function upgraded(): Promise<string> {
  const folder = testFolder();
  cpSync(past, folder, { recursive: true });
  const store = new FileStore(folder, { writer: 'agent0000000' });
  const saved = await store.snapshots.load('loop');
  await store.snapshots.save('loop', { ...(saved?.value as object), version: 1 }, saved?.version ?? 0);
  await store.close();
  return folder;
}

/** A folder on a disk that gives the newer records of the past only once it is released. */
class HeldStore extends FileStore {
  release = () => {};

  constructor(folder: string) {
    super(folder);
    const released = new Promise<void>((resolve) => {
      this.release = resolve;
    });
    const read = this.journal.read.bind(this.journal);
    this.journal.read = (after, upTo) => {
      const records = read(after, upTo);
      const end = Object.values(upTo ?? {}).reduce((sum, position) => sum + position, 0);
      if (upTo === undefined || end < RECORDS * 0.7) return records;
      return (async function* () {
        await released;
        yield* records;
      })();
    };
  }
}

function open(folder: string): World & { readonly release: () => void } {
  const store = new HeldStore(folder);
  const world = new World({ store }, { startMs: endedMs });
  onTestFinished(async () => {
    store.release();
    await world.loop.close();
  });
  return Object.assign(world, { release: store.release });
}

/** State of a loop that has the logs alone and all the time it needs. */
async function knownFromLogs(folder: string): Promise<string> {
  const copy = testFolder();
  cpSync(folder, copy, { recursive: true });
  rmSync(join(copy, 'state'), { recursive: true });
  const { loop, release } = open(copy);
  release();
  await loop.rebuilt();
  return JSON.stringify(snapshotOf(judgedParts(loop)));
}

type Progress = Extract<LoopEvent, { kind: 'rebuild-progressed' }>;

function listen(loop: RSILoop): Progress[] {
  const heard: Progress[] = [];
  loop.on('rebuild-progressed', (event) => heard.push(event));
  return heard;
}

/** Expects a rebuild that has not read the newer records yet. */
function expectRebuilding(loop: RSILoop): void {
  const { records, of } = loop.rebuilding() ?? { records: Number.NaN, of: Number.NaN };
  expect(of).toBeGreaterThan(RECORDS);
  expect(records).toBeLessThan(of * 0.9);
}

describe('saved state of another version', () => {
  it('is rebuilt in the background: ready at once, progress told, tasks and recording do not wait', async () => {
    const world = open(await upgraded());
    const { loop } = world;
    const heard = listen(loop);
    await loop.ready();
    const { records = 0, of = 0 } = loop.rebuilding() ?? {};
    expect(records).toBeLessThan(of / 2);
    expect(of).toBeGreaterThan(RECORDS);
    // Decisions are known: the fix on trial, and what tasks run under.
    const [fix] = loop.fixes({ status: 'trial' });
    expect(fix).toMatchObject({ target: 'retries.network' });
    const task = loop.begin('api_call');
    expect(task.arms).toHaveLength(1);
    task.end({ success: true });
    expect(await loop.run('api_call', () => 'done')).toBe('done');
    // State from records is not, and says so.
    expect([loop.patterns(), loop.healthHistory(), loop.health().known]).toEqual([[], [], false]);
    expect(loop.explain(fix?.id ?? '')).toMatchObject({ rebuilding: { of } });
    expect(loop.explain(fix?.id ?? '').figures).toBeUndefined();
    expectRebuilding(loop);
    world.release();
    await loop.rebuilt();
    expect(loop.rebuilding()).toBeUndefined();
    expect(loop.health().known).toBe(true);
    expect(loop.patterns().length).toBeGreaterThan(20);
    const { figures } = loop.explain(fix?.id ?? '');
    expect((figures?.fix.units ?? 0) + (figures?.control.units ?? 0)).toBeGreaterThan(0);
    expect(heard.at(0)?.records).toBeLessThan(of / 2);
    expect(heard.at(-1)).toEqual({ kind: 'rebuild-progressed', records: of, of });
  });

  it('gives what was never lost, and the next start has it at once', async () => {
    const folder = await upgraded();
    const known = open(past);
    await known.loop.ready();
    expect(known.loop.rebuilding()).toBeUndefined();
    const { loop, release } = open(folder);
    release();
    await loop.rebuilt();
    expect(JSON.stringify(snapshotOf(judgedParts(loop)))).toBe(JSON.stringify(snapshotOf(judgedParts(known.loop))));
    await loop.close();
    const next = open(folder);
    await next.loop.ready();
    expect(next.loop.rebuilding()).toBeUndefined();
    expect(next.loop.patterns().length).toBeGreaterThan(20);
  });

  it('makes cycles wait, which then take in what was recorded meanwhile', async () => {
    const folder = await upgraded();
    const world = open(folder);
    const { loop } = world;
    await loop.ready();
    for (let index = 0; index < 300; index++) {
      loop.observer.recordSimple('new_job', { success: false, error: 'the new job failed' });
    }
    expectRebuilding(loop);
    const cycle = loop.runCycle();
    world.release();
    const report = await cycle;
    expect(report.unfinished).toBeUndefined();
    expect(report.patterns.find(({ task }) => task === 'new_job')).toMatchObject({ count: 300 });
    expect(report.patterns.length).toBeGreaterThan(20);
    await loop.flush();
    expect(JSON.stringify(snapshotOf(judgedParts(loop)))).toBe(await knownFromLogs(folder));
  });

  it('lets a person take a fix back before it is rebuilt', async () => {
    const folder = await upgraded();
    const { loop, release } = open(folder);
    await loop.ready();
    const [fix] = loop.fixes({ status: 'trial' });
    expect(await loop.rollback(fix?.id ?? '', { by: 'ada' })).toMatchObject({ status: 'rolled-back' });
    expect(loop.begin('api_call').arms).toEqual([]);
    expectRebuilding(loop);
    release();
    await loop.rebuilt();
    expect(JSON.stringify(snapshotOf(judgedParts(loop)))).toBe(await knownFromLogs(folder));
  });
});

describe('damaged saved state', () => {
  it('is set aside, reported, and rebuilt in the background', async () => {
    const folder = testFolder();
    cpSync(past, folder, { recursive: true });
    const name = readdirSync(join(folder, 'state')).find((file) => file.startsWith('loop.')) ?? '';
    const path = join(folder, 'state', name);
    const bytes = readFileSync(path);
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    writeFileSync(path, bytes);
    const { loop, release } = open(folder);
    const problems: string[] = [];
    loop.on('problem', ({ message }) => problems.push(message));
    await loop.ready();
    expectRebuilding(loop);
    expect(loop.fixes({ status: 'trial' })).toHaveLength(1);
    release();
    await loop.rebuilt();
    expect(problems).toEqual([expect.stringContaining('is damaged')]);
    expect(JSON.stringify(snapshotOf(judgedParts(loop)))).toBe(await knownFromLogs(past));
  });
});

describe('a rebuild', () => {
  it('goes on from its last saved state when its process is killed', async () => {
    const folder = await upgraded();
    const first = open(folder);
    // A slow machine: 11 seconds pass between two reports.
    first.loop.on('rebuild-progressed', () => void first.clock.advance(11_000));
    await first.loop.ready();
    const { of = 0 } = first.loop.rebuilding() ?? {};
    const killed = testFolder();
    const store = new FileStore(folder, { writer: 'agent0000000' });
    const saved = async () =>
      (await store.snapshots.load('loop'))?.value as unknown as { version: number; entries: number };
    while ((await saved()).version === 1) await new Promise((resolve) => setImmediate(resolve));
    const { entries } = await saved();
    expectRebuilding(first.loop);
    cpSync(folder, killed, { recursive: true });
    await store.close();

    const second = open(killed);
    const heard = listen(second.loop);
    second.release();
    await second.loop.rebuilt();
    expect(entries).toBeGreaterThan(0);
    expect(heard.every((event) => event.of < of)).toBe(true);
    expect(JSON.stringify(snapshotOf(judgedParts(second.loop)))).toBe(await knownFromLogs(past));
  });

  it('follows what another process decides meanwhile, in the same order', async () => {
    const folder = testFolder();
    cpSync(past, folder, { recursive: true });
    const leader = open(folder);
    await leader.loop.ready();
    await leader.loop.runCycle();
    // A process of another version beside it finds no state that it can use.
    const state = join(folder, 'state');
    rmSync(state, { recursive: true });
    const other = open(folder);
    await other.loop.ready();
    expectRebuilding(other.loop);
    await leader.work(20, () => (leader.happens(0.2) ? networkError() : undefined), { cycleEvery: 5 });
    await leader.loop.freeze({ by: 'ada' });
    expectRebuilding(other.loop);
    other.release();
    await other.loop.rebuilt();
    await judgedParts(other.loop).ledger.follow();
    expect(other.loop.fixes()).toEqual(leader.loop.fixes());
    expect(JSON.stringify(snapshotOf(judgedParts(other.loop)))).toBe(
      JSON.stringify(snapshotOf(judgedParts(leader.loop))),
    );
  });

  it('begins anew without what is erased meanwhile', async () => {
    const { loop, release } = open(await upgraded());
    await loop.ready();
    const { records } = await loop.erase({ text: 'table_7 ' });
    expect(records).toBeGreaterThan(50);
    release();
    await loop.rebuilt();
    expect(JSON.stringify(snapshotOf(judgedParts(loop)))).not.toContain('table_7 ');
    expect(loop.patterns().length).toBeGreaterThan(20);
  });

  it('ends with close, which does not wait for it', async () => {
    const { loop, release } = open(await upgraded());
    await loop.ready();
    const cycle = loop.runCycle();
    const rebuilt = loop.rebuilt().catch((error: { code: string }) => error.code);
    const closed = loop.close();
    release();
    await closed;
    expectRebuilding(loop);
    expect((await cycle).unfinished).toContain('closed');
    expect(await rebuilt).toBe('closed');
  });
});
