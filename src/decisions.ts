import { AUTO } from './conclude.js';
import { lessonOf } from './experience/lessons.js';
import { drawsArms, type InForce } from './in-force.js';
import { readBatch } from './ledger/batch.js';
import { isInForce } from './ledger/legal-steps.js';
import type { LedgerState } from './ledger/reduce.js';
import { breathe, MS_PER_BREATH, RECORDS_PER_BREATH } from './lib/breathe.js';
import type { ArmAssignment, Fix, JournalRecord, LedgerEntry, PolicyChange } from './records.js';
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
 * Moves the rooms by one decision, the same way live, on start-up and in a process that only follows. What restored
 * rooms have taken in before they were saved (`isSaved`) is not given to them again.
 */
export async function applyEntry(
  rooms: Rooms,
  entry: LedgerEntry,
  before: LedgerState,
  isSaved: boolean,
): Promise<void> {
  switch (entry.kind) {
    case 'cycle': {
      if (isSaved) return;
      const batch = rooms.batches.get(entry) ?? (await readBatch(rooms.store, before.read, entry.read));
      await absorb(rooms, batch.records, entry.atMs);
      // The bets move here, so that a replay moves them too; what they say is written down by the cycle.
      rooms.verifier.advance(entry.atMs, entry.watermarkMs);
      return;
    }
    case 'fix-moved': {
      const fix = rooms.ledger.state.fixes.get(entry.fixId);
      if (!fix) return;
      if (entry.trial && !isSaved) rooms.verifier.open(entry.trial);
      if (!drawsArms(fix.status) && !isSaved) rooms.verifier.close(fix.id);
      learn(rooms, fix, entry, before);
      updatePolicies(rooms, fix, before);
      return;
    }
    case 'fix-proposed':
    case 'rule-written':
    case 'rule-removed':
    case 'marked':
    case 'cause-suggested':
    case 'repeat-answered':
    case 'frozen':
    case 'thawed':
    case 'erased':
      return;
    default:
      entry satisfies never;
  }
}

/** Gives records to the rooms in pieces. Where these end, which the clock decides, is the same to every room. */
async function absorb(rooms: Rooms, records: readonly JournalRecord[], atMs: number) {
  const { analyzer, experience, verifier, health, models, clock } = rooms;
  let begunMs = clock.monotonic();
  let count = 0;
  for (let from = 0; from < records.length; from += RECORDS_PER_LOOK) {
    if (count >= RECORDS_PER_BREATH || clock.monotonic() - begunMs >= MS_PER_BREATH) {
      await breathe();
      begunMs = clock.monotonic();
      count = 0;
    }
    const part = records.slice(from, from + RECORDS_PER_LOOK);
    const outcomes = part.flatMap((record) => (record.kind === 'outcome' ? [record.outcome] : []));
    analyzer.absorb(outcomes);
    experience.library.absorb(outcomes);
    verifier.absorb(part);
    health.settle(outcomes, atMs);
    models.absorb(part);
    count += part.length;
  }
  health.forget(new Set(records.flatMap((record) => (record.kind === 'outcome' ? [record.outcome.id] : []))));
}

/** Records between two looks at the clock. */
const RECORDS_PER_LOOK = 25;

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
