import type { PolicyChange } from '../contract/change.js';
import type { Fix } from '../contract/fix.js';
import type { LedgerEntry } from '../contract/ledger-entry.js';
import { lessonOf } from '../experience/lessons.js';
import type { ChangeKinds } from '../fix/change-kinds.js';
import { isInForce } from '../ledger/legal-steps.js';
import type { LedgerState } from '../ledger/reduce.js';
import { policyProblems } from '../run/policy-problems.js';
import type { Components } from './components.js';
import { AUTO } from './conclude.js';

/**
 * Applies the effects of one decision outside the analysis: lessons and settings in force. Used for live, replayed and
 * foreign entries alike.
 */
export function applyDecision(components: Components, entry: LedgerEntry, before: LedgerState): void {
  if (entry.kind !== 'fix-moved') return;
  const fix = components.ledger.state.fixes.get(entry.fixId);
  if (!fix) return;
  recordLesson(components, fix, entry, before);
  updatePolicies(components, fix, before);
}

/** Emits the events for one entry. Not called during replay. */
export function emitEvents(components: Components, entry: LedgerEntry, before: LedgerState): void {
  if (entry.kind === 'fix-proposed' && !before.fixes.has(entry.fix.id)) {
    components.events.emit({ kind: 'fix-proposed', fix: entry.fix });
  }
  if (entry.kind !== 'fix-moved') return;
  const fix = components.ledger.state.fixes.get(entry.fixId);
  if (!fix) return;
  if (entry.verdict) components.events.emit({ kind: 'verdict', fix, verdict: entry.verdict });
  if (fix.status === before.fixes.get(fix.id)?.status) return;
  if (fix.status === 'approved') components.events.emit({ kind: 'fix-approved', fix });
  if (fix.status === 'rejected') components.events.emit({ kind: 'fix-rejected', fix });
  if (fix.status === 'trial') components.events.emit({ kind: 'trial-started', fix });
  if (fix.status === 'rolled-back') components.events.emit({ kind: 'fix-rolled-back', fix, reason: entry.reason });
  if (fix.status === 'reopened') components.events.emit({ kind: 'fix-reopened', fix });
}

/** Records a lesson from a finished fix. Reads only the ledger, so every process learns the same whenever it starts. */
function recordLesson(
  { experience, kinds }: Components,
  fix: Fix,
  entry: FixMoved,
  { fixes, frozen }: LedgerState,
): void {
  const status = fixes.get(fix.id)?.status;
  // A trial ended by a kill switch says nothing about its fix. Such an end is automatic and has no verdict.
  const isKilled = frozen !== undefined || (entry.by === AUTO && entry.verdict === undefined);
  const isInterrupted = status === 'trial' && isKilled;
  const lesson =
    status === fix.status || isInterrupted ? undefined : lessonOf(fix, kinds.content(fix.change), entry.reason);
  if (lesson) experience.learn(lesson);
}

type FixMoved = Extract<LedgerEntry, { kind: 'fix-moved' }>;

/** Updates the settings in force, if this step changes any. Most steps do not. */
function updatePolicies(
  { ledger, policies, settingLimits, kinds, report }: Components,
  { id, status, change }: Fix,
  before: LedgerState,
) {
  const was = before.fixes.get(id);
  const { settings } = kinds.of(change).effect(change);
  if (!settings || !(isInForce(status) || (was && isInForce(was.status)))) return;
  const confirmed = confirmedSettings(ledger.state, kinds);
  policies.update({ confirmed });
  if (!isInForce(status)) return;
  const others = confirmed.filter((other) => other !== settings);
  for (const message of policyProblems(settings, others, settingLimits)) report({ where: 'policy', message });
}

/** Returns the settings in force in the order they came into force, so that later ones override earlier ones. */
function confirmedSettings({ active }: LedgerState, kinds: ChangeKinds): readonly PolicyChange[] {
  return [...active.values()]
    .filter(({ status }) => isInForce(status))
    .sort((a, b) => a.changedMs - b.changedMs)
    .flatMap(({ change }) => kinds.of(change).effect(change).settings ?? []);
}
