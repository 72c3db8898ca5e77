import type { Scope } from '../contract/scope.js';
import type { Trial } from '../contract/trial.js';
import type { GuardName, Verdict } from '../contract/verdict.js';
import { EVEN_SHARE } from './assign.js';
import { firstShare } from './holdout.js';

const RAMP_SHARE = 0.9;

type FailedWhy = Extract<Verdict, { kind: 'failed' }>['why'];

/** Conclusion of the current phase. Remains until the trial enters another phase or is closed. */
export type Conclusion = { readonly atMs: number } & (
  | { readonly kind: 'confirmed' }
  /** After the confirmation. `guard` is set if a measure other than failures became worse. */
  | { readonly kind: 'alarm'; readonly why: 'harm' | 'no-effect' | 'guard'; readonly guard?: GuardName }
  | { readonly kind: 'ramp' }
  | { readonly kind: NewShare }
  /** The fix harms or does not help this kind of task: the trial continues without it. */
  | { readonly kind: 'spare'; readonly scope: Scope; readonly why: 'harm' | 'no-effect' }
  | { readonly kind: 'failed'; readonly why: FailedWhy; readonly guard?: GuardName }
  | { readonly kind: 'inconclusive'; readonly why: 'deadline' | 'enough-failures-seen' }
);

/** New share for a confirmed fix. */
type NewShare = 'wake' | 'sleep' | 'smaller-holdout';

/** Returns whether only the share of a confirmed fix changes. */
export function isNewShare({ kind }: Conclusion): boolean {
  return kind === 'wake' || kind === 'sleep' || kind === 'smaller-holdout';
}

/**
 * Returns the trial as it continues after a conclusion; undefined if it ends. `holdout` is the permanent share of
 * control, `asleep` the fix's share while no harm is suspected.
 */
export function continued(trial: Trial, ruling: Conclusion, holdout: number, asleep: number): Trial | undefined {
  const since = { phaseSinceMs: ruling.atMs };
  switch (ruling.kind) {
    case 'ramp':
      return { ...trial, ...since, phase: 'ramp', share: RAMP_SHARE };
    case 'confirmed':
      return { ...trial, ...since, phase: 'holdout', share: firstShare(holdout) };
    case 'spare': {
      const { scope } = trial;
      return { ...trial, ...since, scope: { ...scope, except: [...(scope.except ?? []), ruling.scope] } };
    }
    case 'wake':
      return { ...trial, ...since, share: EVEN_SHARE };
    case 'sleep':
    case 'smaller-holdout':
      return { ...trial, ...since, share: asleep };
    default:
      return undefined;
  }
}
