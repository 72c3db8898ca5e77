import type { Outcome } from './outcome.js';
import type { Start } from './start.js';

/** One record of the journal, the high-volume log. */
export type JournalRecord =
  | { readonly kind: 'start'; readonly start: Start }
  | { readonly kind: 'outcome'; readonly outcome: Outcome };
