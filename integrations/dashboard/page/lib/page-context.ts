import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { AskedVerb, FixRow } from '../../fix-views.js';
import type { Client, ClientState } from './client.js';
import type { QueryChange, Route } from './route.js';
import type { SharedTime } from './shared-time.js';

/** Decision that the reader is about to make. */
export interface Intent {
  readonly verb: AskedVerb;
  readonly fix?: FixRow;
  /** Pattern to note something about. */
  readonly pattern?: { readonly id: string; readonly title: string };
  /** Version of the agent to decide on. */
  readonly version?: { readonly id: string; readonly name: string };
  /** Run to cancel, or the task of it. */
  readonly run?: { readonly id: string; readonly task?: string };
}

export type Theme = 'light' | 'dark';

/** Addresses of the page. They never change, so that rows of tables are not drawn again with the rest. */
export interface Addresses {
  /** The mount prefix. */
  readonly base: string;
  /** Time that the reader chose, which every link keeps. */
  readonly range?: string;
  /** Opens an address below the mount prefix. */
  go(address: string, options?: { readonly replace?: boolean }): void;
}

/** Services that every part of the page may use. */
export interface PageContext extends Addresses {
  readonly client: Client;
  readonly state: ClientState;
  readonly route: Route;
  readonly theme: Theme;
  readonly sharedTime: SharedTime;
  /** Changes the query of the shown screen without a new entry in the history. */
  setQuery(change: QueryChange): void;
  /** Asks the reader to confirm a decision. */
  ask(intent: Intent): void;
  /** Shows a sentence for some seconds and reads it out. */
  say(sentence: string): void;
}

export const Page = createContext<PageContext | undefined>(undefined);

export const AddressContext = createContext<Addresses | undefined>(undefined);

export function useAddresses(): Addresses {
  const addresses = useContext(AddressContext);
  if (!addresses) throw new Error('useAddresses is called outside of the page');
  return addresses;
}

export const Clock = createContext(0);

/** Returns the time at the server, to the half minute. */
export function useNow(): number {
  return useContext(Clock);
}

export function usePage(): PageContext {
  const page = useContext(Page);
  if (!page) throw new Error('usePage is called outside of the page');
  return page;
}
