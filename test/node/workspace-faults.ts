import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { LoopError } from '../../src/contract/errors.js';
import { addRule, removeRule, type SectionEdit } from '../../src/fix/rules/edit-section.js';
import { type Random, seededRandom } from '../../src/lib/random.js';
import { DiskWorkspace, type DiskWorkspaceOptions } from '../../src/node/index.js';
import { bundleProcess } from '../bundle-process.js';
import { type Edited, writeByHand } from '../fix/rules/people.js';
import { startNode } from '../run-node.js';

/** Counts of a campaign, and which promises did not hold. */
export interface WorkspaceReport {
  readonly broken: readonly string[];
  readonly [count: string]: number | readonly string[];
}

const FILE = 'AGENTS.md';
const MODES = [0o600, 0o640, 0o644, 0o664, 0o755];

/** A folder for the work, taken away afterwards. */
export async function inFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'rsi-workspace-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function bundle(folder: string): Promise<string> {
  return bundleProcess(resolve(import.meta.dirname, 'workspace-process.ts'), folder);
}

function start(script: string, args: readonly string[], cwd: string) {
  const child = startNode([script, ...args], { cwd });
  const ended = new Promise<void>((done) => child.on('close', () => done()));
  const lines: string[] = [];
  const waiting: { readonly begins: string; readonly found: (line: string) => void }[] = [];
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
    for (const { begins, found } of waiting) {
      const line = parts.find((one) => one.startsWith(begins));
      if (line !== undefined) found(line);
    }
  });
  const waitFor = async (begins: string) => {
    const line = await Promise.race([
      new Promise<string>((found) => {
        const known = lines.find((one) => one.startsWith(begins));
        if (known === undefined) waiting.push({ begins, found });
        else found(known);
      }),
      ended,
    ]);
    if (line === undefined) throw new Error(`the process ended before it said ${begins}: ${lines.join(' ')}`);
    return line;
  };
  return { child, ended, waitFor };
}

function pickerOf(random: Random): (most: number) => number {
  return (most) => Math.floor(random() * most);
}

/** A file as people leave them: any marks, breaks and ends, or none at all. */
function randomFile(pick: (most: number) => number): string | undefined {
  if (pick(12) === 0) return undefined;
  const lines = Array.from({ length: pick(12) }, () => {
    const words = ['', '# Agent', '- be brief', 'ä 漢 😀', '\tcode', '```', '<!-- note -->', 'x'.repeat(pick(200))];
    return (words[pick(words.length)] ?? '') + (['\n', '\r\n'][pick(2)] ?? '');
  });
  return (pick(5) === 0 ? '\ufeff' : '') + lines.join('') + ['', 'open end', '\r'][pick(3)];
}

/**
 * Rules come and go, people edit before, between and after reading and writing; at the end every rule is taken back and
 * the file has to be what people alone would have left, with its mode.
 */
export function patchAndRollBack(rounds: number, seed: number): Promise<WorkspaceReport> {
  return inFolder(async (folder) => {
    const pick = pickerOf(seededRandom(seed));
    const path = join(folder, FILE);
    const workspace = new DiskWorkspace(folder, { quietMs: 0 });
    const broken: string[] = [];
    const counts = { rounds, patches: 0, rollbacks: 0, edits: 0, conflicts: 0, merges: 0 };
    let file: Edited = { text: undefined, people: undefined };
    let number = 0;
    const person = () => {
      file = writeByHand({ ...file, text: readIfThere(path) }, pick(1_000), `by hand ${number++}`);
      writeFileSync(path, file.text ?? '');
      counts.edits++;
    };
    /** Reads, edits and writes, again after each write of another process. */
    const change = async (edit: (text: string | undefined) => SectionEdit) => {
      for (let isFirst = true; ; isFirst = false) {
        const read = await workspace.read(FILE);
        const wanted = edit(read.text);
        if (isFirst && pick(4) === 0) person();
        if (wanted.kind === 'refused') return void broken.push(wanted.message);
        if (wanted.kind === 'unchanged') return;
        const result = await workspace.write(FILE, wanted.text, read.hash);
        counts.merges += result.file.unmerged.length;
        if (result.kind === 'ok') return;
        counts.conflicts++;
      }
    };
    for (let round = 0; round < rounds; round++) {
      const start = randomFile(pick);
      rmSync(path, { force: true });
      rmSync(join(folder, '.rsi-backups'), { recursive: true, force: true });
      if (start !== undefined) writeFileSync(path, start);
      const mode = MODES[pick(MODES.length)] ?? 0o644;
      if (start !== undefined) chmodSync(path, mode);
      file = { text: start, people: start };
      const ids = Array.from({ length: 1 + pick(3) }, (_, index) => `fix-${round}-${index}`);
      for (const id of ids) {
        if (pick(3) === 0) person();
        const rule = { id, text: `Do what rule ${id} says.`, date: '2026-01-05', evidence: `rsi explain ${id}` };
        await change((text) => addRule(text, rule));
        counts.patches++;
      }
      if (pick(3) === 0) person();
      for (const id of ids.sort(() => pick(3) - 1)) {
        await change((text) => removeRule(text, id));
        counts.rollbacks++;
      }
      const [left, expected] = [readIfThere(path), file.people];
      if (left !== expected) broken.push(`round ${round}: ${JSON.stringify(left)} is not ${JSON.stringify(expected)}`);
      const now = left !== undefined && statSync(path).mode & 0o777;
      if (start !== undefined && now !== false && now !== mode) broken.push(`round ${round}: mode ${now.toString(8)}`);
    }
    return { ...counts, broken };
  });
}

/** The same against a process that saves in four ways, as fast as it can, without asking anybody. */
export function patchBesideAnEditor(
  rounds: number,
  seed: number,
  options: DiskWorkspaceOptions = { quietMs: 0 },
): Promise<WorkspaceReport> {
  return inFolder(async (folder) => {
    const script = await bundle(folder);
    const place = join(folder, 'agent');
    mkdirSync(place);
    const path = join(place, FILE);
    const pick = pickerOf(seededRandom(seed));
    const workspace = new DiskWorkspace(place, { files: [FILE], ...options });
    const editor = start(script, ['edit', place, String(seed)], folder);
    await editor.waitFor('ready');
    const broken: string[] = [];
    const counts = { rounds: 0, edits: 0, conflicts: 0, halfSaved: 0, missing: 0, restored: 0, copiesToMerge: 0 };
    for (let from = 0; counts.rounds < rounds; from += 10) {
      const start = `${randomFile(pick)?.replaceAll('\r', '') ?? ''}\nend\n`;
      rmSync(join(place, '.rsi-backups'), { recursive: true, force: true });
      writeFileSync(path, start);
      let isEditing = true;
      const done = editor.waitFor(`done ${from + 10}`).then(() => {
        isEditing = false;
      });
      editor.child.stdin.write(`${from} ${from + 10}\n`);
      // Rules come and go while a person edits, and once more in peace.
      for (let isOver = false; !isOver; counts.rounds++) {
        isOver = !isEditing;
        const id = `fix-${counts.rounds}`;
        const rule = { id, text: `Do what rule ${id} says.`, date: '2026-01-05', evidence: `rsi explain ${id}` };
        const hasCame = await changeBeside(workspace, (text) => addRule(text, rule), counts);
        const hasGone = await changeBeside(workspace, (text) => removeRule(text, id), counts);
        if (isOver && !(hasCame && hasGone))
          broken.push(`round ${counts.rounds}: not written although no program edits`);
      }
      await done;
      counts.edits += 10;
      const { text = '', unmerged } = await workspace.read(FILE);
      const kept = [text, ...unmerged.map((copy) => readFileSync(join(place, copy), 'utf8'))];
      for (let number = from; number < from + 10; number++) {
        // Without its break: a line written behind an open end is the last one, and loses its break with the section.
        const isKept = kept.some((one) => one.includes(`by hand ${number};`));
        if (!isKept) broken.push(`edit ${number} is lost: ${JSON.stringify(kept)}`);
      }
      counts.copiesToMerge += unmerged.length;
      const left = withoutOurs(text);
      if (left === start) counts.restored++;
      else if (unmerged.length === 0)
        broken.push(`after edit ${from}: ${JSON.stringify(left)} is not ${JSON.stringify(start)}`);
    }
    editor.child.stdin.end();
    await editor.ended;
    return { ...counts, broken };
  });
}

/** A rule that an editor has read into its buffer may be saved again after it went: that is the person's to delete. */
function withoutOurs(text: string): string {
  const own = /^(?:by hand \d+;|<!-- (?:rsi-loop:|Rules this agent).*|.*<!-- rsi-loop:rule .*)\n/gm;
  return text.replace(own, '');
}

async function changeBeside(
  workspace: DiskWorkspace,
  edit: (text: string | undefined) => SectionEdit,
  counts: { conflicts: number; missing: number; halfSaved: number },
): Promise<boolean> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const read = await unlessHalfSaved(workspace.read(FILE));
    if (!read) {
      counts.halfSaved++;
      continue;
    }
    const wanted = edit(read.text);
    if (read.text === undefined) counts.missing++;
    // Two people who edit together can damage the section; then the loop keeps away.
    if (wanted.kind === 'refused') return true;
    if (wanted.kind === 'unchanged') return true;
    const result = await unlessHalfSaved(workspace.write(FILE, wanted.text, read.hash));
    if (result?.kind === 'ok') return true;
    if (result) counts.conflicts++;
    else counts.halfSaved++;
  }
  return false;
}

/** Nothing where a person's editor is in the middle of a character. */
async function unlessHalfSaved<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (LoopError.is(error) && error.message.includes('is not UTF-8')) return undefined;
    throw error;
  }
}

/** Ways to say another file than the one that is listed, none of which may reach any. */
export const TRAVERSALS: readonly string[] = [
  '../outside/AGENTS.md',
  '../../etc/AGENTS.md',
  'team/../../outside/AGENTS.md',
  './AGENTS.md',
  'team/./AGENTS.md',
  'team//AGENTS.md',
  '/etc/AGENTS.md',
  '//server/share/AGENTS.md',
  '///AGENTS.md',
  'AGENTS.md/',
  'AGENTS.md/.',
  'AGENTS.md/..',
  '..',
  '.',
  '',
  ' ',
  '~/AGENTS.md',
  '~root/AGENTS.md',
  '$HOME/AGENTS.md',
  '%HOME%/AGENTS.md',
  '..\\outside\\AGENTS.md',
  'team\\..\\..\\AGENTS.md',
  '\\AGENTS.md',
  '\\\\server\\share\\AGENTS.md',
  '\\\\?\\C:\\AGENTS.md',
  '\\\\.\\PhysicalDrive0',
  'C:\\AGENTS.md',
  'C:AGENTS.md',
  'C:/AGENTS.md',
  'file:///etc/AGENTS.md',
  '%2e%2e/AGENTS.md',
  '%2e%2e%2fAGENTS.md',
  '..%2fAGENTS.md',
  '..%5cAGENTS.md',
  '%252e%252e%252fAGENTS.md',
  '..%c0%afAGENTS.md',
  '..%u2215AGENTS.md',
  '&#46;&#46;/AGENTS.md',
  '\\u002e\\u002e/AGENTS.md',
  '．．/AGENTS.md',
  '‥/AGENTS.md',
  '..／AGENTS.md',
  '..∕AGENTS.md',
  '..⁄AGENTS.md',
  '.\u200b./AGENTS.md',
  '\u202e../AGENTS.md',
  '../AGENTS.md\u0000',
  'AGENTS.md\u0000.png',
  '\u0000/AGENTS.md',
  'AGENTS.md\n',
  'AGENTS.md::$DATA',
  'AGENTS.md:stream.md',
  'CON.md',
  'nul.md',
  'team/aux.md',
  'COM1.md',
  'lpt¹.md',
  'AGENTS.md.',
  'AGENTS.md ',
  '.../AGENTS.md',
  '. ./AGENTS.md',
  ' ../AGENTS.md',
  '.git/AGENTS.md',
  '.rsi-backups/AGENTS.md',
  '.rsi-backups/../../AGENTS.md',
  '/proc/self/root/AGENTS.md',
  '/dev/fd/3',
  `${'../'.repeat(40)}tmp/AGENTS.md`,
  `${'a/'.repeat(40)}AGENTS.md`,
  `${'a'.repeat(300)}.md`,
  'package.json',
  'run.sh',
  'AGENTS.md.js',
];

/** Tries every form as a name in the list, and as a name to read and write. */
export function traverse(): Promise<WorkspaceReport> {
  return inFolder(async (folder) => {
    const broken: string[] = [];
    const place = join(folder, 'agent');
    mkdirSync(join(place, 'team'), { recursive: true });
    mkdirSync(join(folder, 'outside'));
    writeFileSync(join(place, FILE), 'inside');
    const before = snapshot(folder);
    const workspace = new DiskWorkspace(place, { files: [FILE, `team/${FILE}`] });
    const tries: readonly ((path: string) => Promise<unknown>)[] = [
      async (path) => new DiskWorkspace(place, { files: [path] }).write(path, 'outside', ''),
      (path) => workspace.read(path),
      (path) => workspace.write(path, 'outside', ''),
      (path) => workspace.write(path, undefined, ''),
    ];
    let refused = 0;
    for (const path of TRAVERSALS) {
      for (const attempt of tries) {
        const error = await attempt(path).then(
          () => 'done',
          (reason: unknown) => reason,
        );
        if (LoopError.is(error) && error.code === 'workspace-refused') refused++;
        else broken.push(`${JSON.stringify(path)}: ${String(error)}`);
      }
    }
    if (snapshot(folder) !== before) broken.push('something was written');
    return { forms: TRAVERSALS.length, refused, broken };
  });
}

/** Writes into a folder that another process turns into a link to the outside and back. */
export function raceLinks(races: number, seed: number, { byPath = false } = {}): Promise<WorkspaceReport> {
  return inFolder(async (folder) => {
    const script = await bundle(folder);
    const place = join(folder, 'agent');
    mkdirSync(join(place, 'team'), { recursive: true });
    mkdirSync(join(folder, 'outside'));
    writeFileSync(join(folder, 'outside', FILE), 'outside');
    const before = snapshot(join(folder, 'outside'));
    const path = `team/${FILE}`;
    const workspace = new DiskWorkspace(place, { files: [path], quietMs: 0, byPath });
    const swapper = start(script, ['swap', place, String(seed), '0'], folder);
    await swapper.waitFor('ready');
    const counts = { races, written: 0, conflicts: 0, refused: 0, failed: 0, outside: 0 };
    const broken: string[] = [];
    for (let race = 0; race < races; race++) {
      try {
        const { hash } = await workspace.read(path);
        const { kind } = await workspace.write(path, `race ${race}\n`, hash);
        counts[kind === 'ok' ? 'written' : 'conflicts']++;
      } catch (error) {
        if (!LoopError.is(error)) broken.push(String(error));
        else if (error.code === 'workspace-refused') counts.refused++;
        else counts.failed++;
      }
      if (snapshot(join(folder, 'outside')) === before) continue;
      counts.outside++;
      rmSync(join(folder, 'outside'), { recursive: true, force: true });
      mkdirSync(join(folder, 'outside'));
      writeFileSync(join(folder, 'outside', FILE), 'outside');
    }
    writeFileSync(join(place, 'stop'), '');
    const swaps = Number((await swapper.waitFor('swaps')).split(' ')[1]);
    await swapper.ended;
    if (counts.outside > 0 && !byPath) broken.push(`${counts.outside} writes outside of the workspace`);
    return { ...counts, swaps, broken };
  });
}

/** Kills a process that writes versions without a pause. It must leave a whole version. */
export function killWriters(kills: number, seed: number): Promise<WorkspaceReport> {
  return inFolder(async (folder) => {
    const script = await bundle(folder);
    const place = join(folder, 'agent');
    mkdirSync(place);
    writeFileSync(join(place, FILE), 'version 0\n');
    const random = seededRandom(seed);
    const broken: string[] = [];
    const counts = { kills, missing: 0, toMerge: 0 };
    for (let kill = 0; kill < kills; kill++) {
      const writer = start(script, ['write', place, String(kill)], folder);
      await writer.waitFor('ready');
      await new Promise((done) => setTimeout(done, random() * 20));
      writer.child.kill('SIGKILL');
      await writer.ended;
      if (!existsSync(join(place, FILE))) counts.missing++;
      const workspace = new DiskWorkspace(place, { files: [FILE], quietMs: 0 });
      const found = await workspace.read(FILE);
      counts.toMerge += found.unmerged.length;
      if (!/^version \d[^\n]*\n(x*\n)?$/.test(found.text ?? ''))
        broken.push(`kill ${kill} left ${JSON.stringify(found.text)}`);
      const written = await workspace.write(FILE, `version 0 after ${kill}\n`, found.hash);
      if (written.kind !== 'ok') broken.push(`kill ${kill}: nothing can be written any more`);
    }
    const left = readdirSync(join(place, '.rsi-backups')).filter((name) => name.endsWith('.taken'));
    // A kill can come before the file is put away. It is one in ten at most, and few kills allow for one.
    if (left.length > Math.max(1, counts.kills / 10)) broken.push(`${left.length} leftovers`);
    return { ...counts, broken };
  });
}

function snapshot(folder: string): string {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return `${path} ${entry.isFile() ? readFileSync(path, 'hex') : ''}`;
    })
    .sort()
    .join('\n');
}

function readIfThere(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
