import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { ErrorNamer, type Outcome, parseOutcome } from 'rsi-loop';
import { timedId } from '../../timed-id.js';
import { formOf, withForm } from '../form.js';
import type { Batch, Importer, Input, InputHead, InputProblem } from '../importer.js';
import type { Piece } from '../open-piece.js';
import { type DocumentEnd, type JsonPiece, JsonSplitter } from '../split-json.js';
import { LineSplitter, parseLine } from '../split-lines.js';

/** Importer for outcomes in JSON Lines or JSON, in any spelling that `parseOutcome` reads. */
export const outcomes: Importer = {
  name: 'generic',
  title: 'outcomes as JSON or JSON Lines, each with a task and success or an error',
  detect,
  read,
};

const PROBE = { id: 'probe', atMs: 0, source: 'probe' };
/** Names under which a document may hold its list of outcomes. */
const LIST_NAMES = ['outcomes', 'records', 'events', 'results', 'data', 'items', 'runs'];

function detect({ text }: InputHead): boolean {
  const isOutcome = (value: unknown) => parseOutcome(value, PROBE).outcome !== undefined;
  if (formOf(text) === 'lines') return firstObjects(text).flatMap(recordsOf).some(isOutcome);
  const [first] = new JsonSplitter({ wholeObjects: true }).push(Buffer.from(text));
  const value = first?.kind === 'value' ? tryParse(first.bytes.toString('utf8')) : undefined;
  return value !== undefined && recordsOf(value).some(isOutcome);
}

function firstObjects(text: string): unknown[] {
  const objects: unknown[] = [];
  for (const line of text
    .replace(/^\ufeff/, '')
    .split('\n')
    .slice(0, 200)) {
    const value = line.trim().startsWith('{') ? tryParse(line) : undefined;
    if (value !== undefined && objects.push(value) === 20) break;
  }
  return objects;
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function* read(input: Input): AsyncGenerator<Batch> {
  const reader = new Reader(input);
  let splitter: LineSplitter | JsonSplitter | undefined;
  for await (const { chunk, form } of withForm(input.chunks)) {
    splitter ??= form === 'lines' ? new LineSplitter() : new JsonSplitter({ wholeObjects: true });
    yield reader.take(splitter.push(chunk), chunk.byteLength);
  }
  if (splitter) yield reader.take(splitter.end(), 0);
}

class Reader {
  private readonly input: Input;
  private readonly records: OutcomeRecords;

  constructor(input: Input) {
    this.input = input;
    this.records = new OutcomeRecords(input);
  }

  take(pieces: readonly (Piece | JsonPiece | DocumentEnd)[], bytes: number): Batch {
    let count = 0;
    for (const piece of pieces) {
      if (!('bytes' in piece)) continue;
      count++;
      const parsed = parseLine(piece);
      if (parsed.kind === 'blank') continue;
      const items = parsed.kind === 'object' ? recordsOf(parsed.value) : [];
      if (parsed.kind === 'bad') {
        this.records.skipped.push({ path: this.input.path, line: piece.number, reason: parsed.reason });
      }
      for (const item of items) this.records.take(item, piece.number, piece.bytes);
    }
    return this.records.batch(count, bytes);
  }
}

/** Marker for records without a time; no record has this time. */
const NO_TIME = -1;

/** Builds outcomes from hand-written records, and creates ids for those without. */
export class OutcomeRecords {
  readonly skipped: InputProblem[] = [];
  private readonly input: Input;
  private readonly namer = new ErrorNamer();
  private readonly file: string;
  private found: Outcome[] = [];
  private count = 0;

  constructor(
    input: Input,
    private readonly source = outcomes.name,
  ) {
    this.input = input;
    const place = input.path === '-' ? '-' : resolve(input.path);
    this.file = createHash('sha256').update(place).digest('hex').slice(0, 12);
  }

  /** Reads one record. `bytes` is the record as it was written. */
  take(item: unknown, line: number, bytes: Buffer): void {
    this.count++;
    const { outcome, problems } = parseOutcome(item, { id: '', atMs: NO_TIME, source: this.source });
    if (outcome === undefined) {
      const reason = problems.map(({ field, expected }) => `${field}: give ${expected}`).join('; ');
      this.skipped.push({ path: this.input.path, line, reason: `no outcome: ${reason}` });
      return;
    }
    const named = this.namer.complete(outcome);
    const id = named.id === '' ? this.id(named.atMs, bytes) : named.id;
    this.found.push({ ...named, id, atMs: named.atMs === NO_TIME ? this.input.atMs : named.atMs });
  }

  batch(lines: number, bytes: number): Batch {
    const batch = { outcomes: this.found, skipped: this.skipped.splice(0), leftOut: {}, lines, bytes };
    this.found = [];
    return batch;
  }

  /**
   * Returns an id that sorts by time and stays the same if the file is read again, even after it has grown. If only the
   * position distinguishes two records, and for standard input, the content is part of the id.
   */
  private id(atMs: number, bytes: Buffer): Outcome['id'] {
    const hasPlace = atMs !== NO_TIME && this.input.path !== '-';
    const content = hasPlace ? '' : `-${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}`;
    // Built as an outcome's id.
    return timedId(atMs, `${this.file}-${this.count.toString(36)}${content}`) as Outcome['id'];
  }
}

/** Returns the object itself, or the list of records it wraps. */
function recordsOf(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [value];
  for (const name of LIST_NAMES) {
    const list: unknown = (value as Record<string, unknown>)[name]; // any object may be asked for any key
    if (Array.isArray(list) && list.some((item) => typeof item === 'object' && item !== null)) return list;
  }
  return [value];
}
