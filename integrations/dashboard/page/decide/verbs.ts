import type { AskedVerb, FixRow } from '../../fix-views.js';
import type { Intent } from '../lib/page-context.js';

/** Words of a decision: the button, what happens, and how it can be undone. */
export interface VerbWords {
  readonly button: string;
  readonly title: string;
  /** Sentences on the consequences of the button. */
  readonly effect: string;
  readonly done: string;
  readonly undo?: AskedVerb;
  readonly reason: 'required' | 'optional' | 'none';
  readonly isDangerous?: boolean;
  /** Button that decides nothing. Default `Cancel`. */
  readonly dismiss?: string;
  /** Place that keeps who decided. Default: the ledger. */
  readonly keeper?: string;
}

export const VERBS: Readonly<Record<AskedVerb, VerbWords>> = {
  approve: {
    button: 'Approve: start the trial',
    title: 'Start a trial of this fix?',
    effect:
      'A random part of the tasks gets the fix, the others run as before. The loop keeps the fix only if it is proven to help, and rolls it back otherwise.',
    done: 'Approved. The trial starts with the next cycle.',
    undo: 'rollback',
    reason: 'optional',
  },
  reject: {
    button: 'Reject',
    title: 'Reject this fix?',
    effect: 'Nothing changes for the agent. The loop remembers the reason and does not propose this fix again.',
    done: 'Rejected.',
    undo: 'reconsider',
    reason: 'required',
    isDangerous: true,
  },
  apply: {
    button: 'Apply without proof',
    title: 'Apply this fix without a trial?',
    effect:
      'All tasks get the fix with the next cycle. Without a control group nothing can show that it helps: the verdict will be "inconclusive".',
    done: 'Applied without proof.',
    undo: 'rollback',
    reason: 'optional',
    isDangerous: true,
  },
  rollback: {
    button: 'Roll back now',
    title: 'Roll this fix back?',
    effect:
      'All tasks run as before the fix from the next cycle. A running trial ends without a verdict. Its evidence is kept, but a new trial begins at zero.',
    done: 'Rolled back.',
    undo: 'reconsider',
    reason: 'optional',
    isDangerous: true,
  },
  reconsider: {
    button: 'Propose again',
    title: 'Propose this fix again?',
    effect: 'The decision against it no longer counts, and the fix waits for a new one. The ledger keeps both steps.',
    done: 'Proposed again.',
    undo: 'reject',
    reason: 'optional',
  },
  mute: {
    button: 'Mute',
    title: 'Mute this pattern?',
    effect:
      'Lists on this page leave it out until someone shows it again. The loop counts it and proposes fixes as before.',
    done: 'Muted.',
    undo: 'unmute',
    reason: 'optional',
  },
  unmute: {
    button: 'Show again',
    title: 'Show this pattern again?',
    effect: 'It is back in all lists.',
    done: 'It is shown again.',
    undo: 'mute',
    reason: 'optional',
  },
  assign: {
    button: 'Assign',
    title: 'Who takes care of this pattern?',
    effect: 'The list of patterns shows the name. The page sends no message.',
    done: 'Assigned.',
    reason: 'optional',
  },
  comment: {
    button: 'Comment',
    title: 'What should others know about this pattern?',
    effect: 'The comment stays with the pattern and in the ledger.',
    done: 'The comment is kept.',
    reason: 'required',
  },
  pause: {
    button: 'Pause trials',
    title: 'Pause trials?',
    effect:
      'No trial starts, and tasks run as without the fixes on trial. Running trials keep their evidence and continue when a person resumes them. Fixes in force stay.',
    done: 'Paused.',
    undo: 'resume',
    reason: 'optional',
  },
  resume: {
    button: 'Resume trials',
    title: 'Resume trials?',
    effect: 'Running trials continue with the evidence that they had, and approved fixes may start theirs.',
    done: 'Resumed.',
    undo: 'pause',
    reason: 'optional',
  },
  freeze: {
    button: 'Stop all trials',
    title: 'Stop all trials?',
    effect:
      'Every running trial ends without a verdict and its fix is rolled back. None starts until a person allows trials again. Fixes in force stay. The evidence so far is kept, but a new trial of the same fix begins at zero.',
    done: 'All trials are stopped.',
    undo: 'unfreeze',
    reason: 'required',
    isDangerous: true,
  },
  unfreeze: {
    button: 'Allow trials again',
    title: 'Allow trials again?',
    effect:
      'Approved fixes may start a trial. Trials that were stopped do not continue: the loop may propose their fixes again.',
    done: 'Trials may start again.',
    undo: 'freeze',
    reason: 'optional',
  },
  'approve-version': {
    button: 'Approve: write it for the agent',
    title: 'Approve this version of the agent?',
    effect:
      'It is written to rsi.approved.json in the folder of this server. The agent has it when it loads that file.',
    done: 'Approved and written to rsi.approved.json.',
    reason: 'optional',
    keeper: 'record of the improvement',
  },
  'reject-version': {
    button: 'Reject',
    title: 'Reject this version of the agent?',
    effect: 'It waits no longer, and the agent stays as it is. A later decision replaces this one.',
    done: 'Rejected.',
    reason: 'required',
    isDangerous: true,
    keeper: 'record of the improvement',
  },
  'cancel-run': {
    button: 'Cancel the run',
    title: 'Cancel this run?',
    effect:
      'Tasks in progress are stopped, and no other task begins. A cancelled run cannot be resumed. Results so far are kept.',
    done: 'Cancelled. A process that has the run ends it within a second.',
    reason: 'optional',
    isDangerous: true,
    dismiss: 'Keep it',
    keeper: 'run',
  },
  'cancel-task': {
    button: 'Cancel the task',
    title: 'Cancel this task?',
    effect: 'The task and its parts end, and tasks that come after it are skipped. The others go on.',
    done: 'Cancelled. The task ends within a second, or when the run is resumed.',
    reason: 'optional',
    isDangerous: true,
    dismiss: 'Keep it',
    keeper: 'run',
  },
};

/** Returns the decision that takes a decision back, if it is legal now. */
export function undoOf({ verb, pattern }: Intent, fix: FixRow | undefined): Intent | undefined {
  const { undo } = VERBS[verb];
  if (undo === undefined) return undefined;
  if (pattern) return { verb: undo, pattern };
  if (undo === 'freeze' || undo === 'unfreeze' || undo === 'pause' || undo === 'resume') return { verb: undo };
  return fix?.may.some((verb) => verb === undo) ? { verb: undo, fix } : undefined;
}
