import type { CycleReport } from '../contract/cycle-report.js';
import { AUTO, type Fix, type FixStatus, isApprovedByPerson } from '../contract/fix.js';
import type { FixId } from '../contract/ids.js';
import type { LedgerEntry } from '../contract/ledger-entry.js';
import type { TrialFigures, TrialVerdict } from '../contract/verdict.js';
import type { ChangeKinds } from '../fix/change-kinds.js';
import { isInForce } from '../ledger/legal-steps.js';
import type { LedgerState } from '../ledger/reduce.js';
import { whole } from '../lib/text.js';
import type { LookReport } from '../verify/verifier.js';
import type { CycleContext } from './cycle-context.js';

/** Appends the results of trials to the ledger and returns the verdicts. */
export async function concludeTrials(now: CycleContext): Promise<CycleReport['verdicts']> {
  const { ledger, verifier, events } = now;
  const entries = await ledger.appendLegal((state) => {
    const whyVoid = (fix: Fix) => whyIdle(fix, now);
    return whatFollows(verifier.report(), state, {
      ...{ ...now, whyVoid },
      figuresOf: (fixId) => verifier.figures(fixId),
    });
  });
  for (const { fixId, why, count } of verifier.takeIgnored()) {
    events.emit({ kind: 'problem', where: 'verify', message: `trial of ${fixId}: ${count} ${IGNORED[why]}` });
  }
  for (const fix of ledger.state.active.values()) {
    const figures = fix.status === 'trial' ? verifier.figures(fix.id) : undefined;
    if (figures) events.emit({ kind: 'trial-progressed', fix, figures });
  }
  return entries.flatMap((entry) =>
    entry.kind === 'fix-moved' && entry.verdict ? [{ fixId: entry.fixId, verdict: entry.verdict }] : [],
  );
}

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
type Move = (
  fixId: FixId,
  to: FixStatus,
  reason: string,
  more?: Pick<FixMoved, 'trial' | 'verdict' | 'figures'>,
) => FixMoved;

/** Inputs for the entries that follow from a report. */
export interface FollowContext {
  readonly kinds: ChangeKinds;
  readonly noTrials?: string;
  readonly atMs: number;
  /** Returns why a fix never did anything. Default: no reason is given. */
  readonly whyVoid?: (fix: Fix) => string;
  /** Returns the evidence of a running trial. */
  readonly figuresOf?: (fixId: FixId) => TrialFigures | undefined;
}

/** Returns the ledger entries that follow from the verifier's report. */
export function whatFollows(
  { verdicts, changes, alarms, voids = [] }: LookReport,
  state: LedgerState,
  { kinds, noTrials, atMs, whyVoid, figuresOf }: FollowContext,
): readonly FixMoved[] {
  const move: Move = (fixId, to, reason, more) => ({ kind: 'fix-moved', atMs, by: AUTO, fixId, to, reason, ...more });
  const evidence = (fixId: FixId) => {
    const figures = figuresOf?.(fixId);
    return figures ? { figures } : {};
  };
  const entries = verdicts.flatMap((one) => afterVerdict(one, state, kinds, move));
  for (const { fixId, trial, reason } of changes) {
    const status = state.fixes.get(fixId)?.status;
    if (status) entries.push(move(fixId, status, reason, { trial }));
  }
  for (const { fixId, reason, verdict } of alarms) entries.push(move(fixId, 'rolled-back', reason, { verdict }));
  for (const { fixId } of voids) {
    const fix = state.fixes.get(fixId);
    if (fix?.status !== 'trial') continue;
    const why = `both arms did the same: ${whyVoid?.(fix) ?? 'the fix never acted'}`;
    entries.push(move(fixId, 'void', why, evidence(fixId)));
  }
  const moved = new Set(entries.map(({ fixId }) => fixId));
  for (const fix of state.active.values()) {
    const reason = moved.has(fix.id) ? undefined : whyRolledBack(fix, kinds, noTrials);
    if (reason === undefined) continue;
    entries.push(move(fix.id, 'rolled-back', reason, fix.status === 'trial' ? evidence(fix.id) : {}));
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
  if (verdict.kind === 'failed' || !isApprovedByPerson(fix)) return [move(fixId, 'rolled-back', reason, { verdict })];
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
  const counts = `${whole(fix.failures)} of ${whole(fix.tasks)} tasks${which} failed with it, ${whole(control.failures)} of ${whole(control.tasks)} without`;
  switch (verdict.kind) {
    case 'confirmed':
      return `proven to help: ${counts}`;
    case 'failed':
      return `${FAILED[verdict.why]}${detailOf(verdict)}: ${counts}`;
    case 'inconclusive':
      return `could not be proven in time: ${counts}`;
    default:
      return verdict satisfies never;
  }
}

/** Returns the guard that fired, or the gain that the test excludes. */
function detailOf({ why, guard, figures: { smallestGain } }: Extract<TrialVerdict, { kind: 'failed' }>): string {
  if (guard) return ` (${guard})`;
  if (why !== 'no-effect' || smallestGain === undefined) return '';
  return ` (a gain of ${Number((100 * smallestGain).toPrecision(2))} in 100 tasks or more is excluded)`;
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

/** Returns why a fix that calls again or waits never did. */
function whyIdle({ patternId, change }: Fix, { analyzer, seen, kinds, policies }: CycleContext): string {
  const waitMs = seen.get(analyzer.resolve(patternId))?.retryAfterMs ?? 0;
  const { settings } = kinds.of(change).effect(change);
  const policy = policies.lookup(change.scope, settings && [settings]);
  const [name, limitMs] = (['backoff.maxMs', 'limit.resetMs'] as const)
    .map((setting) => [setting, policy[setting]] as const)
    .reduce((one, other) => (other[1] > one[1] ? other : one));
  if (waitMs > limitMs) return `the announced wait of ${seconds(waitMs)} is longer than ${name} (${seconds(limitMs)})`;
  return 'nothing was called again; the retry budget, the time-out of the task or a retry further in may prevent it';
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}

const IGNORED = {
  repeated: 'starts or ends with an id that was already known were ignored: give each task a new id',
  late: 'tasks were not bet on, because the unit they began in had been: look at the clocks of this machine and others',
  overdue:
    'tasks ended after their deadline and count as failed in the arm they were given: say how long they may take with `deadlineMs` in loop.run or loop.begin',
  'left-out': 'tasks were not bet on, because too many others have not ended',
} as const;
