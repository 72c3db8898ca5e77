import { readFileSync } from 'node:fs';
import { LoopError, type Store } from 'rsi-loop';
import { FileStore, readOnlyFileSystem, signDecisions } from 'rsi-loop/node';
import { DEFAULT_STORE } from '../terminal/look.js';
import { whyWords } from '../terminal/system-error.js';
import { makeStore, mustBeStore } from './check-folder.js';
import { isDatabase } from './database.js';

/** Store of a command, with all optional parts. */
export type CommandStore = Required<Omit<Store, 'away'>>;

/**
 * Opens a store that exists: a folder, or a database by its address. With `read`, nothing in it changes.
 * @throws LoopError `invalid-input` or `store-failed` with the reason if it cannot be used.
 */
export async function openStore(store: string, access: 'read' | 'decide'): Promise<CommandStore> {
  if (isDatabase(store)) return signing(await openDatabase(store, access === 'read'), access);
  await mustBeStore(store);
  return signing(new FileStore(store, access === 'read' ? { fs: readOnlyFileSystem } : {}), access);
}

/** Variable that names the file of a private key, with which the command signs decisions. */
const KEY_VARIABLE = 'RSI_DECISION_KEY';

/** Returns the store, or one that signs decisions if the user has a key for it. */
function signing(store: CommandStore, access: 'read' | 'decide'): CommandStore {
  const file = process.env[KEY_VARIABLE];
  if (!file || access === 'read') return store;
  try {
    return signDecisions(store, readFileSync(file, 'utf8')) as CommandStore; // with all parts of the given one
  } catch (cause) {
    const why = LoopError.is(cause) ? cause.message : whyWords(cause);
    throw new LoopError('invalid-input', `cannot use ${KEY_VARIABLE}=${file}: ${why}`, { cause });
  }
}

/** Opens a store like `openStore`, and creates it if it is missing. */
export async function openOrCreate(store: string): Promise<CommandStore> {
  if (isDatabase(store)) return signing(await openDatabase(store, false), 'decide');
  await makeStore(store);
  return signing(new FileStore(store), 'decide');
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
