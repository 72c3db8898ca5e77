import { AUTO } from './conclude.js';
import { lessonOf } from './experience/lessons.js';
import type { InForce } from './in-force.js';
import { isInForce } from './ledger/legal-steps.js';
import type { LedgerState } from './ledger/reduce.js';
import type { ArmAssignment, Fix, LedgerEntry, PolicyChange } from './records.js';
import type { Rooms } from './rooms.js';
import { policyProblems } from './run/policy-problems.js';

/** The settings that the arms of one task add to the confirmed ones, and those they hold back. */
export function changesOf(
  arms: readonly ArmAssignment[],
  { fixes }: InForce,
): { add: PolicyChange[]; hold: PolicyChange[] } {
  const add: PolicyChange[] = [];
  const hold: PolicyChange[] = [];
  for (const { fixId, arm } of arms) {
    const fix = fixes.get(fixId);
    if (fix?.change.kind !== 'policy') continue;
    if (fix.status === 'trial' && arm === 'fix') add.push(fix.change);
    if (isInForce(fix.status) && arm === 'control') hold.push(fix.change);
  }
  return { add, hold };
}

/**
 * Applies what a decision changes besides the analysis: lessons and settings in force. The same live, on start-up and in a
 * process that only follows.
 */
export function applyDecision(rooms: Rooms, entry: LedgerEntry, before: LedgerState): void {
  if (entry.kind !== 'fix-moved') return;
  const fix = rooms.ledger.state.fixes.get(entry.fixId);
  if (!fix) return;
  learn(rooms, fix, entry, before);
  updatePolicies(rooms, fix, before);
}

/** Tells whoever listens what a decision means; not while the past is replayed. */
export function announce(rooms: Rooms, entry: LedgerEntry, before: LedgerState): void {
  if (entry.kind === 'fix-proposed' && !before.fixes.has(entry.fix.id)) {
    rooms.events.emit({ kind: 'fix-proposed', fix: entry.fix });
  }
  if (entry.kind !== 'fix-moved') return;
  const fix = rooms.ledger.state.fixes.get(entry.fixId);
  if (!fix) return;
  if (entry.verdict) rooms.events.emit({ kind: 'verdict', fix, verdict: entry.verdict });
  if (fix.status === before.fixes.get(fix.id)?.status) return;
  if (fix.status === 'approved') rooms.events.emit({ kind: 'fix-approved', fix });
  if (fix.status === 'refused') rooms.events.emit({ kind: 'fix-refused', fix });
  if (fix.status === 'trial') rooms.events.emit({ kind: 'trial-started', fix });
  if (fix.status === 'rolled-back') rooms.events.emit({ kind: 'fix-rolled-back', fix, reason: entry.reason });
  if (fix.status === 'reopened') rooms.events.emit({ kind: 'fix-reopened', fix });
}

/** Learns from how a fix ended. Asks the ledger alone, so that every process learns the same whenever it starts. */
function learn({ experience }: Rooms, fix: Fix, entry: FixMoved, { fixes, frozen }: LedgerState): void {
  const status = fixes.get(fix.id)?.status;
  // A trial that a kill switch ended says nothing about its fix: an automatic end without a verdict is one.
  const isKilled = frozen !== undefined || (entry.by === AUTO && entry.verdict === undefined);
  const isInterrupted = status === 'trial' && isKilled;
  const lesson = status === fix.status || isInterrupted ? undefined : lessonOf(fix, entry.reason);
  if (lesson) experience.learn(lesson);
}

type FixMoved = Extract<LedgerEntry, { kind: 'fix-moved' }>;

/** Most steps of a fix change no setting that is in force, and cost nothing here. */
function updatePolicies(
  { ledger, policies, envelope, report }: Rooms,
  { id, status, change }: Fix,
  before: LedgerState,
) {
  const was = before.fixes.get(id);
  if (change.kind !== 'policy' || !(isInForce(status) || (was && isInForce(was.status)))) return;
  const confirmed = confirmedChanges(ledger.state);
  policies.update({ confirmed });
  if (!isInForce(status)) return;
  const others = confirmed.filter((other) => other !== change);
  for (const message of policyProblems(change, others, envelope)) report({ where: 'policy', message });
}

/** In the order they came into force, so that a later change lies over an earlier one. */
function confirmedChanges({ active }: LedgerState): readonly PolicyChange[] {
  return [...active.values()]
    .filter(({ status }) => isInForce(status))
    .sort((a, b) => a.changedMs - b.changedMs)
    .flatMap(({ change }) => (change.kind === 'policy' ? [change] : []));
}
