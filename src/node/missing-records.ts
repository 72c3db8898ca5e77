import { type FileSystem, ifPresent } from './file-system.js';
import { parseLine } from './line.js';
import { readSegment, type Segment } from './segments.js';

/** Records of a process that cycles counted and that no segment holds. */
export interface MissingRecords {
  readonly writer: string;
  readonly from: number;
  /** Position after the last one. */
  readonly upTo: number;
}

/** Progress of the cycles with one process. */
export interface ReadProgress {
  readonly upTo: number;
  /** Times of the first and the last cycle that read records of it, and of the one before that. */
  readonly firstMs: number;
  readonly lastMs: number;
  readonly beforeMs?: number;
}

/** Shortest age and size at which retention is taken as the reason. Its limits are options of the program. */
const RETAINED_MS = 86_400_000;
const RETAINED_BYTES = 64 * 1024 * 1024;

/**
 * Finds records that cycles counted and that are gone although retention, which deletes the oldest segments first, cannot
 * have deleted them: in the middle or at the end of what a process wrote, or young ones.
 */
export async function findMissing(
  fs: FileSystem,
  byWriter: ReadonlyMap<string, readonly Segment[]>,
  {
    read,
    nowMs,
    bytes,
  }: { readonly read: ReadonlyMap<string, ReadProgress>; readonly nowMs: number; readonly bytes: number },
): Promise<readonly MissingRecords[]> {
  const missing: MissingRecords[] = [];
  const add = (writer: string, from: number, upTo: number) => {
    if (upTo > from) missing.push({ writer, from, upTo });
  };
  const oldestMs = await oldestOf(fs, [...byWriter.values()].flat());
  const isYoung = (atMs: number) => nowMs - atMs < RETAINED_MS && bytes < RETAINED_BYTES;
  for (const [writer, { upTo, firstMs, lastMs, beforeMs }] of read) {
    const segments = byWriter.get(writer) ?? [];
    const [first] = segments;
    if (first === undefined) {
      if (isYoung(lastMs) || oldestMs < (beforeMs ?? 0)) add(writer, 0, upTo);
      continue;
    }
    if (isYoung(firstMs)) add(writer, 0, Math.min(first.from, upTo));
    for (const [index, segment] of segments.entries()) {
      const next = segments[index + 1]?.from ?? upTo;
      add(writer, await endOf(fs, segment), Math.min(next, upTo));
    }
  }
  return missing;
}

/** Returns the time of the last change of the segment that retention deletes next. */
async function oldestOf(fs: FileSystem, segments: readonly Segment[]): Promise<number> {
  let oldestMs = Number.POSITIVE_INFINITY;
  for (const { path } of segments) oldestMs = Math.min(oldestMs, (await ifPresent(fs.stat(path)))?.mtimeMs ?? oldestMs);
  return oldestMs;
}

/** Returns the position after the last intact line of a segment. */
async function endOf(fs: FileSystem, segment: Segment): Promise<number> {
  const lines = ((await readSegment(fs, segment))?.toString('utf8') ?? '').split('\n');
  for (let line = lines.pop(); line !== undefined; line = lines.pop()) {
    const n = parseLine(line)?.value.n;
    if (typeof n === 'number') return n + 1;
  }
  return segment.from;
}
