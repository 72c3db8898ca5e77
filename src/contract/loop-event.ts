import type { Fix } from './fix.js';
import type { HealthScore } from './health.js';
import type { Issue } from './issue.js';
import type { Pattern } from './pattern.js';
import type { TrialFigures, Verdict } from './verdict.js';

/** What happened, told to whoever listens. Names read noun-then-happening. */
export type LoopEvent =
  | { readonly kind: 'pattern-found'; readonly pattern: Pattern }
  | {
      readonly kind: 'burst';
      readonly task: string;
      readonly issue: Issue;
      readonly fingerprint: string;
      readonly count: number;
      readonly atMs: number;
    }
  | { readonly kind: 'fix-proposed'; readonly fix: Fix }
  | { readonly kind: 'fix-approved'; readonly fix: Fix }
  | { readonly kind: 'fix-refused'; readonly fix: Fix }
  | { readonly kind: 'trial-started'; readonly fix: Fix }
  | { readonly kind: 'trial-progressed'; readonly fix: Fix; readonly figures: TrialFigures }
  | { readonly kind: 'verdict'; readonly fix: Fix; readonly verdict: Verdict }
  | { readonly kind: 'fix-rolled-back'; readonly fix: Fix; readonly reason: string }
  | { readonly kind: 'fix-reopened'; readonly fix: Fix }
  | { readonly kind: 'health-below'; readonly health: HealthScore; readonly threshold: number }
  | ({ readonly kind: 'rebuild-progressed' } & RebuildProgress)
  | { readonly kind: 'outcomes-dropped'; readonly count: number; readonly reason: string }
  | { readonly kind: 'problem'; readonly where: string; readonly message: string };

/** How far a loop is that reads stored records again after a start. Done when both numbers are equal. */
export interface RebuildProgress {
  /** Records taken in so far. */
  readonly records: number;
  /** Records to take in; more when other processes go on recording. */
  readonly of: number;
}
