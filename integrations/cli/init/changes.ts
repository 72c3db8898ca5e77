import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, unlinkSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { LoopError } from 'rsi-loop';
import { recordChange, type TextChange, undoChange } from '../install/text-change.js';
import { makeStore, requireOwnData } from '../store/check-folder.js';
import { mustBeInside, mustBeWritable, readText, writeWhole } from './write-file.js';

/** Change of one file that `rsi init` proposes. */
export interface FileChange {
  readonly path: string;
  /** Text of the file when the change was planned; absent if there was none. */
  readonly before?: string;
  readonly after: string;
  /** Purpose, for the plan. */
  readonly why: string;
}

/** Folders that belong together: the project and that of its loop. */
export interface Places {
  readonly project: string;
  readonly store: string;
}

interface Entry extends TextChange {
  /** Path of the file, relative to the project. */
  readonly file: string;
  /** Folders created for it, the outermost first, relative to the project. */
  readonly folders: readonly string[];
}

const FORMAT = 'rsi-undo/1';

/** Record of everything that `rsi init` changed in a project. It is written before the changes. */
interface UndoRecord {
  readonly format: typeof FORMAT;
  readonly entries: readonly Entry[];
  /** True if the folder of the loop did not exist before. */
  readonly madeStore: boolean;
}

/**
 * Makes the changes. Checks all files first, then writes the undo record, then the files in one go.
 * @throws LoopError if a file cannot be written or changed since it was read. Nothing is changed then.
 */
export async function makeChanges(changes: readonly FileChange[], places: Places): Promise<void> {
  for (const { path, before } of changes) {
    mustBeInside(places.project, path);
    mustBeWritable(path);
    if (readText(path) !== before)
      throw new LoopError('store-conflict', `${path} was changed meanwhile: nothing was written, try again`);
  }
  const known = readRecord(places.store);
  const madeStore = known?.madeStore ?? !existsSync(places.store);
  await makeStore(places.store);
  mkdirSync(dirname(recordPath(places.store)), { recursive: true, mode: 0o700 });
  const entries = changes.map((change) => entryOf(change, places, known));
  const others = (known?.entries ?? []).filter(({ file }) => entries.every((entry) => entry.file !== file));
  writeRecord(places.store, { format: FORMAT, madeStore, entries: [...others, ...entries] });
  // No await from here on: Ctrl-C is seen before the first file or after the last.
  for (const { path, after } of changes) {
    mkdirSync(dirname(path), { recursive: true });
    writeWhole(path, after);
  }
}

function entryOf({ path, before, after }: FileChange, { project }: Places, known: UndoRecord | undefined): Entry {
  const file = relative(project, path);
  const earlier = known?.entries.find((entry) => entry.file === file);
  // A second run must still lead back to the text before the first.
  const original = earlier && before !== undefined ? undoChange(earlier, before) : undefined;
  if (earlier && original) return { file, folders: earlier.folders, ...recordChange(original.text, after) };
  return { file, folders: missingFolders(dirname(path), project), ...recordChange(before, after) };
}

function missingFolders(folder: string, project: string): readonly string[] {
  return existsSync(folder) ? [] : [...missingFolders(dirname(folder), project), relative(project, folder)];
}

/** Result of undoing: files by what happened to them. */
export interface Undone {
  readonly restored: readonly string[];
  readonly removed: readonly string[];
  /** Files that were changed since, and are left as they are. */
  readonly refused: readonly string[];
}

/**
 * Undoes what `makeChanges` did, to the byte. Leaves files alone that changed since.
 * @throws LoopError `invalid-input` if there is no record, or if it is not of this user and project.
 */
export function undoChanges({ project, store }: Places): Undone {
  const record = readRecord(store);
  if (!record) {
    throw new LoopError('invalid-input', `nothing to undo: ${store} holds no record of "rsi init"`);
  }
  // A record that came with another person's repository could name any file of the user.
  requireOwnData(store);
  for (const { file } of record.entries) mustBeInside(project, resolve(project, file));
  const undone = { restored: [] as string[], removed: [] as string[], refused: [] as string[] };
  const left = record.entries.filter((entry) => {
    const result = undoEntry(entry, project);
    if (result !== 'as before') undone[result].push(entry.file);
    return result === 'refused';
  });
  if (left.length > 0) writeRecord(store, { ...record, entries: left });
  else removeRecord(store, record.madeStore);
  return undone;
}

function undoEntry(entry: Entry, project: string): keyof Undone | 'as before' {
  const path = resolve(project, entry.file);
  const text = readText(path);
  if (text === undefined) return entry.before === '' ? 'as before' : 'refused';
  if (recordChange(undefined, text).after === entry.before) return 'as before';
  const undone = undoChange(entry, text);
  if (!undone) return 'refused';
  mustBeWritable(path);
  if (undone.text !== undefined) {
    writeWhole(path, undone.text);
    return 'restored';
  }
  unlinkSync(path);
  for (const folder of entry.folders.toReversed()) removeIfEmpty(resolve(project, folder));
  return 'removed';
}

function removeRecord(store: string, madeStore: boolean): void {
  unlinkSync(recordPath(store));
  for (const folder of ['hooks/installed', 'hooks']) removeIfEmpty(join(store, folder));
  const isOurs = madeStore && readdirSync(store).every((name) => name === '.gitignore');
  if (!isOurs) return;
  unlinkSync(join(store, '.gitignore'));
  removeIfEmpty(store);
}

function removeIfEmpty(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
}

function readRecord(store: string): UndoRecord | undefined {
  const path = recordPath(store);
  if (!existsSync(path)) return undefined;
  try {
    const record = JSON.parse(readFileSync(path, 'utf8')) as UndoRecord; // written below, used only if digests agree
    if (record.format === FORMAT) return record;
  } catch {
    // The same sentence for a damaged record.
  }
  throw new LoopError('invalid-input', `${path} is not readable by this version: remove it, and undo by hand`);
}

function writeRecord(store: string, record: UndoRecord): void {
  writeWhole(recordPath(store), `${JSON.stringify(record)}\n`, 0o600);
}

/** Returns the path of the undo record of a store. */
export function recordPath(store: string): string {
  return join(store, 'hooks', 'init.json');
}
