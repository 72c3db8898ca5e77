import { AUTO } from '../contract/fix.js';
import { lessonOf } from '../experience/lessons.js';
import type { LedgerStep } from '../ledger/ledger.js';
import type { Components } from './components.js';

/** Records a lesson from a finished fix. Reads only the ledger, so every process learns the same whenever it starts. */
export function learn(
  { experience, kinds }: Pick<Components, 'experience' | 'kinds'>,
  { entry, before: { fixes, frozen }, after }: LedgerStep,
): void {
  if (entry.kind !== 'fix-moved') return;
  const fix = after.fixes.get(entry.fixId);
  if (!fix) return;
  if (entry.to === 'proposed') experience.reconsider(entry.fixId);
  const status = fixes.get(fix.id)?.status;
  // A trial ended by a kill switch says nothing about its fix. Such an end is automatic and has no verdict.
  const isKilled = frozen !== undefined || (entry.by === AUTO && entry.verdict === undefined);
  const isInterrupted = status === 'trial' && isKilled;
  const lesson =
    status === fix.status || isInterrupted ? undefined : lessonOf(fix, kinds.content(fix.change), entry.reason);
  if (lesson) experience.learn(lesson);
}
