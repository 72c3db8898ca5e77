import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LoopError } from 'rsi-loop';
import { DiskWorkspace } from 'rsi-loop/node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rsi-workspace-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const onPosix = process.platform !== 'win32';
const at = (name: string) => join(folder, name);
const copies = () => readdirSync(at('.rsi-backups')).filter((name) => name !== '.gitignore');

function open(options: ConstructorParameters<typeof DiskWorkspace>[1] = {}): DiskWorkspace {
  return new DiskWorkspace(folder, { quietMs: 0, ...options });
}

/** Reads and writes, without another writer. */
async function write(workspace: DiskWorkspace, path: string, text: string | undefined) {
  return workspace.write(path, text, (await workspace.read(path)).hash);
}

/** Returns where a link points, or nothing if it is gone. */
function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return '';
  }
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.catch((reason: unknown) => reason);
  return LoopError.is(error) ? `${error.code}: ${error.message}` : `no LoopError: ${String(error)}`;
}

describe('a workspace on disk', () => {
  it('has the four files of an agent when nothing else is said', () => {
    expect(open().files).toEqual(['SOUL.md', 'AGENTS.md', 'TOOLS.md', 'CLAUDE.md']);
  });

  it('keeps what stood there as a backup, out of the way of git, and the newest few of them', async () => {
    const workspace = open({ backups: 3, graceMs: 0 });
    writeFileSync(at('AGENTS.md'), 'version 0\r\n\ufeff');
    const first = await write(workspace, 'AGENTS.md', 'version 1');
    expect(first).toMatchObject({ kind: 'ok', backup: expect.stringMatching(/^\.rsi-backups\/AGENTS\.md\.0001\./) });
    expect(readFileSync(at(first.kind === 'ok' ? (first.backup ?? '') : ''), 'utf8')).toBe('version 0\r\n\ufeff');
    for (let version = 2; version < 8; version++) await write(workspace, 'AGENTS.md', `version ${version}`);
    expect(copies().map((name) => readFileSync(join(at('.rsi-backups'), name), 'utf8'))).toEqual([
      'version 4',
      'version 5',
      'version 6',
    ]);
    execFileSync('git', ['init', '-q'], { cwd: folder });
    const untracked = execFileSync('git', ['status', '--porcelain'], { cwd: folder, encoding: 'utf8' });
    expect(untracked).toBe('?? AGENTS.md\n');
  });

  it.runIf(onPosix).for([0o600, 0o644, 0o664, 0o755])('keeps mode %o', async (mode) => {
    writeFileSync(at('AGENTS.md'), 'before');
    chmodSync(at('AGENTS.md'), mode);
    await write(open(), 'AGENTS.md', 'after');
    expect(statSync(at('AGENTS.md')).mode & 0o777).toBe(mode);
  });

  it('works in folders below, beside which their copies lie', async () => {
    mkdirSync(at('team'));
    const workspace = open({ files: ['team/CLAUDE.md', 'other/CLAUDE.md'] });
    await write(workspace, 'team/CLAUDE.md', 'one');
    expect(await write(workspace, 'team/CLAUDE.md', 'two')).toMatchObject({
      backup: expect.stringMatching(/^team\/\.rsi-backups\/CLAUDE\.md\./),
    });
    expect(await workspace.read('other/CLAUDE.md')).toMatchObject({ hash: '' });
    expect(await codeOf(write(workspace, 'other/CLAUDE.md', 'text'))).toMatch(/^workspace-refused: .*make it first/);
  });

  it('may itself be reached by a link, as its user named it', async () => {
    mkdirSync(at('real'));
    symlinkSync(at('real'), at('link'));
    const workspace = new DiskWorkspace(at('link'));
    await write(workspace, 'AGENTS.md', 'text');
    expect(readFileSync(at('real/AGENTS.md'), 'utf8')).toBe('text');
  });

  it.runIf(process.platform === 'linux')('leaves nothing open', async () => {
    const workspace = open({ files: ['team/AGENTS.md', 'AGENTS.md'] });
    // Other files of the process open and close at any time.
    const openHere = () =>
      readdirSync('/proc/self/fd').filter((name) => targetOf(`/proc/self/fd/${name}`).startsWith(folder));
    const descriptor = openSync(folder, 'r');
    expect(openHere()).toEqual([String(descriptor)]);
    closeSync(descriptor);
    await write(workspace, 'AGENTS.md', 'text');
    for (let round = 0; round < 20; round++) {
      await write(workspace, 'AGENTS.md', `text ${round}`);
      await codeOf(write(workspace, 'team/AGENTS.md', 'text'));
      await workspace.write('AGENTS.md', 'text', 'another hash');
    }
    symlinkSync('.', at('team'));
    for (let round = 0; round < 20; round++) await codeOf(workspace.read('team/AGENTS.md'));
    expect(openHere()).toEqual([]);
  });
});

describe('what a workspace refuses', () => {
  const refusals: readonly (readonly [string, RegExp, () => unknown])[] = [
    ['a link to a file', /is a link/, () => symlinkSync('TOOLS.md', at('AGENTS.md'))],
    ['a link to nowhere', /is a link/, () => symlinkSync('nowhere', at('AGENTS.md'))],
    ['a folder', /not an ordinary file/, () => mkdirSync(at('AGENTS.md'))],
    ['a pipe', /not an ordinary file/, () => execFileSync('mkfifo', [at('AGENTS.md')])],
    ['bytes that are no UTF-8', /not UTF-8/, () => writeFileSync(at('AGENTS.md'), Buffer.from([0x61, 0xff, 0xfe]))],
    ['UTF-16', /not UTF-8/, () => writeFileSync(at('AGENTS.md'), Buffer.from('\ufeffa', 'utf16le'))],
    ['more than it may hold', /bytes of at most/, () => writeFileSync(at('AGENTS.md'), 'x'.repeat(1_048_577))],
    [
      'a file of holes',
      /bytes of at most/,
      () => {
        writeFileSync(at('AGENTS.md'), '');
        truncateSync(at('AGENTS.md'), 1e12);
      },
    ],
  ];
  it.runIf(onPosix).for(refusals)('reading %s', async ([, message, make]) => {
    make();
    const before = readdirSync(folder);
    const found = await codeOf(open().read('AGENTS.md'));
    expect(found).toMatch(/^workspace-refused: "AGENTS\.md" /);
    expect(found).toMatch(message);
    expect(await codeOf(open().write('AGENTS.md', 'text', ''))).toMatch(message);
    expect(readdirSync(folder)).toEqual(before);
  });

  it.runIf(onPosix)('writing what has several names, is read-only, or lies behind a link', async () => {
    writeFileSync(at('AGENTS.md'), 'text');
    linkSync(at('AGENTS.md'), at('CLAUDE.md'));
    expect(await codeOf(write(open(), 'AGENTS.md', 'other'))).toMatch(/^workspace-refused: .*2 names/);
    rmSync(at('CLAUDE.md'));
    chmodSync(at('AGENTS.md'), 0o444);
    expect(await codeOf(write(open(), 'AGENTS.md', 'other'))).toMatch(/^workspace-refused: .*read-only/);
    expect(await codeOf(write(open(), 'AGENTS.md', undefined))).toMatch(/^workspace-refused: .*read-only/);
    mkdirSync(at('real'));
    symlinkSync('real', at('team'));
    expect(await codeOf(open({ files: ['team/AGENTS.md'] }).write('team/AGENTS.md', 'x', ''))).toMatch(
      /"[^"]*team" is a link/,
    );
    rmSync(at('team'));
    mkdirSync(at('elsewhere'));
    symlinkSync('elsewhere', at('.rsi-backups'));
    expect(await codeOf(write(open(), 'TOOLS.md', 'x'))).toMatch(/\.rsi-backups" is a link/);
    expect(readdirSync(at('real')).concat(readdirSync(at('elsewhere')))).toEqual([]);
    expect(readFileSync(at('AGENTS.md'), 'utf8')).toBe('text');
  });

  it('texts that are too long, limits that cannot be, and lists that say a file twice', async () => {
    expect(await codeOf(open({ maxBytes: 10 }).write('AGENTS.md', 'ä'.repeat(6), ''))).toMatch(
      /^workspace-refused: .*12 bytes of at most 10/,
    );
    const make = async (options: object) => open(options);
    expect(await codeOf(make({ maxBytes: 0 }))).toMatch(/^invalid-input: maxBytes/);
    expect(await codeOf(make({ backups: 1.5 }))).toMatch(/^invalid-input: backups/);
    expect(await codeOf(make({ quietMs: -1 }))).toMatch(/^invalid-input: quietMs/);
    expect(await codeOf(make({ files: ['AGENTS.md', 'agents.md'] }))).toMatch(/^workspace-refused: .*listed twice/);
  });

  it('a folder that is not there, by what the system says', async () => {
    expect(await codeOf(new DiskWorkspace(at('nowhere')).read('AGENTS.md'))).toMatch(
      /^workspace-failed: .*make the folder/,
    );
  });
});

describe('people who edit while a file is written', () => {
  it('are waited for when they have just saved, and then come first', async () => {
    const workspace = open({ quietMs: 150 });
    writeFileSync(at('AGENTS.md'), 'half of what');
    const { hash } = await workspace.read('AGENTS.md');
    const writing = workspace.write('AGENTS.md', 'by the loop', hash);
    // The rest of an edit that began with an empty file.
    const saving = (async () => {
      while (!existsSync(at('.rsi-backups'))) await new Promise((done) => setImmediate(done));
      writeFileSync(at('AGENTS.md'), 'half of what a person writes');
    })();
    await saving;
    expect(await writing).toMatchObject({ kind: 'conflict', file: { text: 'half of what a person writes' } });
  });

  it('find their edit named when it went into the old file, until they have merged it', async () => {
    const workspace = open();
    writeFileSync(at('AGENTS.md'), 'before');
    const written = await write(workspace, 'AGENTS.md', 'after');
    const backup = written.kind === 'ok' ? (written.backup ?? '') : '';
    // An editor had the old file open all along.
    writeFileSync(at(backup), 'before, and a line of mine');
    expect(await workspace.read('AGENTS.md')).toMatchObject({ text: 'after', unmerged: [backup] });
    for (let version = 0; version < 15; version++) await write(workspace, 'AGENTS.md', `version ${version}`);
    expect(readFileSync(at(backup), 'utf8')).toBe('before, and a line of mine');
    rmSync(at(backup));
    expect(await workspace.read('AGENTS.md')).toMatchObject({ unmerged: [] });
  });
});

describe('what a process left that died in the middle', () => {
  const taken = `AGENTS.md.0001.${'0'.repeat(16)}.0badcafe.taken`;

  it('is put back when the file was missing', async () => {
    mkdirSync(at('.rsi-backups'));
    writeFileSync(join(at('.rsi-backups'), taken), 'the file');
    const workspace = open();
    expect(await workspace.read('AGENTS.md')).toMatchObject({ text: 'the file', unmerged: [] });
    expect(copies()).toEqual([]);
    expect(await write(workspace, 'AGENTS.md', 'next')).toMatchObject({ kind: 'ok' });
  });

  it('does not stand in the way when the new file was in place already', async () => {
    mkdirSync(at('.rsi-backups'));
    writeFileSync(at('AGENTS.md'), 'new');
    linkSync(at('AGENTS.md'), join(at('.rsi-backups'), 'AGENTS.md.0badcafe.new'));
    expect(await write(open(), 'AGENTS.md', 'next')).toMatchObject({ kind: 'ok', file: { text: 'next' } });
    expect(copies()).toHaveLength(1);
  });

  it('is left alone when it belongs to another file', async () => {
    mkdirSync(at('.rsi-backups'));
    const other = join(at('.rsi-backups'), taken.replace('AGENTS', 'TOOLS'));
    writeFileSync(other, 'tools');
    expect(await open().read('AGENTS.md')).toMatchObject({ hash: '' });
    renameSync(other, join(at('.rsi-backups'), 'AGENTS.md.notes.md'));
    expect(await open().read('AGENTS.md')).toMatchObject({ hash: '' });
    expect(copies()).toEqual(['AGENTS.md.notes.md']);
  });
});
