import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { MemoryStore, parseOutcome, RSILoop } from 'rsi-loop';
import { DropFolder, type DropFolderOptions, dropFolder } from 'rsi-loop/sources/drop-folder';
import { ManualClock } from 'rsi-loop/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { seededRandom } from '../../../../src/lib/random.js';
import { testFolder } from '../../../node/folder.js';
import { recordingLoop } from '../agents/recorded.js';
import { bundleDropper, flood, killAtEveryStep, killWhileTaking, poisonAmongGood } from './trials.js';

function openFolder(options: DropFolderOptions = {}) {
  const folder = testFolder();
  const recording = recordingLoop();
  const drops = new DropFolder(recording.loop, folder, { settleMs: 0, ...options });
  onTestFinished(() => drops.close());
  const drop = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const list = (inside = '') =>
    readdirSync(join(folder, inside))
      .filter((name) => !name.startsWith('.'))
      .sort();
  return { ...recording, folder, drops, drop, list };
}

const GOOD = '{"task":"good","success":true}';

describe('DropFolder', () => {
  it('leaves files where they are when the loop could not read its store and goes on in memory', async () => {
    const burning = () => {
      const store = new MemoryStore();
      store.ledger.head = () => Promise.reject(new Error('disk on fire'));
      return store;
    };
    for (const isReadyBefore of [false, true]) {
      const folder = testFolder();
      writeFileSync(join(folder, 'one.json'), GOOD);
      const loop = new RSILoop({ store: burning() });
      if (isReadyBefore) await loop.ready();
      const drops = new DropFolder(loop, folder, { settleMs: 0 });
      await expect(drops.poll()).rejects.toThrow('in memory their records would be lost');
      expect(readdirSync(folder)).toEqual(['one.json']);
      await drops.close();
      await loop.close();
    }
  });

  it('takes outcomes in any spelling from JSON, lists and lines, and moves the files away', async () => {
    const { drops, drop, list, outcomes } = openFolder();
    drop('one.json', '{"task_type":"api_call","error_msg":"429 Too Many Requests"}');
    drop(
      'list.json',
      JSON.stringify(
        [
          { task: 'a', ok: true },
          { task: 'b', ok: true },
        ],
        null,
        2,
      ),
    );
    drop('lines.ndjson', `${GOOD}\r\n\r\n${GOOD}`);
    drop('notes.txt', 'not looked at');
    drop('.hidden.json', 'not looked at');
    expect(await drops.poll()).toEqual({ files: 3, records: 5, rejected: 0, recovered: 0, waiting: 0 });
    expect(list()).toEqual(['done', 'notes.txt', 'rejected']);
    expect(list('done')).toEqual(['lines.ndjson', 'list.json', 'one.json']);
    const found = await outcomes();
    expect(found.find(({ task }) => task === 'api_call')).toMatchObject({
      success: false,
      issues: ['rate_limit'],
      source: 'drop-folder',
    });
    expect(new Set(found.map(({ id }) => id)).size).toBe(5);
    await drops.poll();
    expect(await outcomes()).toHaveLength(5);
  });

  it('rejects what it cannot read with a reason that says what was taken, and redacts it', async () => {
    const { drops, drop, list, folder, outcomes } = openFolder();
    drop('half.jsonl', `${GOOD}\n{"task":"x","succ`);
    drop('empty.json', '');
    drop('key.json', '{"success":true,"api_key":"sk-ant-REDACTED"}');
    expect(await drops.poll()).toMatchObject({ files: 0, records: 1, rejected: 3 });
    expect(list('rejected')).toEqual([
      'empty.json',
      'empty.json.reason.txt',
      'half.jsonl',
      'half.jsonl.reason.txt',
      'key.json',
      'key.json.reason.txt',
    ]);
    const reason = (name: string) => readFileSync(join(folder, 'rejected', `${name}.reason.txt`), 'utf8');
    expect(reason('half.jsonl')).toMatch(/1 record of it was recorded[\s\S]*line 2: the line is cut off/);
    expect(reason('empty.json')).toMatch(/is empty/);
    expect(reason('key.json')).toMatch(/task: give the name of the task/);
    expect(await outcomes()).toHaveLength(1);
  });

  it('never puts one file over another', async () => {
    const { drops, drop, list } = openFolder();
    for (const text of [GOOD, GOOD, GOOD]) {
      drop('out.json', text);
      drop('bad.json', '{');
      await drops.poll();
    }
    expect(list('done')).toEqual(['out.json', 'out~2.json', 'out~3.json']);
    expect(list('rejected').filter((name) => name.endsWith('.json'))).toEqual(['bad.json', 'bad~2.json', 'bad~3.json']);
  });

  it('waits until a file rests', async () => {
    const clock = new ManualClock();
    const { drops, drop, folder, outcomes } = openFolder({ settleMs: 1_000, clock });
    const path = join(folder, 'slow.jsonl');
    const touch = () => utimesSync(path, clock.now() / 1_000, clock.now() / 1_000);
    drop('slow.jsonl', `${GOOD}\n`);
    touch();
    expect(await drops.poll()).toMatchObject({ files: 0, waiting: 1 });
    await clock.advance(900);
    appendFileSync(path, `${GOOD}\n`);
    touch();
    expect(await drops.poll()).toMatchObject({ files: 0, waiting: 1 });
    await clock.advance(900);
    expect(await drops.poll()).toMatchObject({ files: 0, waiting: 1 });
    await clock.advance(100);
    expect(await drops.poll()).toMatchObject({ files: 1, records: 2, waiting: 0 });
    expect(await outcomes()).toHaveLength(2);
  });

  it('takes a file dated in the future once it was seen to rest', async () => {
    const clock = new ManualClock();
    const { drops, drop, folder } = openFolder({ settleMs: 1_000, clock });
    drop('future.json', GOOD);
    utimesSync(join(folder, 'future.json'), 4_000_000_000, 4_000_000_000);
    expect(await drops.poll()).toMatchObject({ waiting: 1 });
    await clock.advance(1_000);
    expect(await drops.poll()).toMatchObject({ files: 1 });
  });

  it('deletes what was taken, where that is asked for', async () => {
    const { drops, drop, list } = openFolder({ keepDone: false });
    drop('a.json', GOOD);
    await drops.poll();
    expect(list('done')).toEqual([]);
  });

  it('records each file once when several watch the folder', async () => {
    const { drops, drop, folder, loop, outcomes } = openFolder();
    const others = [1, 2, 3].map(() => new DropFolder(loop, folder, { settleMs: 0 }));
    for (let number = 0; number < 600; number++) drop(`${number}.json`, `{"task":"t${number}","ok":true}`);
    const counts = await Promise.all([drops, ...others].map((each) => each.poll()));
    await Promise.all(others.map((each) => each.close()));
    expect(counts.reduce((sum, { records }) => sum + records, 0)).toBe(600);
    expect(new Set((await outcomes()).map(({ task }) => task)).size).toBe(600);
    expect(await outcomes()).toHaveLength(600);
  });

  it('looks by itself once started, with a watcher and without', async () => {
    for (const watch of ['events', 'polling'] as const) {
      const { drops, drop, list, outcomes } = openFolder({ watch, everyMs: watch === 'polling' ? 20 : 60_000 });
      await drops.start();
      drop('later.json', GOOD);
      for (let waited = 0; !list('done').includes('later.json') && waited < 20_000; waited += 20)
        await new Promise((go) => setTimeout(go, 20));
      expect(await outcomes()).toHaveLength(1);
      await drops.close();
      drop('too-late.json', GOOD);
      await expect(drops.poll()).rejects.toMatchObject({ code: 'closed' });
    }
  });

  it('is a source of a loop, and its last files are taken when the loop closes', async () => {
    const { drop, folder, loop, list } = openFolder();
    loop.sources.attach(dropFolder(folder, { settleMs: 0, watch: 'polling' }));
    expect(loop.sources.names).toEqual(['drop-folder']);
    drop('a.json', GOOD);
    await loop.close();
    expect(list('done')).toEqual(['a.json']);
  });

  it('does without a watcher that fails, and tells of it', async () => {
    const listeners = new Map<string, (error: Error) => void>();
    const watcher = {
      on: (event: string, listener: never) => void listeners.set(event, listener),
      close: async () => {},
    };
    const { drops, problems } = openFolder({ chokidar: { watch: () => watcher } });
    await drops.start();
    listeners.get('error')?.(new Error('too many watches'));
    expect(problems).toEqual(['too many watches']);
  });

  it('tells of a folder that cannot be used, and not again at every look', async () => {
    const clock = new ManualClock();
    const { drops, folder, problems, outcomes } = openFolder({ watch: 'polling', everyMs: 100, clock });
    writeFileSync(join(folder, 'done'), 'no folder');
    await drops.start();
    for (let look = 0; look < 20; look++) {
      await clock.advance(100);
      await drops.poll().catch(() => undefined);
    }
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.length).toBeLessThan(4);
    expect(problems[0]).toMatch(/is not a folder/);
    rmSync(join(folder, 'done'));
    writeFileSync(join(folder, 'a.json'), GOOD);
    await drops.poll();
    expect(await outcomes()).toHaveLength(1);
  });

  it('says what is wrong with its options and its folder', async () => {
    const { loop } = recordingLoop();
    expect(() => new DropFolder(loop, '.', { settleMs: -1 })).toThrow(/settleMs of the drop folder is -1/);
    const folder = testFolder();
    writeFileSync(join(folder, 'file'), '');
    await expect(new DropFolder(loop, join(folder, 'file')).poll()).rejects.toMatchObject({ code: 'store-failed' });
  });

  it('keeps claimed files until the store has what was in them', async () => {
    const { drops, drop, list, folder, loop, outcomes } = openFolder();
    drop('a.json', GOOD);
    const flush = loop.store.journal.flush.bind(loop.store);
    loop.store.journal.flush = () => Promise.reject(new Error('the disk is full'));
    await expect(drops.poll()).rejects.toThrow(/the disk is full/);
    expect(list('done')).toEqual([]);
    expect(readdirSync(join(folder, '.processing'))).toHaveLength(1);
    loop.store.journal.flush = flush;
    expect(await drops.poll()).toMatchObject({ files: 1, records: 1 });
    expect(await outcomes()).toHaveLength(1);
  });

  it('takes over what a dead watcher had claimed, and nothing of a living one', async () => {
    const { drops, folder, list, loop, outcomes } = openFolder();
    const writers = ['living', 'dead', loop.store.journal.writer];
    for (const [number, writer] of writers.entries()) {
      const batch = join(folder, `.processing/batch${number}@${writer}`);
      mkdirSync(batch, { recursive: true });
      writeFileSync(join(batch, `${writer}.json`), GOOD);
    }
    const others = await loop.store.coordination.writers();
    loop.store.coordination.writers = async () => [...others, { writer: 'living', alive: true, watermarkMs: 0 }];
    expect(await drops.poll()).toMatchObject({ recovered: 2, records: 2 });
    expect(list('done')).toEqual(['dead.json', `${loop.store.journal.writer}.json`]);
    expect(existsSync(join(folder, '.processing/batch0@living/living.json'))).toBe(true);
    expect(await outcomes()).toHaveLength(2);
  });

  it('records nothing again that the journal has of what a dead watcher had claimed', async () => {
    const { drops, folder, list, loop, outcomes } = openFolder();
    const batch = join(folder, '.processing/batch@dead');
    mkdirSync(batch, { recursive: true });
    writeFileSync(join(batch, 'a.jsonl'), `${GOOD}\n{"task":"b","ok":true,"id":"own"}\n${GOOD}`);
    const { outcome } = parseOutcome({ task: 'b', ok: true, id: 'own' }, { id: '', atMs: 0, source: 'host' });
    if (outcome) loop.observer.take(outcome);
    expect(await drops.poll()).toMatchObject({ recovered: 1, records: 2 });
    const first = await outcomes();
    expect(first).toHaveLength(3);
    // The same claim again, as it would be if the watcher had died before it moved the file.
    mkdirSync(batch);
    renameSync(join(folder, 'done/a.jsonl'), join(batch, 'a.jsonl'));
    expect(await drops.poll()).toMatchObject({ recovered: 2, records: 2 });
    expect(await outcomes()).toHaveLength(3);
    expect(list('done')).toEqual(['a.jsonl']);
  });

  it('lets one watcher claim at a time, and says that files wait', async () => {
    const { drops, drop, folder, loop, outcomes } = openFolder();
    const next = new DropFolder(loop, folder, { settleMs: 0 });
    onTestFinished(() => next.close());
    await next.poll();
    const { journal } = loop.store;
    const flush = journal.flush.bind(journal);
    let letGo = () => {};
    const reached = new Promise<void>((isReached) => {
      journal.flush = () => {
        isReached();
        return new Promise<void>((go) => {
          letGo = go;
        }).then(flush);
      };
    });
    drop('a.json', GOOD);
    const taking = drops.poll();
    await reached;
    drop('b.json', GOOD);
    expect(await next.poll()).toMatchObject({ files: 0, waiting: 1 });
    journal.flush = flush;
    letGo();
    await taking;
    expect(await next.poll()).toMatchObject({ files: 1, waiting: 0 });
    expect(await outcomes()).toHaveLength(2);
  });
});

describe('DropFolder in a hostile world', () => {
  it.each(['.processing', '.processing/gone', '.processing/gone/batch'])(
    'takes nothing from behind a link at %s',
    async (link) => {
      const victim = testFolder();
      mkdirSync(join(victim, 'deep/deeper'), { recursive: true });
      const files = ['mine.json', 'deep/mine.json', 'deep/deeper/mine.json'];
      for (const name of files) writeFileSync(join(victim, name), GOOD);
      const { drops, folder, outcomes } = openFolder({ keepDone: false });
      mkdirSync(join(folder, link, '..'), { recursive: true });
      symlinkSync(victim, join(folder, link));
      await drops.poll().catch(() => undefined);
      expect(files.filter((name) => existsSync(join(victim, name)))).toEqual(files);
      expect(await outcomes()).toEqual([]);
    },
  );

  it.each(['', 'done', 'rejected', '.processing'])('writes nothing through a link at %j', async (link) => {
    const victim = testFolder();
    const parent = testFolder();
    const folder = join(parent, 'inbox');
    if (link !== '') mkdirSync(folder);
    symlinkSync(victim, join(folder, link));
    const { loop, outcomes } = recordingLoop();
    writeFileSync(join(folder, 'good.json'), GOOD);
    writeFileSync(join(folder, 'settings.json'), '{"hooks":"attacker"');
    const drops = new DropFolder(loop, folder, { settleMs: 0 });
    onTestFinished(() => drops.close());
    await expect(drops.poll()).rejects.toThrow(/is a link/);
    expect(readdirSync(victim).sort()).toEqual(link === '' ? ['good.json', 'settings.json'] : []);
    expect(await outcomes()).toEqual([]);
  });

  it.each(['done', 'rejected'])('writes nothing through a link that takes the place of %s meanwhile', async (place) => {
    const victim = testFolder();
    const { drops, drop, folder, outcomes } = openFolder();
    await drops.poll();
    rmSync(join(folder, place), { recursive: true });
    symlinkSync(victim, join(folder, place));
    drop('one.json', place === 'done' ? GOOD : '{');
    await expect(drops.poll()).rejects.toThrow(/is a link/);
    rmSync(join(folder, place));
    await drops.poll();
    expect(readdirSync(join(folder, place)).filter((name) => name.endsWith('.json'))).toEqual(['one.json']);
    expect(readdirSync(victim)).toEqual([]);
    expect(await outcomes()).toHaveLength(place === 'done' ? 1 : 0);
  });

  it('writes no reason through a link of that name', async () => {
    const victim = join(testFolder(), 'profile');
    writeFileSync(victim, 'mine');
    const { drops, drop, folder } = openFolder();
    mkdirSync(join(folder, 'rejected'));
    symlinkSync(victim, join(folder, 'rejected/bad.json.reason.txt'));
    drop('bad.json', '{');
    await drops.poll();
    expect(readFileSync(victim, 'utf8')).toBe('mine');
    expect(readFileSync(join(folder, 'rejected/bad.json.reason.txt'), 'utf8')).toMatch(/was rejected/);
  });

  it('goes on when the whole folder is removed and made anew', async () => {
    const { drops, drop, folder, outcomes } = openFolder();
    drop('one.json', GOOD);
    await drops.poll();
    rmSync(folder, { recursive: true });
    await drops.poll();
    drop('two.json', GOOD);
    expect(await drops.poll()).toMatchObject({ records: 2 });
    expect(await outcomes()).toHaveLength(2);
  });

  it('is not stopped by other files among the claimed ones', async () => {
    const { drops, drop, folder, outcomes } = openFolder();
    mkdirSync(join(folder, '.processing/gone'), { recursive: true });
    writeFileSync(join(folder, '.processing/gone/stray.json'), GOOD);
    writeFileSync(join(folder, '.processing/stray.json'), GOOD);
    drop('one.json', GOOD);
    expect(await drops.poll()).toMatchObject({ files: 1, records: 1 });
    expect(await outcomes()).toHaveLength(1);
  });

  it('puts poison of every kind aside, once, and takes every good neighbour', async () => {
    const { broken } = await poisonAmongGood(testFolder(), 1, 50);
    expect(broken).toEqual([]);
  });

  it('takes hundreds of files at once', async () => {
    expect((await flood(testFolder(), 600)).broken).toEqual([]);
  });

  it('counts each record once, however often it is killed', async () => {
    const place = testFolder();
    const script = await bundleDropper(place);
    const report = await killWhileTaking(place, { script, kills: 4, watchers: 2, random: seededRandom(3) });
    expect(report.broken).toEqual([]);
    expect((await killAtEveryStep(place, script, 11)).broken).toEqual([]);
  });
});
