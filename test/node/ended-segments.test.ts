import { appendFileSync, copyFileSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { FileStore, type FileSystem, machineFileSystem } from 'rsi-loop/node';
import { describe, expect, it } from 'vitest';
import { nameEnds } from '../../src/node/ended-segments.js';
import { listSegments } from '../../src/node/segments.js';
import { filesIn, outcome, outcomesIn, testFolder } from './folder.js';

/** Runs processes one after another, each of which records one outcome. */
async function runProcesses(folder: string, numbers: readonly number[]): Promise<void> {
  for (const number of numbers) {
    const store = new FileStore(folder);
    store.journal.append([outcome(number)]);
    await store.close();
  }
}

const upTo = (count: number) => Array.from({ length: count }, (_, number) => number);
const segmentsOf = async (folder: string) =>
  [...(await listSegments(machineFileSystem, join(folder, 'journal'))).byWriter.values()].flat();
const numbersIn = async (store: FileStore) =>
  (await outcomesIn(store)).map(({ number }) => number).sort((a, b) => a - b);

/** The machine's file system, which notes the names of the journal's files that are opened. */
function notingOpens(opened: string[]): FileSystem {
  return {
    ...machineFileSystem,
    open: (path, flags) => {
      if (path.includes('journal')) opened.push(basename(path));
      return machineFileSystem.open(path, flags);
    },
  };
}

describe('processes of one task each', () => {
  it('leave files that a process opens once, however many there are', async () => {
    const folder = testFolder();
    await runProcesses(folder, upTo(40));
    const opened: string[] = [];
    const store = new FileStore(folder, { fs: notingOpens(opened) });
    expect(await numbersIn(store)).toEqual(upTo(40));
    const cursor = Object.fromEntries((await segmentsOf(folder)).map(({ writer }) => [writer, 1]));
    await runProcesses(folder, [40, 41]);
    opened.length = 0;
    const found: string[] = [];
    for await (const { record } of store.journal.read(cursor)) {
      if (record.kind === 'outcome') found.push(record.outcome.id);
    }
    expect(found.sort()).toEqual(['o40', 'o41']);
    expect(opened).toHaveLength(2);
    await store.close();
  });

  it('look at the age of all files now and then, so that old ones are deleted', async () => {
    const folder = testFolder();
    await runProcesses(folder, [0]);
    const [path = ''] = filesIn(join(folder, 'journal'));
    const aYearAgo = Date.now() / 1_000 - 365 * 86_400;
    for (let number = 0; number < 127; number++) {
      const copy = join(folder, 'journal', `old${number}-000000-000000000000-000000000001.jsonl`);
      copyFileSync(path, copy);
      utimesSync(copy, aYearAgo, aYearAgo);
    }
    await runProcesses(folder, [1, 2]);
    expect((await segmentsOf(folder)).length).toBe(3);
  });
});

describe('the end of a segment in its name', () => {
  it('is not written while its process lives, nor if a line is torn', async () => {
    const folder = testFolder();
    const living = new FileStore(folder);
    living.journal.append([outcome(0)]);
    await living.journal.flush();
    await runProcesses(folder, [1]);
    const torn = (await segmentsOf(folder)).find(({ writer }) => writer !== living.journal.writer);
    appendFileSync(torn?.path ?? '', '{"crc":"0');
    await runProcesses(folder, [2, 3]);
    const ends = (await segmentsOf(folder)).map(({ end }) => end);
    expect(ends.filter((end) => end !== undefined)).toEqual([1]);
    expect(await numbersIn(living)).toEqual([0, 1, 2, 3]);
    await living.close();
  });

  it('is taken back if the process only seemed to have ended and wrote meanwhile', async () => {
    const folder = testFolder();
    await runProcesses(folder, [0]);
    const [segment] = await segmentsOf(folder);
    if (!segment) throw new Error('no segment');
    const next = readFileSync(segment.path, 'utf8').trimEnd().split('\n').at(-1) ?? '';
    const fs: FileSystem = {
      ...machineFileSystem,
      rename: async (from, to) => {
        if (from === segment.path) appendFileSync(from, `${next}\n`);
        await machineFileSystem.rename(from, to);
      },
    };
    await nameEnds(fs, [segment]);
    expect((await segmentsOf(folder)).map(({ name }) => name)).toEqual([segment.name]);
  });

  it('hides no record from a reader and from an erasure that listed the files before', async () => {
    const folder = testFolder();
    await runProcesses(folder, upTo(3));
    const rename = async () => nameEnds(machineFileSystem, await segmentsOf(folder));
    const fs: FileSystem = {
      ...machineFileSystem,
      readdir: async (path) => {
        const names = await machineFileSystem.readdir(path);
        if (basename(path) === 'journal') await rename();
        return names;
      },
    };
    const unnamed = async () => {
      for (const { path, writer } of await segmentsOf(folder)) {
        await machineFileSystem.rename(path, join(folder, 'journal', `${writer}-000000-000000000000.jsonl`));
      }
    };
    await unnamed();
    const reader = new FileStore(folder, { fs });
    expect(await numbersIn(reader)).toEqual([0, 1, 2]);
    await unnamed();
    const { records } = await reader.erase({ text: '429 Too Many' });
    expect(records).toBe(3);
    await unnamed();
    expect(await numbersIn(reader)).toEqual([]);
    await reader.close();
  });

  it('lets no record beyond it be read', async () => {
    const folder = testFolder();
    await runProcesses(folder, [0, 1]);
    const named = (await segmentsOf(folder)).find(({ end }) => end !== undefined);
    const text = readFileSync(named?.path ?? '', 'utf8');
    writeFileSync(named?.path ?? '', `${text}${text.trimEnd().split('\n').at(-1)}\n`);
    const store = new FileStore(folder);
    expect(await numbersIn(store)).toEqual([0, 1]);
    await store.close();
  });
});
