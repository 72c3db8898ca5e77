import type { PolicyChange } from '../contract/change.js';
import type { Fix } from '../contract/fix.js';
import type { LedgerStep } from '../ledger/ledger.js';
import { isInForce } from '../ledger/legal-steps.js';
import type { LedgerState } from '../ledger/reduce.js';
import { policyProblems } from '../run/policy-problems.js';
import type { LiveComponents } from './live-components.js';

type Applied = Pick<LiveComponents, 'ledger' | 'policies' | 'settingLimits' | 'kinds' | 'braked' | 'report'>;

/** Updates the settings in force. Used for live, replayed and foreign entries alike. */
export function applySettings(components: Applied, { entry, before }: LedgerStep): void {
  if (entry.kind !== 'fix-moved') return;
  const fix = components.ledger.state.fixes.get(entry.fixId);
  if (fix) updatePolicies(components, fix, before);
}

/** Emits the events for one entry. Not called during replay. */
export function emitEvents(components: Pick<LiveComponents, 'ledger' | 'events'>, { entry, before }: LedgerStep): void {
  if (entry.kind === 'fix-proposed' && !before.fixes.has(entry.fix.id)) {
    components.events.emit({ kind: 'fix-proposed', fix: entry.fix });
  }
  if (entry.kind !== 'fix-moved') return;
  const fix = components.ledger.state.fixes.get(entry.fixId);
  if (!fix) return;
  if (entry.verdict) components.events.emit({ kind: 'verdict', fix, verdict: entry.verdict });
  if (fix.status === before.fixes.get(fix.id)?.status) return;
  if (fix.status === 'proposed') components.events.emit({ kind: 'fix-proposed', fix });
  if (fix.status === 'approved') components.events.emit({ kind: 'fix-approved', fix });
  if (fix.status === 'rejected') components.events.emit({ kind: 'fix-rejected', fix });
  if (fix.status === 'trial') components.events.emit({ kind: 'trial-started', fix });
  if (fix.status === 'rolled-back') components.events.emit({ kind: 'fix-rolled-back', fix, reason: entry.reason });
  if (fix.status === 'void') components.events.emit({ kind: 'fix-voided', fix, reason: entry.reason });
  if (fix.status === 'reopened') components.events.emit({ kind: 'fix-reopened', fix });
}

/** Updates the settings in force, if this step changes any. Most steps do not. */
function updatePolicies(components: Applied, { id, status, change }: Fix, before: LedgerState) {
  const { policies, settingLimits, kinds, report } = components;
  const was = before.fixes.get(id);
  const { settings } = kinds.of(change).effect(change);
  if (!settings || !(isInForce(status) || (was && isInForce(was.status)))) return;
  const confirmed = confirmedSettings(components);
  policies.update({ confirmed });
  if (!isInForce(status)) return;
  // A fix that a newly confirmed one replaces is superseded by the next entry.
  const replaces = (other: PolicyChange) =>
    was?.status === 'trial' && status === 'confirmed' && kinds.replaces(other, settings);
  const others = confirmed.filter((other) => other !== settings && !replaces(other));
  for (const message of policyProblems(settings, others, settingLimits)) report({ where: 'policy', message });
}

/** Returns the settings in force in the order they came into force, so that later ones override earlier ones. */
export function confirmedSettings({
  ledger,
  kinds,
  braked,
}: Pick<LiveComponents, 'ledger' | 'kinds' | 'braked'>): readonly PolicyChange[] {
  return [...ledger.state.active.values()]
    .filter(({ id, status }) => isInForce(status) && !braked.has(id))
    .sort((a, b) => a.changedMs - b.changedMs)
    .flatMap(({ change }) => kinds.of(change).effect(change).settings ?? []);
}
