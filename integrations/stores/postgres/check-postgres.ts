import type { StoreCheck } from 'rsi-loop/node';
import type { PostgresStoreOptions } from './postgres-options.js';
import { PostgresStore } from './postgres-store.js';

/**
 * Checks the database of a store. Changes nothing. `rsi doctor` prints the result.
 * @throws LoopError `store-failed` with the setting to change if the server or the schema cannot be used.
 */
export async function checkPostgres(options: PostgresStoreOptions): Promise<readonly StoreCheck[]> {
  const store = new PostgresStore({ ...options, readOnly: true });
  try {
    return await store.check();
  } finally {
    await store.close();
  }
}
