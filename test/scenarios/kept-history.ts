import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type LedgerEntry, MemoryStore, RSILoop, type Store } from 'rsi-loop';
import { ManualClock } from 'rsi-loop/testing';
import type { Cursor, Journal, StoredRecord } from '../../src/contract/journal.js';

/** Both logs of a loop as they were written, and the moment they end. */
export interface KeptHistory {
  readonly endMs: number;
  readonly journal: readonly StoredRecord[];
  readonly ledger: readonly LedgerEntry[];
}

/** State of a loop that read the logs. */
export interface Known {
  readonly patterns: unknown;
  readonly fixes: unknown;
  readonly figures: unknown;
  readonly health: unknown;
}

const FOLDER = join(import.meta.dirname, '../fixtures/histories');

/** Everything the loop wrote so far. */
export async function historyOf(loop: RSILoop, endMs: number): Promise<KeptHistory> {
  const journal = await all(loop.store.journal.read());
  const ledger = (await all(loop.store.ledger.read())).map(({ entry }) => entry);
  return { endMs, journal, ledger };
}

/** The same records as if so many processes had written them, and the decisions with the positions that follow. */
export function spread({ endMs, journal, ledger }: KeptHistory, writers: number): KeptHistory {
  const nameOf = (position: number) => `writer-${position % writers}`;
  const written = journal.map(({ position, record }) => ({
    writer: nameOf(position),
    position: Math.floor(position / writers),
    record,
  }));
  const readBy = (length: number) =>
    Object.fromEntries(
      Array.from({ length: writers }, (_, index) => [
        nameOf(index),
        Math.max(0, Math.ceil((length - index) / writers)),
      ]),
    );
  const decided = ledger.map((entry) => {
    const [length] = entry.kind === 'cycle' ? Object.values(entry.read) : [];
    return entry.kind === 'cycle' && length !== undefined ? { ...entry, read: readBy(length) } : entry;
  });
  return { endMs, journal: written, ledger: decided };
}

/** Starts a loop on the logs and asks it what it knows. */
export async function replay(history: KeptHistory): Promise<Known> {
  const clock = new ManualClock(history.endMs);
  const store = await historyStore(history, clock);
  const loop = new RSILoop({ store, clock });
  const problems: string[] = [];
  loop.on('problem', ({ message }) => problems.push(message));
  await loop.ready();
  if (problems.length > 0) throw new Error(`the history could not be read: ${problems.join('; ')}`);
  const fixes = loop.fixes();
  return {
    patterns: loop.patterns(),
    fixes,
    figures: fixes.map(({ id }) => loop.explain(id).figures ?? null),
    health: loop.health(),
  };
}

/** Holds a history that was written elsewhere. */
async function historyStore(history: KeptHistory, clock: ManualClock): Promise<Store> {
  const memory = new MemoryStore({ clock });
  await memory.ledger.append(history.ledger, { length: 0, hash: '' });
  const journal: Journal = {
    // None of the writers of the history: what they wrote is foreign to this process.
    writer: 'reader',
    queued: 0,
    append: (records) => memory.journal.append(records),
    flush: () => memory.journal.flush(),
    async *read(after: Cursor = {}, upTo?: Cursor) {
      for (const stored of history.journal) {
        const isRead = stored.position < (after[stored.writer] ?? 0);
        const isLater = upTo !== undefined && stored.position >= (upTo[stored.writer] ?? 0);
        if (!isRead && !isLater) yield stored;
      }
    },
  };
  return { ...memory, journal };
}

export function keepHistory(name: string, history: KeptHistory, known: Known): void {
  const head = { endMs: history.endMs, ledger: history.ledger };
  const lines = [head, ...history.journal].map((line) => JSON.stringify(line)).join('\n');
  writeFileSync(join(FOLDER, `${name}.jsonl.gz`), gzipSync(lines, { level: 9 }));
  writeFileSync(join(FOLDER, `${name}.json`), `${JSON.stringify(known, null, 2)}\n`);
}

export function readHistory(name: string): { readonly history: KeptHistory; readonly known: Known } {
  const [head = '', ...lines] = gunzipSync(readFileSync(join(FOLDER, `${name}.jsonl.gz`)))
    .toString()
    .split('\n');
  const history = { ...JSON.parse(head), journal: lines.map((line) => JSON.parse(line)) };
  return { history, known: JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8')) };
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}
