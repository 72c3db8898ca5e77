import { AUTO } from '../contract/fix.js';
import { raisedLevel } from '../verify/level.js';
import type { CycleContext } from './cycle-context.js';
import { eachFix } from './each-fix.js';

/** Smallest rise that is worth an entry in the ledger. */
const LEAST_RISE = 1.1;

/**
 * Lowers the evidence that running trials need after other fixes were confirmed. One false confirmation among more
 * confirmed fixes is a smaller share of them.
 */
export async function raiseLevels(now: CycleContext): Promise<void> {
  const { ledger, alpha, atMs } = now;
  await ledger.appendLegal(({ active, trials: { confirmed } }) =>
    eachFix(active.values(), now, ({ id: fixId, status, trial, verdict }) => {
      if (status !== 'trial' || trial?.phase !== 'running' || !trial.place || verdict) return [];
      const raised = raisedLevel(trial.alpha, trial.place, confirmed, alpha);
      if (raised < LEAST_RISE * trial.alpha) return [];
      const reason = `${confirmed} fixes are confirmed, ${trial.place.confirmed} when it began: it needs less evidence`;
      const again = { ...trial, alpha: raised, place: { ...trial.place, confirmed } };
      return [{ kind: 'fix-moved', atMs, by: AUTO, fixId, to: 'trial', reason, trial: again }];
    }),
  );
}
