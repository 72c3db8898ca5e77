import { randomBytes } from 'node:crypto';
import type { LedgerEntry } from 'rsi-loop';
import { LoopError } from 'rsi-loop';
import { entryHash, isLedgerEntry, LedgerChain, type LedgerLine } from 'rsi-loop/node';
import type { AppendResult, LedgerHead, LedgerLog, StoredEntry, StoreProblem } from 'rsi-loop/testing';
import type { Database } from './database.js';
import type { LedgerChanges } from './ledger-changes.js';
import { ON_DISK } from './on-disk.js';
import { forJsonb } from './record-text.js';
import { isConnectionLost } from './store-error.js';

const EMPTY: LedgerHead = { length: 0, hash: '' };
/** Maximum number of entries per query. */
const PAGE = 1_000;
/** Attempts to append while connections are lost, and the first delay between them, which doubles. */
const ATTEMPTS = 6;
const RETRY_MS = 50;

/** Row of the ledger. Without `changedTo`, `hash` is that of its text. */
export interface LedgerRow {
  readonly position: number;
  readonly previous: string;
  readonly hash: string;
  readonly changedTo: string | null;
  readonly entry: string;
}

interface HeadRow extends Partial<LedgerRow> {
  readonly length: number;
  readonly headHash: string;
}

export interface LedgerParts {
  readonly changes: LedgerChanges;
  readonly report: (problem: StoreProblem) => void;
  readonly pause: (delayMs: number) => Promise<void>;
}

/**
 * Ledger in a table. One row holds its length and last hash. A decision changes that row from the expected value and
 * inserts its entries in the same statement, so the chain cannot fork.
 */
export class PostgresLedger implements LedgerLog {
  readonly #database: Database;
  readonly #parts: LedgerParts;
  #known = EMPTY;
  /** Checks every entry once, when it is first read. */
  #chain = new LedgerChain();
  #broken: string | undefined;
  /** Entries that `head` read, for the `read` that follows. */
  #fresh: StoredEntry[] = [];
  /** Tail of the queue: reads run one at a time, because each continues where the last one ended. */
  #reading: Promise<unknown> = Promise.resolve();

  constructor(database: Database, parts: LedgerParts) {
    this.#database = database;
    this.#parts = parts;
  }

  /** Calls `listener` after another process appended: within milliseconds if the server can notify, else within 500. */
  onAppended(listener: () => void): void {
    this.#parts.changes.add(listener);
  }

  head(): Promise<LedgerHead> {
    const head = this.#reading.then(() => this.#head());
    this.#reading = head.catch(() => undefined);
    return head;
  }

  async #head(): Promise<LedgerHead> {
    this.#fresh = [];
    for (let more = true; more; ) more = await this.#readOn();
    this.#parts.changes.saw(this.#known.length);
    const fault = this.#broken ?? this.#chain.faults[0]?.message ?? this.#chain.unexplained()[0]?.message;
    return fault === undefined ? this.#known : { ...this.#known, broken: this.#tellBroken(fault) };
  }

  /** Reads a page of entries after the known ones. Returns whether there are more. */
  async #readOn(): Promise<boolean> {
    const known = this.#known;
    const { schema } = this.#database;
    // Begins with the last known entry, which must still be there.
    const from = Math.max(0, known.length - 1);
    const sql = `select head.length::float8 as length, head.hash as "headHash", entries.*
      from ${schema}.head left join lateral (
        select ${columns} from ${schema}.ledger where position >= $1 order by ledger.position limit ${PAGE}
      ) as entries on true order by entries.position`;
    const rows = await this.#database.query<HeadRow>(sql, [from]);
    const head = rows[0];
    if (head === undefined) throw replaced('the table head is empty');
    const found = rows.filter((row): row is HeadRow & LedgerRow => typeof row.position === 'number');
    if (known.length > 0 && (found[0]?.position !== from || found[0].hash !== known.hash)) {
      this.#restart();
      throw replaced(`entry ${from} is missing or another one`);
    }
    const added = known.length > 0 ? found.slice(1) : found;
    for (const row of added) this.#take(row);
    if (found.length === PAGE) return true;
    if (head.length !== this.#known.length || head.headHash !== this.#known.hash) {
      this.#broken ??= `the head knows ${head.length} entries, ${this.#known.length} are there`;
    }
    return false;
  }

  #take(row: LedgerRow): void {
    const entry = parseEntry(row);
    const was = row.changedTo === null ? {} : { was: row.hash };
    const isHashed = entry !== undefined && entryHash({ ...row, ...was }) === (row.changedTo ?? row.hash);
    if (!isHashed) this.#broken ??= `entry ${row.position} was edited`;
    if (entry !== undefined) {
      const { position, previous, hash, changedTo } = row;
      this.#chain.take({ position, previous, hash, entry, ...(changedTo !== null && { changedTo }) });
      if (this.#fresh.length < PAGE) this.#fresh.push({ position, entry });
    }
    this.#known = { length: row.position + 1, hash: row.hash };
  }

  #restart(): void {
    this.#known = EMPTY;
    this.#chain = new LedgerChain();
    this.#broken = undefined;
  }

  #tellBroken(fault: string): string {
    const broken = `the chain of the ledger is broken: ${fault}`;
    this.#parts.report({
      kind: 'damaged',
      message: `${broken}; no trial runs and no advice is given: run "rsi doctor"`,
    });
    return broken;
  }

  async append(entries: readonly LedgerEntry[], after: LedgerHead): Promise<AppendResult> {
    this.#database.mustWrite();
    if (entries.length === 0) return this.#compare(after);
    const token = randomBytes(12).toString('hex');
    const rows = chained(entries, after);
    const hash = rows.at(-1)?.hash ?? '';
    for (let attempt = 1; ; attempt++) {
      try {
        if (await this.#tryToAppend(rows, after, token))
          return this.#appended({ length: after.length + rows.length, hash });
        return { kind: 'conflict', head: await this.#end() };
      } catch (error) {
        // The server may have appended before the connection was lost: the token says whether this process did.
        if (!isConnectionLost(error) || attempt === ATTEMPTS) throw error;
        await this.#parts.pause(RETRY_MS * 2 ** (attempt - 1));
      }
    }
  }

  #appended(head: LedgerHead): AppendResult {
    this.#parts.changes.saw(head.length);
    return { kind: 'ok', head };
  }

  async #compare(after: LedgerHead): Promise<AppendResult> {
    const head = await this.#end();
    return { kind: head.length === after.length && head.hash === after.hash ? 'ok' : 'conflict', head };
  }

  async #end(): Promise<LedgerHead> {
    const sql = `select length::float8 as length, hash from ${this.#database.schema}.head`;
    const [head] = await this.#database.query<LedgerHead>(sql);
    if (head === undefined) throw replaced('the table head is empty');
    return head;
  }

  /** Returns whether the entries are in the ledger, by this attempt or an earlier one. */
  async #tryToAppend(rows: readonly LedgerRow[], after: LedgerHead, token: string): Promise<boolean> {
    const { schema } = this.#database;
    const sql = `with moved as (
        update ${schema}.head set length = length + $3, hash = $4 where length = $1 and hash = $2 returning 1
      ), added as (
        insert into ${schema}.ledger (position, previous, hash, entry, content, token)
        select $1::bigint + n - 1, previous, hash, entry, content::jsonb, $5
        from unnest($6::text[], $7::text[], $8::text[], $9::text[]) with ordinality as rows(previous, hash, entry, content, n)
        where exists (select from moved)
      ) select pg_notify($10, $11), ${ON_DISK} from moved`;
    const texts = rows.map(({ entry }) => entry);
    const moved = await this.#database.query(sql, [
      after.length,
      after.hash,
      rows.length,
      rows.at(-1)?.hash,
      token,
      rows.map(({ previous }) => previous),
      rows.map(({ hash }) => hash),
      texts,
      texts.map(forJsonb),
      this.#parts.changes.channel,
      `${after.length + rows.length}`,
    ]);
    if (moved.length > 0) return true;
    const own = `select 1 as own from ${schema}.ledger where position = $1 and token = $2`;
    return (await this.#database.query(own, [after.length, token])).length > 0;
  }

  async *read(from = 0, upTo = Number.POSITIVE_INFINITY): AsyncGenerator<StoredEntry> {
    const fresh = this.#fresh;
    const first = fresh[0]?.position ?? Number.POSITIVE_INFINITY;
    if (first <= from && (fresh.at(-1)?.position ?? -1) >= upTo - 1 && fresh.length < PAGE) {
      for (const stored of fresh) if (stored.position >= from && stored.position < upTo) yield stored;
      return;
    }
    for await (const row of this.rows(from, upTo)) {
      const entry = parseEntry(row);
      if (entry !== undefined) yield { position: row.position, entry };
    }
  }

  /** Reads the entries with their hashes, to copy them. */
  async *lines(): AsyncGenerator<Omit<LedgerLine, 'text'>> {
    for await (const { changedTo, ...row } of this.rows()) {
      const entry = parseEntry(row);
      if (entry !== undefined) yield { ...row, entry, ...(changedTo !== null && { changedTo }) };
    }
  }

  /** Reads the rows of entries, with their hashes. */
  async *rows(from = 0, upTo = Number.POSITIVE_INFINITY): AsyncGenerator<LedgerRow> {
    const sql = `select ${columns} from ${this.#database.schema}.ledger where position >= $1 order by ledger.position limit ${PAGE}`;
    for (let next = from; next < upTo; ) {
      const rows = await this.#database.query<LedgerRow>(sql, [next]);
      for (const row of rows) {
        if (row.position >= upTo) return;
        yield row;
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < PAGE) return;
      next = last.position + 1;
    }
  }

  /** Forgets what was read, because an erasure changed entries. */
  forget(): void {
    this.#fresh = [];
  }
}

const columns = `ledger.position::float8 as position, previous, hash, changed_to as "changedTo", entry`;

export function parseEntry({ entry: text }: Pick<LedgerRow, 'entry'>): LedgerEntry | undefined {
  try {
    const entry: unknown = JSON.parse(text);
    return isLedgerEntry(entry) ? (entry as LedgerEntry) : undefined; // checked field by field
  } catch {
    return undefined;
  }
}

function chained(entries: readonly LedgerEntry[], after: LedgerHead): readonly LedgerRow[] {
  let { length: position, hash: previous } = after;
  return entries.map((value) => {
    const entry = JSON.stringify(value);
    const hash = entryHash({ position, previous, entry });
    const row = { position, previous, hash, changedTo: null, entry };
    position++;
    previous = hash;
    return row;
  });
}

function replaced(why: string): LoopError {
  return new LoopError('store-replaced', `the ledger was deleted or replaced: ${why}`);
}
