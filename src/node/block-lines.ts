import { FORMAT } from './format.js';
import { isIntact, parseLine, positionOf, salvageLines } from './line.js';

const NEWLINE = 10;

export interface Line {
  /** Absent when the line is damaged. */
  readonly value?: Value;
  /** The damaged text, and its offset in the block. */
  readonly text?: string;
  readonly at?: number;
}

export type Value = Readonly<Record<string, unknown>>;

/** Bytes parsed in one call: one call for many lines takes two thirds of the time of one call for each. */
const PARSED_BYTES = 32_768;

/**
 * Returns the lines of a block. Overwrites line breaks in `bytes` with commas. Of lines with a position before `wanted` it
 * returns the position only: parsing them is most of the work of a reading that continues in the middle of a segment.
 */
export function linesOf(bytes: Buffer, wanted = 0): readonly Line[] {
  const lines: Line[] = [];
  /** Start of the intact lines that are not parsed yet. */
  let first = 0;
  let last = 0;
  for (let from = 0; from < bytes.byteLength; ) {
    const to = lineEnd(bytes, from);
    const intact = isIntact(bytes, from, to);
    const before = intact ? positionBefore(wanted, bytes, from) : undefined;
    const isParsed = intact && before === undefined;
    if (isParsed) last = to;
    if (!isParsed || to - first > PARSED_BYTES) {
      pushParsed(lines, bytes, first, last);
      first = to + 1;
    } else if (to < bytes.byteLength) bytes[to] = COMMA;
    if (before !== undefined) lines.push({ value: { n: before } });
    else if (!intact) lines.push(...salvaged(bytes.toString('utf8', from, to), from));
    from = to + 1;
  }
  pushParsed(lines, bytes, first, last);
  return lines;
}

function lineEnd(bytes: Buffer, from: number): number {
  const newline = bytes.indexOf(NEWLINE, from);
  return newline === -1 ? bytes.byteLength : newline;
}

/** Returns the position of an intact line if it is before `wanted`. */
function positionBefore(wanted: number, bytes: Buffer, from: number): number | undefined {
  const position = wanted > 0 ? positionOf(bytes, from) : wanted;
  return position < wanted ? position : undefined;
}

const COMMA = 44;

/** Parses adjacent intact lines, separated by commas instead of line breaks. */
function pushParsed(lines: Line[], bytes: Buffer, from: number, to: number): void {
  if (to <= from) return;
  const text = bytes.toString('utf8', from, to);
  try {
    for (const value of JSON.parse(`[${text}]`) as readonly Value[]) lines.push({ value }); // all are objects
  } catch {
    // The checksum holds but the line is not valid JSON: one bad line must not hide the others.
    for (const piece of text.split(/,(?=\{"crc":")/)) {
      const line = parseLine(piece);
      lines.push(...(line ? [line] : salvaged(piece, from)));
    }
  }
}

/** Returns damaged text, and what is intact in it; nothing for an empty line. */
function salvaged(damaged: string, at: number): readonly Line[] {
  if (damaged === '') return [];
  return [{ text: `${damaged}\n`, at }, ...salvageLines(damaged).lines.map(({ value }) => ({ value }))];
}

/** Returns the format in the first line of a segment if it is not this version's; `undefined` if that line is damaged. */
export function otherFormatIn(start: Buffer): { readonly format: unknown } | undefined {
  const end = start.indexOf(NEWLINE);
  const header = parseLine(start.toString('utf8', 0, end === -1 ? start.byteLength : end))?.value;
  return header?.kind !== 'journal' || header.format === FORMAT ? undefined : { format: header.format };
}
