import { AUTO } from '../contract/fix.js';
import { countAdvised, whatFixNeeds } from '../fix/readiness.js';
import { nextPlace, withOpened } from '../ledger/trial-counts.js';
import type { CycleContext } from './cycle-context.js';
import { eachFix } from './each-fix.js';
import { feasibilityOfTrial } from './feasible-trial.js';
import { trialOfFix } from './trial-of-fix.js';

/** Starts the trials of approved fixes, as many as may run in parallel. */
export async function startTrials(now: CycleContext): Promise<void> {
  const { ledger, tasks, kinds, repeats, experience, noTrials, atMs } = now;
  await ledger.appendLegal(({ active, frozen, paused, trials }) => {
    if (frozen || paused || noTrials) return [];
    let opened = trials;
    const beside = [...active.values()].filter(({ status }) => status === 'trial');
    const advised = countAdvised(tasks);
    return eachFix(active.values(), now, (fix) => {
      const { id: fixId, unit, status } = fix;
      const task = tasks.get(fix.task);
      if (status !== 'approved' || !task || kinds.reasonToWait(fix, beside)) return [];
      if (repeats.forbids(kinds.settings(fix.change), task)) return [];
      if (whatFixNeeds(fix.change, { task, advised }, now) !== undefined) return [];
      const weight = experience.record.weight(fix.issue, kinds.content(fix.change));
      const place = { ...nextPlace(opened, fix), weight };
      const trial = trialOfFix(fix, task, place, now);
      const feasible = feasibilityOfTrial(fix, trial, now);
      if (feasible.problem !== undefined) return [];
      opened = withOpened(opened, fix, trial);
      const drawn = `every ${unit} in scope is drawn: half run with the fix, half without`;
      const reason = [drawn, ...feasible.shorter].join('; ');
      beside.push({ ...fix, status: 'trial' });
      return [{ kind: 'fix-moved', atMs, by: AUTO, fixId, to: 'trial', reason, trial }];
    });
  });
}
