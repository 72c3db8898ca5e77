import { LoopError, type Store } from 'rsi-loop';
import { FileStore, readOnlyFileSystem } from 'rsi-loop/node';
import { DEFAULT_STORE } from '../terminal/look.js';
import { makeStore, mustBeStore } from './check-folder.js';
import { isDatabase } from './database.js';

/** Store of a command, with all optional parts. */
export type CommandStore = Required<Omit<Store, 'away'>>;

/**
 * Opens a store that exists: a folder, or a database by its address. With `read`, nothing in it changes.
 * @throws LoopError `invalid-input` or `store-failed` with the reason if it cannot be used.
 */
export async function openStore(store: string, access: 'read' | 'decide'): Promise<CommandStore> {
  if (isDatabase(store)) return openDatabase(store, access === 'read');
  await mustBeStore(store);
  return new FileStore(store, access === 'read' ? { fs: readOnlyFileSystem } : {});
}

/** Opens a store like `openStore`, and creates it if it is missing. */
export async function openOrCreate(store: string): Promise<CommandStore> {
  if (isDatabase(store)) return openDatabase(store, false);
  await makeStore(store);
  return new FileStore(store);
}

/** Returns the folder for files of this machine, such as budgets: the store itself if it is a folder. */
export async function localFolder(store: string): Promise<string> {
  if (!isDatabase(store)) return store;
  await makeStore(DEFAULT_STORE);
  return DEFAULT_STORE;
}

async function openDatabase(url: string, readOnly: boolean): Promise<CommandStore> {
  const { PostgresStore } = await import('rsi-loop/stores/postgres');
  const store = new PostgresStore({ url, readOnly });
  try {
    // Throws before anything is read or recorded if it cannot be used.
    await store.ledger.head();
    return store;
  } catch (error) {
    await store.close();
    if (LoopError.is(error)) throw error;
    throw new LoopError('store-failed', 'the database cannot be used', { cause: error });
  }
}
