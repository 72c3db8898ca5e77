import type { RedisConnection } from './connection.js';

/** Entry of a stream. */
export interface StreamEntry {
  /** Id that the server gave it. */
  readonly id: string;
  /** The outcome as JSON; undefined if the entry has no such field. */
  readonly text: string | undefined;
}

export interface Consumer {
  readonly name: string;
  /** Number of entries that it received and did not acknowledge. */
  readonly pending: number;
  /** Time since it last asked for entries, by the clock of the server. */
  readonly idleMs: number;
}

/** Acknowledges entries and deletes them, in one step: otherwise a crash would leave entries that nothing deletes. */
const DONE = `redis.call('XACK', KEYS[1], ARGV[1], unpack(ARGV, 2))
return redis.call('XDEL', KEYS[1], unpack(ARGV, 2))`;
/** Sets an entry aside with the reason, then acknowledges and deletes it. */
const REJECT = `redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[3], '*', 'outcome', ARGV[4], 'reason', ARGV[5])
redis.call('XACK', KEYS[1], ARGV[1], ARGV[2])
return redis.call('XDEL', KEYS[1], ARGV[2])`;
/** Deletes a consumer. An entry that was delivered once has had no other consumer. */
const FORGET = `local pending = redis.call('XPENDING', KEYS[1], ARGV[1], '-', '+', ARGV[3])
if #pending >= tonumber(ARGV[3]) then return 0 end
for _, entry in ipairs(pending) do
  if entry[2] == ARGV[2] or entry[4] > 1 then return 0 end
end
return redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], ARGV[2])`;
/** Number of pending entries from which on no consumer is deleted, because looking at all of them would block Redis. */
const MAX_PENDING = 20_000;
/** Maximum number of rejected entries that are kept. */
const MAX_REJECTED = 10_000;

/** Consumer group of one loop on a stream. */
export class StreamGroup {
  readonly connection: RedisConnection;
  readonly name: string;

  constructor(connection: RedisConnection, name: string) {
    this.connection = connection;
    this.name = name;
  }

  get stream(): string {
    return this.connection.stream;
  }

  /** Creates the group, which begins with the oldest entry, and the stream. Changes nothing if they are there. */
  async create(): Promise<void> {
    try {
      await this.connection.call('XGROUP', 'CREATE', this.stream, this.name, '0', 'MKSTREAM');
    } catch (error) {
      if (!String(error).includes('BUSYGROUP')) throw error;
    }
  }

  /** Waits for entries that no consumer has received. Returns none after `waitMs`. */
  async next(consumer: string, count: number, waitMs: number): Promise<readonly StreamEntry[]> {
    const options = ['GROUP', this.name, consumer, 'COUNT', count, 'BLOCK', waitMs, 'STREAMS', this.stream, '>'];
    return entriesOf(await this.connection.call('XREADGROUP', ...options));
  }

  /**
   * Returns entries that the consumer received and did not acknowledge. Also shows the others that it is alive.
   */
  async unfinished(consumer: string, count: number): Promise<readonly StreamEntry[]> {
    const options = ['GROUP', this.name, consumer, 'COUNT', count, 'STREAMS', this.stream, '0'];
    return entriesOf(await this.connection.call('XREADGROUP', ...options));
  }

  async done(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.connection.call('EVAL', DONE, 1, this.stream, this.name, ...ids);
  }

  async reject(entry: StreamEntry, reason: string): Promise<void> {
    const keys = [2, this.stream, `{${this.stream}}:rejected`];
    await this.connection.call('EVAL', REJECT, ...keys, this.name, entry.id, MAX_REJECTED, entry.text ?? '', reason);
  }

  async consumers(): Promise<readonly Consumer[]> {
    const rows = listOf(await this.connection.call('XINFO', 'CONSUMERS', this.stream, this.name));
    return rows.map((row) => {
      const fields = fieldsOf(row);
      return { name: String(fields.name), pending: Number(fields.pending), idleMs: Number(fields.idle) };
    });
  }

  /** Moves unfinished entries of one consumer to another. Returns them; none if there are no more. */
  async claim(from: string, to: string, count: number): Promise<readonly StreamEntry[]> {
    const rows = listOf(await this.connection.call('XPENDING', this.stream, this.name, '-', '+', count, from));
    const ids = rows.map((row) => String(listOf(row)[0]));
    if (ids.length === 0) return [];
    const claimed = listOf(await this.connection.call('XCLAIM', this.stream, this.name, to, 0, ...ids));
    return claimed.flatMap((row) => entryOf(row));
  }

  /** Deletes a consumer, unless an entry is pending that it holds or may have held. Then a later call deletes it. */
  async forget(consumer: string): Promise<void> {
    await this.connection.call('EVAL', FORGET, 1, this.stream, this.name, consumer, MAX_PENDING);
  }
}

/** Returns the entries of one stream: `[[key, entries]]` of RESP 2, or `[key, entries]` of RESP 3. */
function entriesOf(reply: unknown): readonly StreamEntry[] {
  const [first, second] = listOf(reply);
  return listOf(Array.isArray(first) ? first[1] : second).flatMap((row) => entryOf(row));
}

function entryOf(row: unknown): StreamEntry[] {
  const [id, fields] = listOf(row);
  // An entry that was deleted while it was pending has no fields.
  if (typeof id !== 'string' || !Array.isArray(fields)) return [];
  const { outcome } = fieldsOf(fields);
  return [{ id, text: typeof outcome === 'string' ? outcome : undefined }];
}

function fieldsOf(row: unknown): Readonly<Record<string, unknown>> {
  const list = listOf(row);
  const fields: Record<string, unknown> = Object.create(null);
  for (let at = 0; at + 1 < list.length; at += 2) fields[String(list[at])] = list[at + 1];
  return fields;
}

function listOf(reply: unknown): readonly unknown[] {
  return Array.isArray(reply) ? reply : [];
}
