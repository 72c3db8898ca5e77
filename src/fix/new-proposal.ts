import type { Fix, Forecast } from '../contract/fix.js';
import type { FixId } from '../contract/ids.js';
import type { ChangeKinds } from './change-kinds.js';
import type { OpenFixes } from './open-fixes.js';

/**
 * Returns the proposal as recorded, if it contains something new. Adds it to the open fixes in any case, so that it
 * blocks others.
 */
export function newProposal(
  chosen: Fix | undefined,
  among: OpenFixes,
  known: Pick<ReadonlyMap<FixId, Fix>, 'get'>,
  kinds: ChangeKinds,
): readonly Fix[] {
  if (!chosen) return [];
  const before = known.get(chosen.id);
  const fix = keepWords(before, chosen);
  among.add(fix);
  if (before?.status !== 'proposed') return [fix];
  return isNews(before, fix, kinds) ? [{ ...fix, proposedMs: before.proposedMs }] : [];
}

/**
 * Keeps a model's wording of a waiting fix. A template does not replace it when the model was not asked again, for
 * example after a restart.
 */
function keepWords(before: Fix | undefined, fix: Fix): Fix {
  if (before?.status !== 'proposed' || before.wordedBy === undefined || fix.wordedBy !== undefined) return fix;
  const { change, wordedBy, reason, confidence, contradicts } = before;
  const { contradicts: _, ...rest } = fix;
  return {
    ...rest,
    change,
    wordedBy,
    reason,
    ...(confidence !== undefined && { confidence }),
    ...(contradicts && { contradicts }),
  };
}

/** Returns whether a trial would take at most half as many tasks as forecast, or at least twice as many. */
function isOther(before: Forecast, now: Forecast): boolean {
  if (before.kind !== 'testable' || now.kind !== 'testable') return before.kind !== now.kind;
  return Math.max(before.tasks, now.tasks) >= 2 * Math.min(before.tasks, now.tasks);
}

/** Returns whether the new proposal contains something that a person or the next step has to know. */
function isNews(before: Fix, fix: Fix, kinds: ChangeKinds): boolean {
  return (
    before.needs !== fix.needs ||
    isOther(before.forecast, fix.forecast) ||
    JSON.stringify(kinds.content(before.change)) !== JSON.stringify(kinds.content(fix.change))
  );
}
