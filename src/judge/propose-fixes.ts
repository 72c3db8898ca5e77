import { AUTO, type Fix } from '../contract/fix.js';
import type { LedgerEntry } from '../contract/ledger-entry.js';
import type { Pattern } from '../contract/pattern.js';
import { isIdea } from '../fix/ideas.js';
import { reduce } from '../ledger/reduce.js';
import { wilsonRate } from '../lib/statistics.js';
import { isTaskTemplate } from '../lib/task-names.js';
import { isProposal } from './approve-fixes.js';
import type { CycleContext } from './cycle-context.js';
import { eachFix } from './each-fix.js';
import { isOwn } from './suggest-causes.js';

/** Expires old proposals and proposes fixes for the host's patterns. */
export async function proposeFixes(now: CycleContext): Promise<void> {
  const { ledger, fixer, kinds, patterns, tasks, atMs, asks } = now;
  const ofHost = patterns.filter((pattern) => !isOwn(pattern) && !isTaskTemplate(pattern.task));
  for (const kind of asks ? kinds.all : []) {
    await kind.prepare?.({ patterns: ofHost, tasks, active: ledger.state.active.values() });
  }
  await ledger.appendLegal((state) => {
    const ended = eachFix(state.active.values(), now, (fix) => expireOrReopen(fix, now));
    const known = ended.reduce(reduce, state);
    const declared = kinds.all.flatMap((kind) => kind.declare?.(state.texts, atMs) ?? []);
    const proposed = fixer.propose(ofHost, tasks, known, atMs);
    return [
      ...declared,
      ...ended,
      ...proposed.map((fix): LedgerEntry => ({ kind: 'fix-proposed', atMs, by: AUTO, fix })),
    ];
  });
}

/** Expires a proposal whose failures ended or that was not answered in time. Reopens a fix whose failures came back. */
function expireOrReopen(fix: Fix, now: CycleContext): readonly LedgerEntry[] {
  const { analyzer, clockWatch, kinds, seen, expireAfterMs, atMs } = now;
  const { id: fixId, status } = fix;
  const pattern = seen.get(analyzer.resolve(fix.patternId));
  const move = (to: 'expired' | 'reopened', reason: string): readonly LedgerEntry[] => [
    { kind: 'fix-moved', atMs, by: AUTO, fixId, to, reason },
  ];
  if (status === 'proposed' && !pattern && !isIdea(fix))
    return move('expired', 'its pattern was not seen for a whole window');
  const waitedMs = atMs - fix.proposedMs - clockWatch.aheadSince(fix.proposedMs);
  if (isProposal(fix, kinds) && !fix.safe && waitedMs >= expireAfterMs) {
    return move('expired', `no answer for ${Math.round(expireAfterMs / 86_400_000)} days`);
  }
  if (status !== 'confirmed' || !isBack(fix, pattern)) return [];
  return move('reopened', 'its pattern had been resolved and came back');
}

/**
 * Returns whether a resolved pattern came back at half its old rate or more. A single failure is not enough: some tasks
 * run without the confirmed fix and still fail now and then.
 */
function isBack({ verdict }: Fix, pattern: Pattern | undefined): boolean {
  if (!pattern?.sinceReturn) return false;
  const { sinceReturn: since, rate } = pattern;
  const returned = Math.round(since.value * since.of);
  if (returned < MIN_RETURNED) return false;
  const figures = verdict && 'figures' in verdict ? verdict.figures : undefined;
  const { failures, tasks } = figures?.inScope?.control ?? figures?.control ?? NO_CONTROL;
  return wilsonRate(returned, since.of).low > (tasks > 0 ? failures / tasks : rate.value) / 2;
}

/** Failures since the return that count as recurring. */
const MIN_RETURNED = 3;
const NO_CONTROL = { failures: 0, tasks: 0 };
