import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, Outcome, Store } from 'rsi-loop';
import type { Lease } from 'rsi-loop/testing';
import { hash } from '../hash.js';
import { timedId } from '../timed-id.js';
import { ifThere, syncFolder } from './drop-files.js';

/** Folder of claimed files: `<batch>@<writer>`. The batch is part of the ids of its records and never changes. */
const BATCH = /^([0-9a-z]+)@(.+)$/;

/**
 * Claims on files. A watcher claims files only while it holds the store's lease for the folder, in batches that carry
 * its writer's name. The next holder takes over the batches of writers that are gone. A suspended writer keeps its own.
 */
export class Claims {
  readonly #store: Store;
  readonly #lease: string;
  /** Unique, and short enough to be part of every id. */
  readonly #token: string;
  #held: Lease | undefined;
  #batches = 0;

  /** `folder` is the watched folder; watchers of one folder must give the same path. */
  constructor(store: Store, folder: string, clock: Clock) {
    this.#store = store;
    this.#lease = `drop-folder-${hash(folder)}`;
    this.#token = clock.now().toString(36) + randomBytes(4).readUInt32BE().toString(36);
  }

  /** Returns true if this watcher may claim files. Acquires the lease if it is free. */
  async acquire(): Promise<boolean> {
    if (await this.#held?.held()) return true;
    this.#held = await this.#store.coordination.lease(this.#lease);
    return this.#held !== undefined;
  }

  /** Creates an empty batch in `claimed` and returns its name. */
  async open(claimed: string): Promise<string> {
    const name = `${this.#token}${(this.#batches++).toString(36)}@${this.#store.journal.writer}`;
    await mkdir(join(claimed, name));
    return name;
  }

  /** Takes over the batches in `claimed` of writers that are gone, and its own that are not in `known`. */
  async inherit(claimed: string, known: ReadonlySet<string>): Promise<readonly string[]> {
    // Files behind a link were never dropped.
    const folders = ((await ifThere(readdir(claimed, { withFileTypes: true }))) ?? []).filter((entry) =>
      entry.isDirectory(),
    );
    const left = folders.map(({ name }) => name).filter((name) => BATCH.test(name) && !known.has(name));
    if (left.length === 0 || !(await this.acquire())) return [];
    const alive = new Set(
      (await this.#store.coordination.writers()).filter((one) => one.alive).map(({ writer }) => writer),
    );
    const inherited: string[] = [];
    for (const name of left) {
      const [, batch, writer = ''] = BATCH.exec(name) ?? [];
      if (writer !== this.#store.journal.writer && alive.has(writer)) continue;
      const own = `${batch}@${this.#store.journal.writer}`;
      await rename(join(claimed, name), join(claimed, own));
      inherited.push(own);
    }
    return inherited;
  }

  /** Makes the names in a batch durable. */
  async sync(claimed: string, name: string): Promise<void> {
    await syncFolder(join(claimed, name));
    await syncFolder(claimed);
  }

  /** Lets another watcher claim files. */
  async release(): Promise<void> {
    await this.#held?.release();
    this.#held = undefined;
  }
}

/**
 * Returns the id of a record, or creates one from batch, file and position. It sorts by time and stays the same if the
 * claimed file is read again.
 */
export function idOf(outcome: Outcome, batch: string, file: string, position: number): Outcome['id'] {
  if (outcome.id !== '') return outcome.id;
  const [token] = batch.split('@', 1);
  return timedId(outcome.atMs, `${token}.${hash(file)}.${position.toString(36)}`) as Outcome['id']; // built as an outcome's id
}

/** Returns those of the wanted ids that the journal holds. */
export async function recordedIds(store: Store, wanted: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  if (wanted.size === 0) return found;
  for await (const { record } of store.journal.read()) {
    if (record.kind === 'outcome' && wanted.has(record.outcome.id)) found.add(record.outcome.id);
  }
  return found;
}
