import type { Fix } from '../contract/fix.js';
import type { LedgerEntry } from '../contract/ledger-entry.js';
import type { Lesson } from '../contract/lesson.js';
import type { RebuildProgress } from '../contract/loop-event.js';
import type { Pattern } from '../contract/pattern.js';
import type { TaskStatistics } from '../contract/task-statistics.js';
import type { RuleCounters } from '../contract/trial.js';
import type { TrialFigures } from '../contract/verdict.js';
import { countAdvised, whatFixNeeds } from '../fix/readiness.js';
import type { LedgerState } from '../ledger/reduce.js';
import { nextPlace } from '../ledger/trial-counts.js';
import { eBenjaminiHochberg } from '../lib/e-values.js';
import type { MayRepeat } from '../lib/repeat.js';
import { descriptionOf, type FixDescription } from '../live/describe-fix.js';
import { inWords } from '../verify/feasibility.js';
import { countsOf } from './answer-repeat.js';
import type { Components } from './components.js';
import { feasibilityOfTrial } from './feasible-trial.js';
import { withCauses } from './suggest-causes.js';
import { trialOfFix } from './trial-of-fix.js';

/** Explanation of a fix. */
export interface Explanation {
  readonly fix: Fix;
  /** Description of the change and its inverse, in plain words. */
  readonly description: FixDescription;
  /** Pattern that the fix targets, if it was seen in the window. */
  readonly pattern?: Pattern;
  /** Every decision on it, oldest first. */
  readonly history: readonly LedgerEntry[];
  /** Current state of the trial or the holdout, if there is one. */
  readonly figures?: TrialFigures;
  /** For a fix with a trial: its number among all trials of the loop, and the evidence it therefore needs. */
  readonly overAllTrials?: OverAllTrials;
  /**
   * For a confirmed fix: whether its evidence also passes e-Benjamini-Hochberg over all trials so far, at 5 %.
   * This is a second check of the promise of `overAllTrials`. No decision depends on it.
   */
  readonly holdsOverAllTrials?: boolean;
  /** Why an approved fix is not on trial yet, or why a rule's trial has no data yet. */
  readonly waitsFor?: string;
  /** Present during a replay, when `pattern` and `figures` are not known yet. */
  readonly rebuilding?: RebuildProgress;
  /** For a fix that makes tasks run again after a failure: whether they may, and who said so. */
  readonly mayRepeat?: MayRepeat;
  /** For a rule: the unified diff of writing it to its file, or of removing it if already written. */
  readonly diff?: string;
  /** For a rule that was compared with sessions without it: its effect, decayed to now. */
  readonly counters?: RuleCounters;
  /** Earlier lessons about the same failures. */
  readonly lessons: readonly Lesson[];
}

/** Reason for the evidence that a trial needs. On average, at most 5 % of the fixes a loop confirms are useless. */
export interface OverAllTrials {
  /** 1 for the first trial of the loop. */
  readonly trial: number;
  /** Trials of the loop so far, including those that were frozen or rolled back. */
  readonly opened: number;
  /** Fixes confirmed before this trial began. */
  readonly confirmedBefore: number;
  /** 1 for the first trial on the same failures. */
  readonly attempt: number;
  /** e-value at the verdict, or the current one. */
  readonly evidence: number;
  /** e-value that confirms the fix, according to e-LOND and the number of attempts on its failures. */
  readonly needed: number;
}

export function explain(fix: Fix, components: Components, rebuilding?: RebuildProgress): Explanation {
  const { experience, ledger, kinds, repeats, clock } = components;
  const pattern = rebuilding ? undefined : patternOf(fix, components);
  const figures = rebuilding ? undefined : components.verifier.figures(fix.id);
  const kind = kinds.of(fix.change);
  const { diff, counters } = kind.explain?.(fix, clock.now()) ?? {};
  return {
    fix,
    description: descriptionOf(fix, kinds),
    ...(pattern && { pattern }),
    ...(rebuilding && { rebuilding }),
    history: ledger.historyOf(fix.id),
    ...(figures && { figures }),
    ...overAllTrials(fix, figures, ledger.state),
    ...holdsOverAllTrials(fix, ledger.state),
    ...(rebuilding ? {} : waiting(fix, components, pattern?.sources)),
    ...(repeats.repeats(kinds.settings(fix.change)) && { mayRepeat: repeats.ofTask(countsOf(components, fix.task)) }),
    ...(diff !== undefined && { diff }),
    ...(counters && !rebuilding && { counters }),
    lessons: experience.recall(fix),
  };
}

function patternOf({ patternId }: Fix, { analyzer, clock, ledger }: Components): Pattern | undefined {
  const id = analyzer.resolve(patternId);
  const found = analyzer.patterns(clock.now()).filter((pattern) => pattern.id === id);
  return withCauses(found, ledger.state.causes)[0];
}

function waiting(
  fix: Fix,
  components: Components,
  sources: readonly string[] | undefined,
): Pick<Explanation, 'waitsFor'> {
  const { analyzer, clock, kinds, ledger, noTrials, verifier } = components;
  if (fix.status === 'trial' && fix.trial?.unit === 'session' && countUnits(verifier.figures(fix.id)) === 0) {
    return { waitsFor: NO_SESSION_ENDED };
  }
  if (fix.status !== 'approved') return {};
  const { fixes, frozen, paused } = ledger.state;
  const frozenBy = frozen && `the loop is frozen by ${frozen.by}: ${frozen.reason}`;
  const pausedBy = paused && `trials are paused by ${paused.by}: ${paused.reason}`;
  const tasks = new Map(analyzer.tasks(clock.now()).map((task) => [task.task, task]));
  const facts = { task: tasks.get(fix.task), advised: countAdvised(tasks), ...(sources && { sources }) };
  const needs = () => whatFixNeeds(fix.change, facts, components);
  const tooSlow = () => whyTooSlow(fix, tasks, components);
  const reason =
    noTrials ??
    ledger.broken ??
    frozenBy ??
    pausedBy ??
    kinds.reasonToWait(fix, fixes.values()) ??
    needs() ??
    tooSlow();
  return reason === undefined ? {} : { waitsFor: reason };
}

/** Returns why the trial of an approved fix is not opened although nothing is missing. */
function whyTooSlow(fix: Fix, tasks: ReadonlyMap<string, TaskStatistics>, components: Components): string | undefined {
  const task = tasks.get(fix.task);
  if (!task) return undefined;
  const { analyzer, clock, ledger } = components;
  const atMs = clock.now();
  const patterns = analyzer.patterns(atMs);
  // The draw of a trial that is not opened is not used up.
  const context = { ...components, atMs, patterns, tasks, random: () => 0 };
  const trial = trialOfFix(fix, task, nextPlace(ledger.state.trials, fix), context);
  return inWords(feasibilityOfTrial(fix, trial, context));
}

function overAllTrials(
  { trial, verdict }: Fix,
  now: TrialFigures | undefined,
  { trials }: LedgerState,
): Pick<Explanation, 'overAllTrials'> {
  if (!trial?.place) return {};
  const { trial: number, confirmed: confirmedBefore, attempt } = trial.place;
  const figures = verdict && 'figures' in verdict ? verdict.figures : now;
  const evidence = figures?.eHelp ?? 1;
  const { opened } = trials;
  return { overAllTrials: { trial: number, opened, confirmedBefore, attempt, evidence, needed: 1 / trial.alpha } };
}

/** Hint for a trial with session units that has no data yet. */
const NO_SESSION_ENDED =
  'no session has ended since the trial began: call loop.endSession(session) when one is over, or it counts a day after its first task';

function countUnits(figures: TrialFigures | undefined): number {
  return figures === undefined ? 0 : figures.fix.units + figures.control.units;
}

/**
 * Returns whether a confirmed fix also passes e-Benjamini-Hochberg over all trials. Trials that were interrupted, or
 * whose fix was proposed again since, count with an e-value of 0, which is conservative.
 */
function holdsOverAllTrials(fix: Fix, { fixes, trials }: LedgerState): Pick<Explanation, 'holdsOverAllTrials'> {
  if (fix.verdict?.kind !== 'confirmed') return {};
  const judged = [...fixes.values()].filter(({ verdict }) => verdict && 'figures' in verdict);
  const evidence = judged.map(({ verdict }) => (verdict && 'figures' in verdict ? verdict.figures.eHelp : 0));
  const unknown = new Array<number>(Math.max(0, trials.opened - judged.length)).fill(0);
  const passed = eBenjaminiHochberg([...evidence, ...unknown]);
  return { holdsOverAllTrials: passed[judged.findIndex(({ id }) => id === fix.id)] ?? false };
}
