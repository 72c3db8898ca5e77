import { join } from 'node:path';
import { type FileSystem, ifPresent } from './file-system.js';
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
}

const NAME = /^([0-9A-Za-z]+)-(\d{6})-(\d{12})\.jsonl$/;

export function segmentOf(folder: string, writer: string, serial: number, from: number): Segment {
  const name = `${writer}-${String(serial).padStart(6, '0')}-${padded(from)}.jsonl`;
  return { name, path: join(folder, name), writer, serial, from };
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
    const [, writer, serial, from] = NAME.exec(name) ?? [];
    if (writer === undefined) {
      foreign.push(name);
      continue;
    }
    const segments = byWriter.get(writer) ?? [];
    segments.push(segmentOf(folder, writer, Number(serial), Number(from)));
    byWriter.set(writer, segments);
  }
  return { byWriter, foreign };
}

export function segmentHeader(segment: Segment): Buffer {
  return Buffer.from(
    `${sealLine(`"format":${FORMAT},"kind":"journal","writer":"${segment.writer}","from":${segment.from}}`)}\n`,
  );
}
