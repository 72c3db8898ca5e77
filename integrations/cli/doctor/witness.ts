import { readFile, rename, writeFile } from 'node:fs/promises';
import { LoopError } from 'rsi-loop';
import type { StoreCheck } from 'rsi-loop/node';
import { counted, moment } from '../../reports/words/numbers.js';
import { isSystemError, whyWords } from '../terminal/system-error.js';

/** End of a ledger at a time, kept outside of its store. */
interface Witness {
  readonly format: 'rsi-witness/1';
  readonly entries: number;
  readonly hash: string;
  readonly atMs: number;
}

/** Decisions of a store with their hashes, in order. */
export type Hashes = AsyncIterable<{ readonly position: number; readonly hash: string }>;

/**
 * Compares a ledger with the end that an earlier run wrote to `file`, then writes the present end. Keeps the file as it
 * is if they do not fit.
 * @throws LoopError `invalid-input` if the file is not a witness, or cannot be read or written.
 */
export async function checkWitness(file: string, lines: Hashes, nowMs: number): Promise<StoreCheck> {
  const seen = await readWitness(file);
  const { entries, hash, then } = await readEnd(lines, seen?.entries ?? 0);
  const fault = seen && faultOf(seen, entries, then);
  if (fault !== undefined) {
    const advice = `restore the store from a backup, or delete ${file} if you replaced the store yourself`;
    return { name: 'witness', ok: false, found: fault, advice };
  }
  const now: Witness = { format: 'rsi-witness/1', entries, hash, atMs: nowMs };
  await write(file, `${JSON.stringify(now)}\n`);
  const wrote = `${counted(entries, 'entry', 'entries')} written to ${file}`;
  const since = seen && `unchanged up to entry ${seen.entries} of ${moment(seen.atMs)}; `;
  return { name: 'witness', ok: true, found: `${since ?? ''}${wrote}` };
}

function faultOf(seen: Witness, entries: number, then: string): string | undefined {
  const before = `${counted(seen.entries, 'entry', 'entries')} on ${moment(seen.atMs)}`;
  if (entries < seen.entries) return `the ledger had ${before}, and has ${entries} now`;
  return then === seen.hash ? undefined : `the ledger had ${before}, and entries up to there were replaced since`;
}

/** Returns the end of the ledger, and the hash of its entry number `count`. */
async function readEnd(lines: Hashes, count: number) {
  let [entries, hash, then] = [0, '', ''];
  for await (const line of lines) {
    entries = line.position + 1;
    hash = line.hash;
    if (entries === count) then = hash;
  }
  return { entries, hash, then };
}

async function readWitness(file: string): Promise<Witness | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    if (isSystemError(cause) && cause.code === 'ENOENT') return undefined;
    throw unusable(`cannot read ${file}: ${whyWords(cause)}`, cause);
  }
  try {
    const value = JSON.parse(text) as Partial<Witness> | null; // checked field by field
    const { format, entries, hash, atMs } = value ?? {};
    if (
      format === 'rsi-witness/1' &&
      Number.isSafeInteger(entries) &&
      typeof hash === 'string' &&
      Number.isFinite(atMs)
    )
      return value as Witness;
  } catch {
    // Said below.
  }
  throw unusable(`${file} is not a witness of rsi doctor: give another file`);
}

async function write(file: string, text: string): Promise<void> {
  try {
    await writeFile(`${file}.new`, text, { flush: true });
    await rename(`${file}.new`, file);
  } catch (cause) {
    throw unusable(`cannot write ${file}: ${whyWords(cause)}`, cause);
  }
}

function unusable(message: string, cause?: unknown): LoopError {
  return new LoopError('invalid-input', message, { cause });
}
