import type { Clock } from '../contract/clock.js';
import { LoopError } from '../contract/errors.js';
import type { Store } from '../contract/store.js';
import { DeferredStore, type OpenedStore } from '../defaults/deferred-store.js';
import type { Random } from '../lib/random.js';

/** Variables, so that bundlers do not include Node modules in the main entry point. */
const NODE_ENTRY = 'rsi-loop/node';
const POSTGRES_ENTRY = 'rsi-loop/stores/postgres';

/**
 * Opens the folder given as `store: './rsi_data'`, as a `FileStore` of `rsi-loop/node`, or the database given as
 * `store: 'postgres://...'`, as a `PostgresStore`.
 * @throws LoopError `invalid-input` in environments without folders, such as browsers and workers.
 */
export function openFolder(folder: string, clock: Clock, random: Random): Store {
  // The address may hold a password, which must not get into a message.
  const isDatabase = /^postgres(?:ql)?:\/\//.test(folder);
  const { process } = globalThis as { process?: { versions?: { node?: string } } };
  if (process?.versions?.node === undefined) {
    throw new LoopError(
      'invalid-input',
      `store is "${isDatabase ? 'postgres://...' : folder}": folders need Node, Bun or Deno; give a store object`,
    );
  }
  if (isDatabase) {
    return new DeferredStore(writerName(clock, random), async (writer) => {
      const entry = await import(/* @vite-ignore */ POSTGRES_ENTRY).catch(
        lacks('new PostgresStore({ url })', POSTGRES_ENTRY),
      );
      return new (entry as PostgresEntry).PostgresStore({ url: folder, clock, writer });
    });
  }
  return new DeferredStore(writerName(clock, random), async (writer) => {
    const entry = await import(/* @vite-ignore */ NODE_ENTRY).catch(lacks('new FileStore(folder)', NODE_ENTRY));
    return new (entry as typeof import('../node/index.js')).FileStore(folder, { clock, writer });
  });
}

/** Returns a handler for an entry that is not beside the program, as in a bundle of one file. It throws the way out. */
function lacks(store: string, entry: string): (cause: Error) => never {
  return (cause) => {
    throw new LoopError('missing-peer', `${cause.message}: in a bundle, give store: ${store} of ${entry}`, { cause });
  };
}

/** Part of `rsi-loop/stores/postgres`, which is outside of `src`. */
interface PostgresEntry {
  readonly PostgresStore: new (options: {
    readonly url: string;
    readonly clock: Clock;
    readonly writer: string;
  }) => OpenedStore;
}

/** Returns twelve letters and digits, unique among living processes. */
function writerName(clock: Clock, random: Random): string {
  const digits = (value: number) => Math.floor(value).toString(36).padStart(6, '0').slice(-6);
  return digits(clock.now() / 1000) + digits(random() * 36 ** 6);
}
