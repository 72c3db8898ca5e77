import type { Cursor, Journal } from '../contract/journal.js';
import type { JournalRecord } from '../contract/journal-record.js';
import { STEPS_PER_SLICE, yieldToEventLoop } from '../lib/yield-to-event-loop.js';
import type { LedgerState } from './reduce.js';

/** Journal records that are applied together, in the order (atMs, id). */
export interface Batch {
  readonly records: readonly JournalRecord[];
  /** Cursor after these records. */
  readonly read: Cursor;
  /** Whether the batch was full, so that there is more to read. */
  readonly more: boolean;
}

/** Maximum number of records held in memory at the same time. */
const MAX_BATCH = 50_000;

/** Reads the records after `after`, up to a full batch. During a replay, reads exactly up to `upTo`. */
export async function readBatch(journal: Pick<Journal, 'read'>, after: Cursor, upTo?: Cursor): Promise<Batch> {
  const records: JournalRecord[] = [];
  const read: Record<string, number> = {};
  let more = false;
  let isSorted = true;
  let before: JournalRecord | undefined;
  for await (const { writer, position, record } of journal.read(after, upTo)) {
    more = !upTo && records.length === MAX_BATCH;
    if (more) break;
    isSorted &&= before === undefined || byTime(before, record) <= 0;
    before = record;
    if (records.push(record) % STEPS_PER_SLICE === 0) await yieldToEventLoop();
    read[writer] = position + 1;
  }
  // Records of one writer are usually sorted already, and sorting this many takes milliseconds.
  return { records: isSorted ? records : records.sort(byTime), read: upTo ?? read, more };
}

/** Records of one cycle: after `after`, up to `upTo`. */
export interface Span {
  readonly after: Cursor;
  readonly upTo: Cursor;
}

/** Returns the records that a cycle read, of the writers that it names. */
export function spanOf(upTo: Cursor, { read }: Pick<LedgerState, 'read'>): Span {
  return { after: Object.fromEntries(Object.keys(upTo).map((writer) => [writer, read.get(writer) ?? 0])), upTo };
}

/** Reads the batches of several consecutive cycles. The result is the same as from `readBatch` for each. */
export async function readBatches(
  journal: Pick<Journal, 'read'>,
  spans: readonly Span[],
): Promise<readonly (readonly JournalRecord[])[]> {
  const found = spans.map((): JournalRecord[] => []);
  const after: Record<string, number> = {};
  for (const span of spans) for (const writer of Object.keys(span.upTo)) after[writer] ??= span.after[writer] ?? 0;
  const upTo: Cursor = Object.assign({}, ...spans.map((span) => span.upTo));
  /** By writer: the span of its last record. */
  const at = new Map<string, number>();
  let count = 0;
  for await (const { writer, position, record } of journal.read(after, upTo)) {
    if (++count % STEPS_PER_SLICE === 0) await yieldToEventLoop();
    let index = at.get(writer) ?? 0;
    while (index < spans.length && (spans[index]?.upTo[writer] ?? 0) <= position) index++;
    at.set(writer, index);
    if (position >= (spans[index]?.after[writer] ?? 0)) found[index]?.push(record);
  }
  return found.map((records) => records.sort(byTime));
}

function byTime(one: JournalRecord, other: JournalRecord): number {
  const a = one.kind === 'start' ? one.start : one.outcome;
  const b = other.kind === 'start' ? other.start : other.outcome;
  if (a.atMs !== b.atMs) return a.atMs - b.atMs;
  if (a.id !== b.id) return a.id < b.id ? -1 : 1;
  if (one.kind === other.kind) return 0;
  // A task of zero duration: its start comes before its end.
  return one.kind === 'start' ? -1 : 1;
}
