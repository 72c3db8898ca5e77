import { dirname, join } from 'node:path';
import { type FileSystem, ifPresent, readOpen } from './file-system.js';
import { FORMAT } from './format.js';
import { sealLine } from './line.js';
import { padded } from './numbered-files.js';

/** One file of the journal. Only `writer` ever writes to it, and only at its end. */
export interface Segment {
  readonly name: string;
  readonly path: string;
  readonly writer: string;
  /** Sequence number among the writer's segments. */
  readonly serial: number;
  /** Position of its first record. The segment before counts only up to here: later records were written again. */
  readonly from: number;
  /** Position after its last record, once its process has ended. It saves opening a file that was read before. */
  readonly end?: number;
}

const NAME = /^([0-9A-Za-z]+)-(\d{6})-(\d{12})(?:-(\d{12}))?\.jsonl$/;

export function segmentOf(folder: string, { writer, serial, from, end }: Omit<Segment, 'name' | 'path'>): Segment {
  const parts = [writer, String(serial).padStart(6, '0'), padded(from), ...(end === undefined ? [] : [padded(end)])];
  const name = `${parts.join('-')}.jsonl`;
  return { name, path: join(folder, name), writer, serial, from, ...(end !== undefined && { end }) };
}

/** Lists the segments of every writer in the order they were written, and the files that are not segments. */
export async function listSegments(
  fs: FileSystem,
  folder: string,
): Promise<{ readonly byWriter: ReadonlyMap<string, readonly Segment[]>; readonly foreign: readonly string[] }> {
  const byWriter = new Map<string, Segment[]>();
  const foreign: string[] = [];
  const names = (await ifPresent(fs.readdir(folder))) ?? [];
  for (const name of names.sort()) {
    const [, writer, serial, from, end] = NAME.exec(name) ?? [];
    if (writer === undefined) {
      foreign.push(name);
      continue;
    }
    const segments = byWriter.get(writer) ?? [];
    const place = { writer, serial: Number(serial), from: Number(from) };
    segments.push(segmentOf(folder, end === undefined ? place : { ...place, end: Number(end) }));
    byWriter.set(writer, segments);
  }
  return { byWriter, foreign };
}

/** Opens a segment, also if its end came into its name after it was listed. Returns `undefined` if it was deleted. */
export async function openSegment(fs: FileSystem, segment: Segment, flags: 'r' | 'r+'): Promise<number | undefined> {
  const file = await ifPresent(fs.open(segment.path, flags));
  if (file !== undefined) return file;
  const { byWriter } = await listSegments(fs, dirname(segment.path));
  const renamed = byWriter.get(segment.writer)?.find(({ serial }) => serial === segment.serial);
  return renamed && (await ifPresent(fs.open(renamed.path, flags)));
}

/** Reads a whole segment. Returns `undefined` if it was deleted. */
export async function readSegment(fs: FileSystem, segment: Segment): Promise<Buffer | undefined> {
  const file = await openSegment(fs, segment, 'r');
  return file === undefined ? undefined : readOpen(fs, file);
}

export function segmentHeader(segment: Segment): Buffer {
  return Buffer.from(
    `${sealLine(`"format":${FORMAT},"kind":"journal","writer":"${segment.writer}","from":${segment.from}}`)}\n`,
  );
}
