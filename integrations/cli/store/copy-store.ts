import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { type Json, LoopError } from 'rsi-loop';
import { type FileStore, restoreFolder, type StoreContent } from 'rsi-loop/node';
import type { LedgerHead, StoredRecord } from 'rsi-loop/testing';
import { mayBeStore } from './check-folder.js';
import { isDatabase, shownStore } from './database.js';
import { type CommandStore, openStore } from './open-store.js';

/** Counts of a copy, which its verification found in both stores. */
export interface CopyReport {
  readonly records: number;
  readonly decisions: number;
  /** Hash of the last decision: it covers all of them. */
  readonly head: string;
  /** SHA-256 of all records, by writer and position. */
  readonly sha256: string;
}

interface Contents extends CopyReport {
  readonly broken?: string | undefined;
}

/**
 * Copies a loop into an empty store, then reads both again and compares them.
 * @throws LoopError `invalid-input` if a process writes to the source or the target is not empty; `store-failed` if
 * the copy differs.
 */
export async function copyStore(from: string, to: string, onRecord: (count: number) => void): Promise<CopyReport> {
  const source = await openStore(from, 'read');
  try {
    await mustBeIdle(source, from);
    const wanted = await contentsOf(source);
    if (wanted.broken !== undefined) {
      throw new LoopError(
        'store-failed',
        `${wanted.broken}: nothing was copied; run "rsi doctor" on ${shownStore(from)}`,
      );
    }
    await restore(to, { records: counted(source.journal.read(), onRecord), entries: linesOf(source) });
    const target = await openStore(to, 'read');
    const found = await contentsOf(target).finally(() => target.close());
    mustBeEqual(wanted, found, to);
    return found;
  } finally {
    await source.close();
  }
}

async function mustBeIdle(source: CommandStore, name: string): Promise<void> {
  const alive = (await source.coordination.writers()).filter((one) => one.alive).map(({ writer }) => writer);
  if (alive.length === 0) return;
  const who = alive.join(', ');
  throw new LoopError(
    'invalid-input',
    `${who} still writes to ${shownStore(name)}: end the processes of the loop first`,
  );
}

async function restore(to: string, content: StoreContent): Promise<void> {
  if (isDatabase(to)) {
    const { restorePostgres } = await import('rsi-loop/stores/postgres');
    return restorePostgres({ url: to }, content);
  }
  await mayBeStore(to);
  return restoreFolder(resolve(to), content);
}

/** Returns the decisions with their hashes. */
function linesOf({ ledger }: CommandStore): StoreContent['entries'] {
  // Both kinds of store have it; it is not part of the port.
  return (ledger as FileStore['ledger']).lines();
}

async function* counted(records: AsyncIterable<StoredRecord>, onRecord: (count: number) => void) {
  let count = 0;
  for await (const record of records) {
    onRecord(++count);
    yield record;
  }
}

async function contentsOf(store: CommandStore): Promise<Contents> {
  const hash = createHash('sha256');
  let records = 0;
  for await (const stored of store.journal.read()) {
    hash.update(canonical(stored as unknown as Json)); // records are plain JSON
    records++;
  }
  const head: LedgerHead = await store.ledger.head();
  return { records, decisions: head.length, head: head.hash, sha256: hash.digest('hex'), broken: head.broken };
}

/** Returns JSON with sorted keys: a database keeps another order. */
function canonical(value: Json): string {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );
}

function mustBeEqual(wanted: Contents, found: Contents, to: string): void {
  for (const name of ['records', 'decisions', 'head', 'sha256', 'broken'] as const) {
    if (wanted[name] === found[name]) continue;
    const message = `the copy in ${shownStore(to)} differs: ${name} is ${found[name]}, not ${wanted[name]}; delete it`;
    throw new LoopError('store-failed', message);
  }
}
