import type { Cursor, JournalRecord } from 'rsi-loop';
import type { Journal, StoredRecord, StoreProblem } from 'rsi-loop/testing';
import type { Database } from './database.js';
import { parseRecord } from './record-text.js';
import type { RecordWriter } from './record-writer.js';
import type { WriterTable } from './writer-table.js';

/** Maximum number of records per query. */
const PAGE = 5_000;

/** Positions of one writer to read: from `low` to before `high`. */
interface Span {
  readonly writer: string;
  readonly low: number;
  readonly high: number;
}

interface Row {
  readonly writer: string;
  readonly position: number;
  readonly kind: string;
  readonly text: string;
}

export interface JournalParts {
  readonly writers: WriterTable;
  readonly own: RecordWriter;
  readonly report: (problem: StoreProblem) => void;
}

/** Journal of all processes in one table, partitioned by day. */
export class PostgresJournal implements Journal {
  readonly writer: string;
  readonly #database: Database;
  readonly #own: RecordWriter;
  readonly #report: (problem: StoreProblem) => void;

  constructor(database: Database, { writers, own, report }: JournalParts) {
    this.#database = database;
    this.writer = writers.writer;
    this.#own = own;
    this.#report = report;
  }

  get queued(): number {
    return this.#own.queued;
  }

  append(records: readonly JournalRecord[]): void {
    const why = this.#own.isClosed ? 'came after close()' : this.#database.isReadOnly ? 'came with readOnly' : '';
    if (why !== '') {
      this.#report({ kind: 'dropped', message: `${records.length} records ${why}`, count: records.length });
      return;
    }
    for (const record of records) this.#own.add(record);
  }

  async *read(after: Cursor = {}, upTo?: Cursor): AsyncGenerator<StoredRecord> {
    await this.#own.write();
    let next: Promise<Page> | undefined;
    try {
      let page = await this.#page(await this.#spans(after, upTo));
      for (;;) {
        // The next page is on its way while the caller works on this one.
        next = page.rest.length > 0 ? this.#page(page.rest) : undefined;
        next?.catch(() => undefined); // awaited below, unless the caller stops
        for (const row of page.rows) {
          const record = parseRecord(row.kind, row.text);
          if (record !== undefined) yield { writer: row.writer, position: row.position, record };
          else this.#tellDamaged(row);
        }
        if (next === undefined) return;
        page = await next;
      }
    } finally {
      await next?.catch(() => undefined);
    }
  }

  flush(): Promise<void> {
    return this.#own.flush();
  }

  async #spans(after: Cursor, upTo: Cursor | undefined): Promise<readonly Span[]> {
    const sql = `select writer, written::float8 as written from ${this.#database.schema}.writer where written > 0 order by writer`;
    const rows = await this.#database.query<{ writer: string; written: number }>(sql);
    return rows
      .map(({ writer, written }) => ({
        writer,
        low: after[writer] ?? 0,
        high: Math.min(written, upTo === undefined ? written : (upTo[writer] ?? 0)),
      }))
      .filter(({ low, high }) => low < high);
  }

  /** Reads the first records of the spans: several small spans together, or the beginning of a large one. */
  async #page(spans: readonly Span[]): Promise<Page> {
    let count = 0;
    let records = 0;
    for (const { low, high } of spans) {
      if (count > 0 && records + high - low > PAGE) break;
      records += high - low;
      count++;
    }
    const first = spans.slice(0, count);
    const sql = `select spans.writer, found.* from unnest($1::text[], $2::bigint[], $3::bigint[]) with ordinality
        as spans(writer, low, high, n) cross join lateral (
          select position::float8 as position, kind, coalesce(raw, record::text) as text
          from ${this.#database.schema}.journal as stored
          where stored.writer = spans.writer and stored.position >= spans.low and stored.position < spans.high
          order by stored.position limit ${PAGE}
        ) as found order by n, found.position`;
    const columns = [first.map(({ writer }) => writer), first.map(({ low }) => low), first.map(({ high }) => high)];
    const rows = count === 0 ? [] : await this.#database.query<Row>(sql, columns);
    const rest = spans.slice(count);
    const [large] = first;
    const last = rows.at(-1);
    // Positions may be missing, so only a full page says that there is more.
    const isCut = count === 1 && large !== undefined && last !== undefined && rows.length === PAGE;
    return { rows, rest: isCut ? [{ ...large, low: last.position + 1 }, ...rest] : rest };
  }

  #tellDamaged({ writer, position }: Row): void {
    const message = `record ${position} of ${writer} is not one of a loop: it was left out`;
    this.#report({ kind: 'damaged', message, count: 1 });
  }
}

interface Page {
  readonly rows: readonly Row[];
  /** Spans that were not read yet. */
  readonly rest: readonly Span[];
}
