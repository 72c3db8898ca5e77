import { open, rename, stat, truncate, writeFile } from 'node:fs/promises';
import { removeFile } from './record.js';

/** Older log files that are kept: `name.log.1` is the newest. */
const KEPT = 3;
/** Longest end of a log that is read to show its last lines. */
const MAX_SHOWN_BYTES = 1_000_000;

/**
 * Rotates a log that has reached `maxBytes`. The service keeps its open file, so the content is copied and the file
 * emptied: lines written in between are lost.
 */
export async function rotate(path: string, maxBytes: number): Promise<boolean> {
  const size = await sizeOf(path);
  if (size < maxBytes) return false;
  await removeFile(`${path}.${KEPT}`);
  for (let index = KEPT - 1; index >= 1; index--) {
    await rename(`${path}.${index}`, `${path}.${index + 1}`).catch(() => undefined);
  }
  const { bytes } = await readEnd(path, size, maxBytes);
  await writeFile(`${path}.1`, bytes, { mode: 0o600 });
  await truncate(path);
  return true;
}

/** Returns the last lines of a log, at most `count`. */
export async function lastLines(path: string, count: number): Promise<readonly string[]> {
  const size = await sizeOf(path);
  if (size === 0) return [];
  const { bytes, isWhole } = await readEnd(path, size, MAX_SHOWN_BYTES);
  const lines = bytes.toString('utf8').split('\n');
  if (lines.at(-1) === '') lines.pop();
  // The first line may be the rest of a longer one.
  return (isWhole ? lines : lines.slice(1)).slice(-count);
}

/** Reads what was added since `from`; a file that got shorter was rotated, and is read from its beginning. */
export async function addedSince(path: string, from: number): Promise<{ readonly text: string; readonly to: number }> {
  const size = await sizeOf(path);
  const start = size < from ? 0 : from;
  if (size === start) return { text: '', to: size };
  const { bytes } = await readEnd(path, size, Math.min(size - start, MAX_SHOWN_BYTES));
  return { text: bytes.toString('utf8'), to: size };
}

export async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

async function readEnd(path: string, size: number, maxBytes: number) {
  const from = Math.max(0, size - maxBytes);
  const bytes = Buffer.alloc(size - from);
  const file = await open(path, 'r');
  try {
    const { bytesRead } = await file.read(bytes, 0, bytes.length, from);
    return { bytes: bytes.subarray(0, bytesRead), isWhole: from === 0 };
  } finally {
    await file.close();
  }
}
