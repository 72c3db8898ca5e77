import { fieldName, isSameKind, type Scope } from '../contract/scope.js';
import type { Arm } from '../contract/start.js';
import type { Trial } from '../contract/trial.js';
import type { ArmFigures, GuardName, Verdict } from '../contract/verdict.js';
import { EVEN_SHARE } from './assign.js';
import { firstShare, type HoldoutFinding } from './holdout.js';

const RAMP_SHARE = 0.9;
/** Share of the arm that is likely to be better, in a trial that only chooses models. */
const LIKELY_SHARE = 0.8;

type FailedWhy = Extract<Verdict, { kind: 'failed' }>['why'];

/** Conclusion of the current phase. Remains until the trial enters another phase or is closed. */
export type Conclusion = { readonly atMs: number } /** `doubted`: kinds of task whose arms stay even. */ & (
  | { readonly kind: 'confirmed'; readonly doubted?: readonly Scope[] }
  /** After the confirmation. `guard` is set if a measure other than failures became worse. */
  | { readonly kind: 'alarm'; readonly why: 'harm' | 'no-effect' | 'guard'; readonly guard?: GuardName }
  | { readonly kind: 'ramp' }
  /** Tasks of the fix are open for too large a part of a block: the trial begins again with longer blocks. */
  | { readonly kind: 'lengthen'; readonly blockMs: number }
  | { readonly kind: NewShare }
  /** The fix harms or does not help this kind of task: the trial continues without it. */
  | { readonly kind: 'spare'; readonly scope: Scope; readonly why: 'harm' | 'no-effect' }
  /** The fix helps a kind of task that it excludes: it applies there again. */
  | { readonly kind: 'rejoin'; readonly scope: Scope }
  /** The fix helps a kind of task that was in doubt, or nothing speaks against it there. */
  | { readonly kind: 'trust'; readonly scope: Scope; readonly helps: boolean }
  /** `counts` are those of harm found in the order of ends, which the test in the order of starts may not have reached. */
  | {
      readonly kind: 'failed';
      readonly why: FailedWhy;
      readonly guard?: GuardName;
      readonly counts?: Readonly<Record<Arm, ArmFigures>>;
    }
  | { readonly kind: 'inconclusive'; readonly why: 'deadline' | 'enough-failures-seen' }
  /** The fix did nothing in any task, so both arms were the same. */
  | { readonly kind: 'void' }
);

/** New share for a confirmed fix, or for a choice of models on trial that looks better or worse. */
type NewShare = 'wake' | 'sleep' | 'smaller-holdout' | 'more' | 'fewer';

/** Returns the conclusion from a finding about a confirmed fix. */
export function conclusionOf(finding: HoldoutFinding, atMs: number): Conclusion {
  if (finding === 'less') return { kind: 'smaller-holdout', atMs };
  if (finding === 'wake' || finding === 'sleep') return { kind: finding, atMs };
  return { kind: 'alarm', why: finding === 'no-effect' ? finding : 'harm', atMs };
}

const NEW_SHARES: ReadonlySet<Conclusion['kind']> = new Set<NewShare>([
  'wake',
  'sleep',
  'smaller-holdout',
  'more',
  'fewer',
]);

/** Returns whether only the share of the fix changes. */
export function isNewShare({ kind }: Conclusion): boolean {
  return NEW_SHARES.has(kind);
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
    case 'lengthen':
      return { ...trial, ...since, blockMs: ruling.blockMs, blocksSinceMs: ruling.atMs };
    case 'confirmed':
      return { ...trial, ...since, phase: 'holdout', share: firstShare(holdout), ...doubtedOf(ruling.doubted) };
    case 'spare': {
      const { scope } = trial;
      const except = [...(scope.except ?? []), ruling.scope];
      return { ...withoutDoubt(trial, ruling.scope), ...since, scope: { ...scope, except } };
    }
    case 'rejoin': {
      const { scope } = trial;
      const except = scope.except?.filter((left) => !isSameKind(left, ruling.scope)) ?? [];
      return { ...trial, ...since, scope: { ...scope, except } };
    }
    case 'trust':
      return { ...withoutDoubt(trial, ruling.scope), ...since };
    case 'wake':
      return { ...trial, ...since, share: EVEN_SHARE };
    case 'more':
      return { ...trial, share: LIKELY_SHARE };
    case 'fewer':
      return { ...trial, share: 1 - LIKELY_SHARE };
    case 'sleep':
    case 'smaller-holdout':
      return { ...trial, ...since, share: asleep };
    default:
      return undefined;
  }
}

function doubtedOf(doubted: readonly Scope[] = []): Pick<Trial, 'doubted'> {
  return doubted.length > 0 ? { doubted } : {};
}

function withoutDoubt({ doubted, ...trial }: Trial, scope: Scope): Trial {
  return { ...trial, ...doubtedOf(doubted?.filter((one) => !isSameKind(one, scope))) };
}

/** Returns the reason for rolling back a confirmed fix. */
export function alarmReason({ why, guard }: Extract<Conclusion, { kind: 'alarm' }>): string {
  if (why === 'no-effect') return 'more tasks failed after it was confirmed, and a fresh trial shows no useful effect';
  return `${guard ? GUARD_ALARMS[guard] : 'more tasks fail'} with it than without it since it was confirmed`;
}

export type Change = Extract<Conclusion, { kind: keyof typeof CHANGE_REASONS }>;

/** Returns the reason for a change without a verdict. */
export function changeReason(ruling: Change): string {
  if (!('scope' in ruling)) return CHANGE_REASONS[ruling.kind];
  const named = Object.entries(ruling.scope).map(([name, value]) => `${fieldName(name)} ${value}`);
  const which = named.join(', ');
  if (ruling.kind === 'rejoin') return `helps with ${which} since: applied there again`;
  if (ruling.kind === 'trust') {
    return `${ruling.helps ? 'helps' : 'does no harm'} with ${which} either: held back from few of these tasks`;
  }
  return `${ruling.why === 'harm' ? 'does harm' : 'is of no use'} with ${which}: not applied there any more`;
}

/** Returns whether the trial goes on, with another share, phase or scope. */
export function isChange(ruling: Conclusion): ruling is Change {
  return Object.hasOwn(CHANGE_REASONS, ruling.kind);
}

const GUARD_ALARMS: Readonly<Record<GuardName, string>> = {
  duration: 'tasks take longer',
  tokens: 'tasks use more tokens',
  cost: 'tasks cost more',
  quality: 'answers are worse',
  'other-tasks': 'tasks after it or beside it fail more',
  waits: 'tasks wait for longer than a prevented failure is worth',
};
const CHANGE_REASONS = {
  spare: '',
  rejoin: '',
  trust: '',
  lengthen: 'tasks were open for more than a tenth of a block and took from the next one; again with longer blocks',
  ramp: 'helps with half of the blocks; now with more, to see whether its arms disturb each other',
  wake: 'more tasks fail than since its confirmation; a fresh trial decides whether it is to blame',
  sleep: 'a fresh trial found nothing against it; held back from few tasks again',
  more: 'looks better so far: with more of the tasks until that is shown',
  fewer: 'looks no better so far: with fewer of the tasks until that is shown',
  'smaller-holdout': 'did well for 1,000 tasks; held back from fewer of them now',
};
