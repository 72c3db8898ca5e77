const PAGE = 65_536;
const SECTION = { import: 2, table: 4, memory: 5 } as const;
const MAX_TABLE = 100_000;
const MAX_TABLES = 8;

type Limited = 'memory' | 'table';

/** Reason why a WebAssembly module is not run. */
export class ModuleRefused extends Error {}

/**
 * Returns the module with a maximum for its memory and tables, so that the engine enforces the limit. A module has one
 * memory of its own. Shared and 64-bit memories are rejected.
 * @throws ModuleRefused for a module that cannot be limited; RangeError if it needs more at its start.
 */
export function capModule(bytes: Uint8Array, memoryBytes: number): Uint8Array<ArrayBuffer> {
  const reader = new Reader(bytes);
  const magic = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
  if (!magic.every((byte, index) => bytes[index] === byte))
    throw new ModuleRefused('the code is no WebAssembly module');
  reader.at = magic.length;
  const parts: Uint8Array[] = [bytes.subarray(0, reader.at)];
  let memories = 0;
  while (reader.at < bytes.length) {
    const from = reader.at;
    const id = reader.byte();
    const length = reader.unsigned();
    const body = bytes.subarray(reader.at, reader.at + length);
    reader.at += length;
    if (id === SECTION.memory) {
      const { count, section } = limitsSection(body, Math.floor(memoryBytes / PAGE), 'memory');
      memories += count;
      parts.push(withHead(id, section));
    } else if (id === SECTION.table) parts.push(withHead(id, limitsSection(body, MAX_TABLE, 'table').section));
    else parts.push(bytes.subarray(from, reader.at));
  }
  if (memories !== 1) throw new ModuleRefused(`the module has ${memories} memories of its own: it needs one`);
  return concat(parts);
}

/** Rewrites a section of memories or tables with a maximum for each. */
function limitsSection(body: Uint8Array, most: number, kind: Limited): { count: number; section: Uint8Array } {
  const reader = new Reader(body);
  const count = reader.unsigned();
  if (count > (kind === 'table' ? MAX_TABLES : 1)) throw new ModuleRefused(`the module has ${count} ${kind} entries`);
  const entries = Array.from({ length: count }, () => [
    ...(kind === 'table' ? [tableType(reader)] : []),
    ...limitedEntry(reader, most, kind),
  ]);
  return { count, section: Uint8Array.from([...unsigned(count), ...entries.flat()]) };
}

function tableType(reader: Reader): number {
  const type = reader.byte();
  if (type !== 0x70 && type !== 0x6f) throw new ModuleRefused('the module has a table of another type');
  return type;
}

function limitedEntry(reader: Reader, most: number, kind: Limited): readonly number[] {
  const flags = reader.byte();
  if (flags > 1) throw new ModuleRefused(`the module has a shared or 64-bit ${kind}`);
  const least = reader.unsigned();
  const given = flags === 1 ? reader.unsigned() : most;
  const unit = kind === 'memory' ? 'pages of memory' : 'entries of a table';
  if (least > most) throw new RangeError(`the module needs ${least} ${unit} at its start`);
  return [1, ...unsigned(least), ...unsigned(Math.min(given, most))];
}

function withHead(id: number, body: Uint8Array): Uint8Array {
  return concat([Uint8Array.from([id, ...unsigned(body.length)]), body]);
}

function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** LEB128. */
function unsigned(value: number): readonly number[] {
  const low = value % 128;
  return value < 128 ? [low] : [low + 128, ...unsigned(Math.floor(value / 128))];
}

class Reader {
  at = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  byte(): number {
    const byte = this.#bytes[this.at];
    if (byte === undefined) throw new ModuleRefused('the module ends too early');
    this.at += 1;
    return byte;
  }

  /** LEB128 of at most 32 bits. */
  unsigned(): number {
    let value = 0;
    for (let index = 0; index < 5; index += 1) {
      const byte = this.byte();
      value += (byte % 128) * 128 ** index;
      if (byte < 128) return value;
    }
    throw new ModuleRefused('the module has a number that is too long');
  }
}
