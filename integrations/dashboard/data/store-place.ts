import { MemoryStore, type RSILoop, type Store } from 'rsi-loop';
import type { StoreCheck } from 'rsi-loop/node';

/** Members that some stores have besides those of the contract. */
interface Described extends Store {
  /** Of a `FileStore`. */
  readonly folder?: string;
  /** Of a store that knows its place. */
  readonly name?: string;
  check?(): Promise<readonly StoreCheck[]>;
  /** Of a store that was given by its path or address, once it is open. */
  readonly opened?: Store;
}

/** Returns the store of a loop with what it says about itself. */
export function describedStore({ store }: Pick<RSILoop, 'store'>): Described {
  const { opened }: Described = store;
  return opened ?? store;
}

/** Returns the name of a store for people: its folder, the name that it has, or `memory`. */
export function storeName(loop: Pick<RSILoop, 'store'>): string {
  const store = describedStore(loop);
  return store.folder ?? store.name ?? (store instanceof MemoryStore ? 'memory' : 'a store of the host');
}
