import type { Fix, FixStatus } from '../contract/fix.js';
import type { FixId } from '../contract/ids.js';
import type { LedgerEntry } from '../contract/ledger-entry.js';
import type { TrialVerdict } from '../contract/verdict.js';
import type { ChangeKinds } from '../fix/change-kinds.js';
import { isInForce } from '../ledger/legal-steps.js';
import type { LedgerState } from '../ledger/reduce.js';
import type { LookReport } from '../verify/verifier.js';

/** Decision maker in entries that no person caused. */
export const AUTO = 'auto';

/**
 * Returns whether a person should decide to keep or roll back the fix. There are two cases:
 * - A person approved it, and its trial was inconclusive at the deadline.
 * - It was applied without a trial and has since got a verdict.
 */
export function isInconclusive({ status, verdict, decision }: Fix): boolean {
  if (verdict?.kind !== 'inconclusive') return false;
  if (status === 'trial') return true;
  return status === 'applied-unverified' && decision.kind === 'approved' && decision.atMs < verdict.atMs;
}

type FixMoved = Extract<LedgerEntry, { kind: 'fix-moved' }>;
type Move = (fixId: FixId, to: FixStatus, reason: string, more?: Pick<FixMoved, 'trial' | 'verdict'>) => FixMoved;

/** Returns the ledger entries that follow from the verifier's report. */
export function whatFollows(
  { verdicts, changes, alarms }: LookReport,
  state: LedgerState,
  { kinds, noTrials, atMs }: { readonly kinds: ChangeKinds; readonly noTrials?: string; readonly atMs: number },
): readonly FixMoved[] {
  const move: Move = (fixId, to, reason, more) => ({ kind: 'fix-moved', atMs, by: AUTO, fixId, to, reason, ...more });
  const entries = verdicts.flatMap((one) => afterVerdict(one, state, kinds, move));
  for (const { fixId, trial, reason } of changes) {
    const status = state.fixes.get(fixId)?.status;
    if (status) entries.push(move(fixId, status, reason, { trial }));
  }
  for (const { fixId, reason, verdict } of alarms) entries.push(move(fixId, 'rolled-back', reason, { verdict }));
  const moved = new Set(entries.map(({ fixId }) => fixId));
  for (const fix of state.active.values()) {
    const reason = moved.has(fix.id) ? undefined : whyRolledBack(fix, kinds, noTrials);
    if (reason !== undefined) entries.push(move(fix.id, 'rolled-back', reason));
  }
  return entries;
}

function afterVerdict(
  { fixId, verdict, trial }: LookReport['verdicts'][number],
  state: LedgerState,
  kinds: ChangeKinds,
  move: Move,
): FixMoved[] {
  const fix = state.fixes.get(fixId);
  if (fix?.status !== 'trial') return [];
  const reason = describeVerdict(verdict);
  if (verdict.kind === 'confirmed') {
    const replaced = replacedBy(fix, state, kinds);
    return [
      move(fixId, 'confirmed', reason, { verdict, ...(trial && { trial }) }),
      ...replaced.map(({ id }) => move(id, 'superseded', `${fixId} sets the same and is proven`)),
    ];
  }
  const isApprovedByPerson = fix.decision.kind === 'approved' && fix.decision.by !== AUTO;
  if (verdict.kind === 'failed' || !isApprovedByPerson) return [move(fixId, 'rolled-back', reason, { verdict })];
  // A person approved it, so a person decides whether to keep it.
  return isInconclusive(fix) ? [] : [move(fixId, 'trial', reason, { verdict })];
}

/** Returns why a fix must be rolled back regardless of its results; undefined if it may continue. */
function whyRolledBack({ status, change }: Fix, kinds: ChangeKinds, noTrials: string | undefined): string | undefined {
  if (status === 'trial' && noTrials) return noTrials;
  return status === 'trial' || isInForce(status) ? kinds.of(change).problem?.(change) : undefined;
}

function describeVerdict(verdict: TrialVerdict): string {
  const { fix, control, inScope } = verdict.figures;
  const which = inScope ? ' that it could act on' : '';
  const counts = `${fix.failures} of ${fix.tasks} tasks${which} failed with it, ${control.failures} of ${control.tasks} without`;
  switch (verdict.kind) {
    case 'confirmed':
      return `proven to help: ${counts}`;
    case 'failed':
      return `${FAILED[verdict.why]}${verdict.guard ? ` (${verdict.guard})` : ''}: ${counts}`;
    case 'inconclusive':
      return `could not be proven in time: ${counts}`;
    default:
      return verdict satisfies never;
  }
}

const FAILED = {
  harm: 'does harm',
  'no-effect': 'has no useful effect',
  guard: 'makes something else worse',
  interference: 'only moves failures from one arm to the other',
} as const;

/**
 * Returns the fixes that a newly confirmed one replaces: they change the same settings and only tasks that it covers
 * too.
 */
function replacedBy(fix: Fix, { active }: LedgerState, kinds: ChangeKinds): readonly Fix[] {
  return [...active.values()].filter(
    (other) =>
      other.id !== fix.id &&
      isInForce(other.status) &&
      kinds.collide(other.change, fix.change) &&
      kinds.replaces(other.change, fix.change),
  );
}
