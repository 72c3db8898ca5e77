import type { Fix } from './fix.js';
import type { Health } from './health.js';
import type { FixId } from './ids.js';
import type { Pattern } from './pattern.js';
import type { Verdict } from './verdict.js';

/** What one turn of the loop found and did. */
export interface CycleReport {
  readonly atMs: number;
  readonly patterns: readonly Pattern[];
  readonly fixes: readonly Fix[];
  /** Reached in this turn. */
  readonly verdicts: readonly { readonly fixId: FixId; readonly verdict: Verdict }[];
  readonly health: Health;
  /** Why the turn was cut short; only when it was. */
  readonly unfinished?: string;
}
