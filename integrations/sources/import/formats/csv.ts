import { parseOutcome } from 'rsi-loop';
import type { Batch, Importer, Input, InputHead } from '../importer.js';
import { asBuffer, OpenPiece } from '../open-piece.js';
import { OutcomeRecords, outcomes } from './outcomes.js';

/**
 * Importer for outcomes in a table with a header line, in any spelling that `parseOutcome` reads; also for the output
 * of `rsi export`.
 */
export const csv: Importer = {
  name: outcomes.name,
  title: 'outcomes as a table (.csv)',
  detect,
  read,
};

const PROBE = { id: 'probe', atMs: 0, source: 'probe' };

function detect({ text }: InputHead): boolean {
  if (/^\ufeff?\s*[[{]/.test(text)) return false;
  const table = new Table();
  const rows = table.push(Buffer.from(`${text}\n`)).slice(0, 20);
  return rows.some(({ record }) => record !== undefined && parseOutcome(record, PROBE).outcome !== undefined);
}

async function* read(input: Input): AsyncGenerator<Batch> {
  const table = new Table();
  const records = new OutcomeRecords(input);
  const take = (rows: readonly TableRow[], bytes: number) => {
    for (const { record, line, bytes: own, problem } of rows) {
      if (record !== undefined) records.take(record, line, own);
      else if (problem !== undefined) records.skipped.push({ path: input.path, line, reason: problem });
    }
    return records.batch(rows.length, bytes);
  };
  for await (const chunk of input.chunks) yield take(table.push(chunk), chunk.byteLength);
  yield take(table.end(), 0);
}

interface TableRow {
  /** Line it begins in, counted from 1. */
  readonly line: number;
  readonly bytes: Buffer;
  /** Absent for the header line and for blank lines. */
  readonly record?: Readonly<Record<string, unknown>>;
  readonly problem?: string;
}

const QUOTE = 34;
const BREAK = 10;
const SEPARATORS = [',', ';', '\t'] as const;

/** Parser for tables as in RFC 4180; the separator may also be a semicolon or a tab. Holds one row at a time. */
class Table {
  #names: readonly string[] | undefined;
  #separator: string = ',';
  #line = 1;
  #startLine = 1;
  #inQuotes = false;
  readonly #open = new OpenPiece();

  push(chunk: Uint8Array): TableRow[] {
    const buffer = asBuffer(chunk);
    const rows: TableRow[] = [];
    let start = 0;
    for (let index = 0; index < buffer.length; index++) {
      const byte = buffer[index];
      if (byte === QUOTE) this.#inQuotes = !this.#inQuotes;
      else if (byte === BREAK) {
        this.#line++;
        if (this.#inQuotes) continue;
        rows.push(this.#close(buffer.subarray(start, index)));
        start = index + 1;
      }
    }
    this.#open.keep(buffer.subarray(start));
    return rows;
  }

  end(): TableRow[] {
    return this.#open.length > 0 ? [this.#close(Buffer.alloc(0))] : [];
  }

  #close(last: Buffer): TableRow {
    const line = this.#startLine;
    this.#startLine = this.#line;
    const { bytes, cutFrom } = this.#open.close(line, last);
    if (cutFrom !== undefined)
      return { line, bytes: last, problem: `the row has ${cutFrom} bytes, more than can be read` };
    if (this.#inQuotes) return { line, bytes, problem: 'the row is cut off: a quote is not closed' };
    const text = bytes
      .toString('utf8')
      .replace(/^\ufeff/, '')
      .replace(/\r$/, '');
    if (text.trim() === '') return { line, bytes };
    if (this.#names === undefined) {
      this.#separator = SEPARATORS.find((each) => text.includes(each)) ?? ',';
      this.#names = cellsOf(text, this.#separator).map((name) => name.trim());
      return { line, bytes };
    }
    const cells = cellsOf(text, this.#separator);
    if (cells.length > this.#names.length) {
      return { line, bytes, problem: `the row has ${cells.length} cells below ${this.#names.length} names` };
    }
    return { line, bytes, record: recordOf(this.#names, cells) };
  }
}

function recordOf(names: readonly string[], cells: readonly string[]): Readonly<Record<string, unknown>> {
  const record: Record<string, unknown> = {};
  cells.forEach((cell, index) => {
    const name = names[index] ?? '';
    // An empty cell has no value. An export holds only the number of attempts, so that column is skipped.
    if (cell !== '' && name !== '' && name !== '__proto__' && name !== 'attempts')
      record[name] = valueOfCell(name, unguarded(cell));
  });
  return record;
}

/** Parses a cell; some hold more than one value, as `rsi export` writes them. */
function valueOfCell(name: string, text: string): unknown {
  if (name === 'issues' || name === 'tags') return text.split(';').map((part) => part.trim());
  if (name !== 'context') return text;
  try {
    return JSON.parse(text);
  } catch {
    return { context: text };
  }
}

/** Removes the leading apostrophe that keeps spreadsheets from reading a text as a formula. */
function unguarded(cell: string): string {
  return /^'[=+\-@\uff1d\uff0b\uff0d\uff20]/.test(cell) ? cell.slice(1) : cell;
}

function cellsOf(text: string, separator: string): string[] {
  const cells: string[] = [];
  let from = 0;
  while (from <= text.length) {
    if (text[from] === '"') {
      const end = closingQuote(text, from + 1);
      cells.push(text.slice(from + 1, end).replaceAll('""', '"'));
      const next = text.indexOf(separator, end);
      if (next < 0) break;
      from = next + 1;
    } else {
      const next = text.indexOf(separator, from);
      cells.push(next < 0 ? text.slice(from) : text.slice(from, next));
      if (next < 0) break;
      from = next + 1;
    }
  }
  return cells;
}

function closingQuote(text: string, from: number): number {
  for (let end = text.indexOf('"', from); end >= 0; end = text.indexOf('"', end + 2)) {
    if (text[end + 1] !== '"') return end;
  }
  return text.length;
}
