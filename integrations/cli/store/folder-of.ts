import { resolve } from 'node:path';
import { LoopError } from 'rsi-loop';
import { isDatabase, shownStore } from './database.js';

/**
 * Returns the absolute path of a store.
 * @throws LoopError `invalid-input` if it is a database: the verb keeps files beside the records.
 */
export function folderOf(store: string, verb: string): string {
  if (!isDatabase(store)) return resolve(store);
  const message = `rsi ${verb} needs a folder, and the store is ${shownStore(store)}: give --store ./rsi_data`;
  throw new LoopError('invalid-input', message);
}
