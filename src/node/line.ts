import { crc32 } from 'node:zlib';
import type { JournalRecord } from '../contract/journal-record.js';
import { type FileKind, FORMAT } from './format.js';
import { parseLazily } from './lazy-json.js';

/** Every line is `{"crc":"<8 hex digits>",<rest>}`: plain JSON, with the CRC-32 of `<rest>}` in front. */
export const MARK = '{"crc":"';
/** Length of the checksum and its key in each line. */
export const FRAME_BYTES = MARK.length + 10;
const UNSEALED = `${MARK}00000000","n":`;
/** Text between the position and the content of a record. Every piece that is joined to a line costs memory of its own. */
const BEFORE: Readonly<Record<JournalRecord['kind'], string>> = {
  outcome: ',"kind":"outcome","outcome":',
  start: ',"kind":"start","start":',
};
const NEWLINE = 10;

/** Returns a line for the rest of an object, e.g. `"n":1,"kind":"outcome"}`; without the line break. */
export function sealLine(rest: string): string {
  return `${MARK}${checksum(rest)}",${rest}`;
}

/**
 * Returns a line of the journal with zeros for its checksum, and its line break. `sealLines` fills the checksum in.
 * @throws what `JSON.stringify` throws.
 */
export function unsealedLine(position: number, record: JournalRecord): string {
  const content = JSON.stringify(record.kind === 'outcome' ? record.outcome : record.start);
  return `${UNSEALED}${position}${BEFORE[record.kind]}${content}}\n`;
}

/** Fills in the checksum of each line. One encoding of many lines takes half the time of one for each. */
export function sealLines(lines: Buffer): Buffer {
  const { buffer, byteOffset } = lines;
  for (let from = 0; from < lines.byteLength; ) {
    const end = lines.indexOf(NEWLINE, from);
    // `subarray` of a Buffer costs more than the checksum.
    const rest = new Uint8Array(buffer, byteOffset + from + FRAME_BYTES, end - from - FRAME_BYTES);
    putChecksum(lines, from + MARK.length, crc32(rest));
    from = end + 1;
  }
  return lines;
}

/** Returns the text after the checksum, or `undefined` if the line is damaged. */
export function openLine(line: string): string | undefined {
  if (!line.startsWith(MARK) || !line.startsWith('",', MARK.length + 8)) return undefined;
  const rest = line.slice(FRAME_BYTES);
  return checksum(rest) === line.slice(MARK.length, MARK.length + 8) ? rest : undefined;
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}

/** Writes eight hex digits, as `toString(16).padStart(8, '0')` would. */
export function putChecksum(bytes: Uint8Array, at: number, value: number): void {
  for (let digit = 0; digit < 8; digit++) bytes[at + digit] = digitOf(value, digit);
}

/**
 * Returns whether the line between two offsets is intact. Does the check of `openLine` without copying each line out.
 * The digits must match exactly, because one flipped bit turns `a` into `A`.
 */
export function isIntact(bytes: Uint8Array, from: number, to: number): boolean {
  if (to - from <= FRAME_BYTES) return false;
  for (let index = 0; index < MARK.length; index++) {
    if (bytes[from + index] !== MARK.charCodeAt(index)) return false;
  }
  if (bytes[from + FRAME_BYTES - 2] !== QUOTE || bytes[from + FRAME_BYTES - 1] !== COMMA) return false;
  const value = crc32(bytes.subarray(from + FRAME_BYTES, to));
  for (let digit = 0; digit < 8; digit++) {
    if (bytes[from + MARK.length + digit] !== digitOf(value, digit)) return false;
  }
  return true;
}

/** Returns the position in an intact line of the journal that starts at an offset; infinite in any other line. */
export function positionOf(bytes: Uint8Array, from: number): number {
  let at = from + FRAME_BYTES;
  for (let index = 0; index < POSITION.length; index++) {
    if (bytes[at++] !== POSITION.charCodeAt(index)) return Number.POSITIVE_INFINITY;
  }
  let position = 0;
  for (let digit = bytes[at] ?? 0; digit !== COMMA; digit = bytes[++at] ?? 0) {
    if (digit < 48 || digit > 57) return Number.POSITIVE_INFINITY;
    position = 10 * position + digit - 48;
  }
  return position;
}

const POSITION = '"n":';
const QUOTE = 34;
const COMMA = 44;

function digitOf(value: number, digit: number): number {
  const nibble = (value >>> (28 - 4 * digit)) & 15;
  return nibble < 10 ? 48 + nibble : 87 + nibble;
}

export interface ParsedLine {
  /** The parsed line, with the checksum still in it. */
  readonly value: Readonly<Record<string, unknown>>;
  readonly rest: string;
}

export function parseLine(line: string): ParsedLine | undefined {
  const rest = openLine(line);
  if (rest === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    // A line that starts with the mark and parses is an object.
    return { value: value as Readonly<Record<string, unknown>>, rest };
  } catch {
    return undefined;
  }
}

/**
 * Finds the intact lines inside text that failed its checksum. If a line break was lost or overwritten, both lines are
 * whole except for the one byte between them.
 */
export function salvageLines(damaged: string): { readonly lines: readonly ParsedLine[]; readonly lost: boolean } {
  const pieces = damaged.split(/(?=\{"crc":")/);
  const lines: ParsedLine[] = [];
  let lost = false;
  for (const piece of pieces) {
    const line = parseLine(piece) ?? parseLine(piece.slice(0, -1));
    if (line === undefined) lost = true;
    else lines.push(line);
  }
  return { lines, lost };
}

/** Content of a file with one checksum. */
export type Sealed =
  | { readonly kind: 'intact'; readonly value: Readonly<Record<string, unknown>> }
  | { readonly kind: 'damaged' }
  /** Another version or program wrote it; `otherFormat` says so. */
  | { readonly kind: 'other-format'; readonly format: unknown };

/** Returns a whole file with one checksum, e.g. a head. */
export function sealFile(kind: FileKind, rest: string): Buffer {
  return Buffer.from(`${sealLine(sealedHead(kind) + rest)}\n`);
}

/** Returns the start of a file with one checksum, after it. */
export function sealedHead(kind: FileKind): string {
  return `"format":${FORMAT},"kind":"${kind}",`;
}

export function openFile(kind: FileKind, bytes: Buffer): Sealed {
  const end = bytes.byteLength - 1;
  if (bytes[end] !== NEWLINE || !isIntact(bytes, 0, end)) return { kind: 'damaged' };
  try {
    // Text that starts with the mark and parses is an object.
    const value = parseLazily(bytes.subarray(0, end)) as Readonly<Record<string, unknown>>;
    if (value.kind !== kind) return { kind: 'damaged' };
    const { format } = value;
    return format === FORMAT ? { kind: 'intact', value } : { kind: 'other-format', format };
  } catch {
    return { kind: 'damaged' };
  }
}
