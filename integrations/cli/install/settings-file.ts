import { randomBytes } from 'node:crypto';
import { chmod, open, readFile, realpath, rename, rmdir, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LoopError } from 'rsi-loop';
import { machineFileSystem } from 'rsi-loop/node';
import { isSystemError } from '../terminal/system-error.js';
import { digest, recordChange, type TextChange, undoChange } from './text-change.js';

/** Reads a settings file; returns `undefined` if it does not exist. */
export async function readSettings(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isSystemError(error) && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Replaces a settings file atomically and keeps its mode. Follows a link and replaces its target.
 * @throws LoopError `store-conflict` if the file changed since `before` was read.
 */
export async function replaceSettings(path: string, before: string | undefined, text: string): Promise<void> {
  await machineFileSystem.mkdir(dirname(path));
  const target = before === undefined ? path : await realpath(path);
  const temporary = join(dirname(target), `.rsi-${randomBytes(6).toString('hex')}`);
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await chmod(temporary, before === undefined ? 0o644 : (await stat(target)).mode & 0o7777);
    if ((await readSettings(path)) !== before) {
      throw new LoopError('store-conflict', `${path} was changed meanwhile: nothing was written, try again`);
    }
    await rename(temporary, target);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
}

/** A receipt of another version is not used: the entries of the loop are then removed one by one. */
const RECEIPT_FORMAT = 1;

interface Receipt extends TextChange {
  readonly format: typeof RECEIPT_FORMAT;
  /** True if the installation also created the file's folder. */
  readonly madeFolder: boolean;
}

export interface ReceiptPlace {
  /** Folder of the loop. */
  readonly store: string;
  readonly path: string;
}

export async function keepReceipt(
  place: ReceiptPlace,
  before: string | undefined,
  after: string,
  madeFolder: boolean,
): Promise<void> {
  const receipt: Receipt = { format: RECEIPT_FORMAT, ...recordChange(before, after), madeFolder };
  const file = receiptPath(place);
  await machineFileSystem.mkdir(dirname(file));
  await writeFile(file, JSON.stringify(receipt), { mode: 0o600 });
}

/** Returns the text before the installation if the file is unchanged since; `{}` with no text if there was no file. */
export async function undoneBy(
  place: ReceiptPlace,
  text: string,
): Promise<{ readonly text?: string; readonly madeFolder: boolean } | undefined> {
  const receipt = await readReceipt(place);
  const undone = receipt && undoChange(receipt, text);
  return undone && { ...undone, madeFolder: receipt.madeFolder };
}

export async function dropReceipt(place: ReceiptPlace): Promise<void> {
  await unlink(receiptPath(place)).catch(() => undefined);
}

/** Removes a settings file that the installation created, and its folder if the installation created that too. */
export async function removeSettings(path: string, withFolder: boolean): Promise<void> {
  await unlink(path);
  if (withFolder) await rmdir(dirname(path)).catch(() => undefined); // the folder is not empty
}

async function readReceipt(place: ReceiptPlace): Promise<Receipt | undefined> {
  try {
    const receipt = JSON.parse(await readFile(receiptPath(place), 'utf8')) as Receipt; // written above, checked by digests
    return receipt.format === RECEIPT_FORMAT ? receipt : undefined;
  } catch {
    return undefined;
  }
}

function receiptPath({ store, path }: ReceiptPlace): string {
  return join(store, 'hooks', 'installed', `${digest(path).slice(0, 16)}.json`);
}
