import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { DecisionVerb, FixRow } from '../../views.js';
import type { Client, ClientState } from './client.js';
import type { QueryChange, Route } from './route.js';
import type { SharedTime } from './shared-time.js';

/** Decision that the reader is about to make. */
export interface Intent {
  readonly verb: DecisionVerb;
  readonly fix?: FixRow;
}

export type Theme = 'light' | 'dark';

/** Services that every part of the page may use. */
export interface PageContext {
  readonly client: Client;
  readonly state: ClientState;
  readonly route: Route;
  readonly theme: Theme;
  readonly base: string;
  readonly sharedTime: SharedTime;
  /** Opens an address below the mount prefix. */
  go(address: string, options?: { readonly replace?: boolean }): void;
  /** Changes the query of the shown screen without a new entry in the history. */
  setQuery(change: QueryChange): void;
  /** Asks the reader to confirm a decision. */
  ask(intent: Intent): void;
  /** Shows a sentence for some seconds and reads it out. */
  say(sentence: string): void;
  /** Time at the server, to the half minute. */
  readonly nowMs: number;
}

export const Page = createContext<PageContext | undefined>(undefined);

export function usePage(): PageContext {
  const page = useContext(Page);
  if (!page) throw new Error('usePage is called outside of the page');
  return page;
}
