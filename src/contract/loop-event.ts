import type { Fix } from './fix.js';
import type { HealthScore } from './health.js';
import type { Issue } from './issue.js';
import type { Pattern } from './pattern.js';
import type { TrialFigures, Verdict } from './verdict.js';

/** Event emitted to listeners of the loop. Names read noun-then-happening. */
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
  | { readonly kind: 'fix-rejected'; readonly fix: Fix }
  | { readonly kind: 'trial-started'; readonly fix: Fix }
  | { readonly kind: 'trial-progressed'; readonly fix: Fix; readonly figures: TrialFigures }
  | { readonly kind: 'verdict'; readonly fix: Fix; readonly verdict: Verdict }
  /** A fix is off in this process, because it kept tasks waiting for longer than its price. */
  | { readonly kind: 'fix-braked'; readonly fix: Fix; readonly reason: string }
  | { readonly kind: 'fix-rolled-back'; readonly fix: Fix; readonly reason: string }
  | { readonly kind: 'fix-voided'; readonly fix: Fix; readonly reason: string }
  | { readonly kind: 'fix-reopened'; readonly fix: Fix }
  | { readonly kind: 'health-below'; readonly health: HealthScore; readonly threshold: number }
  | ({ readonly kind: 'rebuild-progressed' } & RebuildProgress)
  | { readonly kind: 'outcomes-dropped'; readonly count: number; readonly reason: string }
  | { readonly kind: 'problem'; readonly where: string; readonly message: string };

/** The compiler reports a missing kind. */
const KINDS: Readonly<Record<LoopEvent['kind'], true>> = {
  'pattern-found': true,
  burst: true,
  'fix-proposed': true,
  'fix-approved': true,
  'fix-rejected': true,
  'trial-started': true,
  'trial-progressed': true,
  verdict: true,
  'fix-braked': true,
  'fix-rolled-back': true,
  'fix-voided': true,
  'fix-reopened': true,
  'health-below': true,
  'rebuild-progressed': true,
  'outcomes-dropped': true,
  problem: true,
};

/** All kinds of event that a loop emits. */
export const EVENT_KINDS = /* @__PURE__ */ Object.keys(KINDS) as readonly LoopEvent['kind'][]; // the keys of the record above

/** Progress of a loop that replays stored records after a start. Done when both numbers are equal. */
export interface RebuildProgress {
  /** Records replayed so far. */
  readonly records: number;
  /** Total records to replay; grows if other processes keep recording. */
  readonly of: number;
}
