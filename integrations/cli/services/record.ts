import { mkdir, readdir, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LoopError } from 'rsi-loop';
import type { ProcessId } from './processes.js';

/** End of a service's main process. */
export interface ServiceEnd {
  readonly atMs: number;
  readonly code: number | null;
  readonly signal: string | null;
  /** Reason why it could not be started at all. */
  readonly failure?: string;
  /** True if `rsi services stop` ended it. */
  readonly asked?: true;
}

/** State of a service, in a file. It is written before the service is started. */
export interface ServiceRecord {
  readonly format: typeof FORMAT;
  readonly name: string;
  /** Random text in the environment of the service's processes, by which they are found again. */
  readonly token: string;
  /** Program and arguments, for display. */
  readonly command: readonly string[];
  readonly health?: string;
  readonly stopGraceMs: number;
  readonly startedMs: number;
  /** Process that started the service, waits for its end and rotates its log. */
  readonly keeper?: ProcessId;
  /** Main process of the service; absent until it runs. */
  readonly main?: ProcessId;
  readonly end?: ServiceEnd;
}

export const FORMAT = 'rsi-service/1';

/** Paths of a service's files. */
export function pathsOf(folder: string, name: string) {
  return {
    record: join(folder, `${name}.json`),
    lock: join(folder, `${name}.lock`),
    log: join(folder, `${name}.log`),
  };
}

/** @throws LoopError `store-failed` for a file of another version, or one that is damaged. */
export async function readRecord(path: string): Promise<ServiceRecord | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  let value: ServiceRecord;
  try {
    value = JSON.parse(text);
  } catch {
    throw new LoopError('store-failed', `${path} is damaged: look which of its processes run, then delete it`);
  }
  if (value.format !== FORMAT) {
    throw new LoopError('store-failed', `${path} has format ${value.format}: this version of rsi reads ${FORMAT}`);
  }
  return value;
}

/** Replaces the file in one step, so that a reader never sees a part of it. */
export async function writeRecord(path: string, record: ServiceRecord): Promise<void> {
  const draft = `${path}.${process.pid}.tmp`;
  await writeFile(draft, `${JSON.stringify(record, undefined, 2)}\n`, { mode: 0o600 });
  await rename(draft, path);
}

/** Adds to the record of the same start. A later start has a record of its own, which stays as it is. */
export async function addToRecord(
  path: string,
  { token }: Pick<ServiceRecord, 'token'>,
  more: Partial<ServiceRecord>,
): Promise<void> {
  const record = await readRecord(path);
  if (record?.token === token) await writeRecord(path, { ...record, ...more });
}

/** Returns the names of all services that have a record. */
export async function recordedNames(folder: string): Promise<readonly string[]> {
  const files = await readdir(folder).catch(() => []);
  return files.filter((file) => file.endsWith('.json')).map((file) => file.slice(0, -'.json'.length));
}

export async function makeStateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
}

export async function removeFile(path: string): Promise<void> {
  await unlink(path).catch(() => undefined);
}
