import type { Fix } from './fix.js';
import type { Health } from './health.js';
import type { FixId } from './ids.js';
import type { Pattern } from './pattern.js';
import type { Verdict } from './verdict.js';

/** Result of one cycle of the loop. */
export interface CycleReport {
  readonly atMs: number;
  readonly patterns: readonly Pattern[];
  readonly fixes: readonly Fix[];
  /** Verdicts reached in this cycle. */
  readonly verdicts: readonly { readonly fixId: FixId; readonly verdict: Verdict }[];
  readonly health: Health;
  /** Why the cycle was cut short; absent if it completed. */
  readonly unfinished?: string;
}
