import { inflateRawSync } from 'node:zlib';
import { LoopError } from 'rsi-loop';

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const STORED = 0;
const DEFLATED = 8;
/** Bytes of one file of an archive, and of all together. */
const MAX_FILE = 64_000_000;
const MAX_ALL = 256_000_000;

/**
 * Returns the files of a zip archive by their names, as text, if `isWanted`.
 * @throws LoopError `invalid-input` for a damaged archive, another compression, and content beyond the limits.
 */
export function unzip(archive: Buffer, isWanted: (name: string) => boolean): ReadonlyMap<string, string> {
  try {
    const files = new Map<string, string>();
    let size = 0;
    for (const entry of entriesOf(archive)) {
      if (!isWanted(entry.name)) continue;
      const content = contentOf(archive, entry);
      size += content.length;
      if (size > MAX_ALL) throw invalid(`holds more than ${MAX_ALL / 1e6} MB`);
      files.set(entry.name, content.toString('utf8'));
    }
    return files;
  } catch (cause) {
    if (LoopError.is(cause)) throw cause;
    throw invalid(`is damaged: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
}

interface Entry {
  readonly name: string;
  readonly method: number;
  readonly bytes: number;
  readonly at: number;
}

/** Reads the directory at the end of the archive. Reading beyond its end throws. */
function* entriesOf(archive: Buffer): Generator<Entry> {
  let end = archive.length - 22;
  while (end >= 0 && archive.readUInt32LE(end) !== END) end--;
  if (end < 0) throw invalid('has no directory at its end');
  let [at, count] = [archive.readUInt32LE(end + 16), archive.readUInt16LE(end + 10)];
  if (count === 0xffff || at === 0xffffffff) throw invalid('has more than 65,534 files or 4 GB: convert it to JSON');
  for (; count > 0; count--) {
    if (archive.readUInt32LE(at) !== ENTRY) throw invalid('has a damaged directory');
    const nameEnd = at + 46 + archive.readUInt16LE(at + 28);
    yield {
      name: archive.toString('utf8', at + 46, nameEnd),
      method: archive.readUInt16LE(at + 10),
      bytes: archive.readUInt32LE(at + 20),
      at: archive.readUInt32LE(at + 42),
    };
    at = nameEnd + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
}

function contentOf(archive: Buffer, { name, method, bytes, at }: Entry): Buffer {
  const start = at + 30 + archive.readUInt16LE(at + 26) + archive.readUInt16LE(at + 28);
  const packed = archive.subarray(start, start + bytes);
  if (method === STORED) return packed;
  if (method === DEFLATED) return inflateRawSync(packed, { maxOutputLength: MAX_FILE });
  throw invalid(`compresses ${name} by the method ${method}, which is not read`);
}

function invalid(what: string): LoopError {
  return new LoopError('invalid-input', `the archive ${what}`);
}
