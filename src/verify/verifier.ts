import { DEPLOYMENT_KEYS } from '../contract/deployment.js';
import type { FixId } from '../contract/ids.js';
import type { JournalRecord } from '../contract/journal-record.js';
import type { Outcome } from '../contract/outcome.js';
import { isFeatureKey, type Scope, scopeCovers } from '../contract/scope.js';
import type { ArmAssignment, Start } from '../contract/start.js';
import type { Trial } from '../contract/trial.js';
import type { TrialFigures, TrialPoint, TrialVerdict } from '../contract/verdict.js';
import type { Mutable } from '../lib/mutable.js';
import { alarmReason, type Change, type Conclusion, changeReason, isChange } from './conclusion.js';
import { OtherTasks, type OtherTasksSnapshot } from './other-tasks.js';
import { Recent, type RecentSnapshot } from './recent.js';
import { measured, type TaskEnd, taskEndOf } from './task-end.js';
import { RunningTrial } from './trial.js';
import { TrialCourse, type TrialCourseSnapshot } from './trial-course.js';
import type { RunningTrialSnapshot } from './trial-snapshot.js';
import type { TrialTask } from './unit.js';

/** Default permanent share of control after a confirmation. */
const HOLDOUT = 0.02;
/** Limit on stored ends whose starts are still missing. */
const MAX_EARLY = 10_000;
/** Limit on ended trials whose course is kept. */
const MAX_ENDED = 50;

export interface VerifierOptions {
  /** Permanent share of tasks held back from a confirmed fix, 0 to 0.5. Default 0.02. */
  readonly holdout?: number;
}

/**
 * Recommended actions as data. The verifier changes no status and writes nothing. It repeats each item until it is
 * done.
 */
export interface LookReport {
  /** Conclusions. With `confirmed`, `trial` is how the fix continues: open that trial and write it to the ledger. */
  readonly verdicts: readonly { readonly fixId: FixId; readonly verdict: TrialVerdict; readonly trial?: Trial }[];
  /** Share or phase changes without a verdict: open the trial and write it to the ledger. */
  readonly changes: readonly { readonly fixId: FixId; readonly trial: Trial; readonly reason: string }[];
  /** Trials in which the fix never did anything: end them. Default: none. */
  readonly voids?: readonly { readonly fixId: FixId }[];
  /** Confirmed fixes that now do harm: roll them back. */
  readonly alarms: readonly { readonly fixId: FixId; readonly reason: string; readonly verdict: TrialVerdict }[];
}

/** Counts of starts and ends that were not bet on. */
export interface IgnoredRecords {
  readonly fixId: FixId;
  readonly why: Ignored;
  readonly count: number;
}

/** `repeated`: the id was seen before. `late`: its unit was already bet on. `left-out`: too many tasks were waiting. */
export type Ignored = 'repeated' | 'late' | 'left-out' | 'overdue';

export interface VerifierSnapshot {
  readonly trials: readonly RunningTrialSnapshot[];
  readonly early: RecentSnapshot<TaskEnd>;
  readonly others: OtherTasksSnapshot;
  /** Courses of the trials that ended last, oldest first. */
  readonly ended: readonly (readonly [FixId, TrialCourseSnapshot])[];
}

/**
 * Runs every open trial. Takes Starts and Outcomes in any order, bets in the order of the Starts, and reports
 * conclusions.
 */
export class Verifier {
  readonly #holdout: number;
  readonly #trials = new Map<FixId, RunningTrial>();
  /** Trials limited to one task name, by that name; then trials that any task name may concern. */
  readonly #ofTask = new Map<string, Map<FixId, RunningTrial>>();
  readonly #ofAnyTask = new Map<FixId, RunningTrial>();
  /** Ends whose start has not been read yet. */
  readonly #early: Recent<TaskEnd>;
  readonly #others: OtherTasks;
  readonly #ignored = new Map<FixId, Map<Ignored, number>>();
  /** Courses of the trials that ended last, oldest first. */
  readonly #ended: Map<FixId, TrialCourse>;

  constructor(options: VerifierOptions = {}, snapshot?: VerifierSnapshot) {
    this.#holdout = Math.min(0.5, Math.max(0, options.holdout ?? HOLDOUT));
    this.#others = new OtherTasks(snapshot?.others);
    for (const one of snapshot?.trials ?? []) this.#add(new RunningTrial(one.trial, this.#others, one));
    this.#early = new Recent(MAX_EARLY, snapshot?.early);
    this.#ended = new Map(snapshot?.ended.map(([fixId, course]) => [fixId, new TrialCourse(course)]));
  }

  /** Starts a trial, or updates a running one to its current record: share, phase or deadline. */
  open(trial: Trial): void {
    const running = this.#trials.get(trial.fixId);
    if (running) running.follow(trial);
    else this.#add(new RunningTrial(trial, this.#others));
    this.#ended.delete(trial.fixId);
  }

  close(fixId: FixId): void {
    const running = this.#trials.get(fixId);
    const { task } = running?.trial.scope ?? {};
    if (task !== undefined) this.#ofTask.get(task)?.delete(fixId);
    if (task !== undefined && this.#ofTask.get(task)?.size === 0) this.#ofTask.delete(task);
    this.#ofAnyTask.delete(fixId);
    this.#trials.delete(fixId);
    this.#ignored.delete(fixId);
    if (running) this.#keepCourse(fixId, running.course);
    if (this.#trials.size > 0) return;
    this.#early.clear();
    this.#others.clear();
  }

  /** Reads journal records in any order. */
  absorb(records: readonly JournalRecord[]): void {
    if (this.#trials.size === 0) return;
    for (const record of records) {
      if (record.kind === 'start') this.#begin(record.start);
      else this.#end(record.outcome);
    }
  }

  /**
   * Bets on every unit that is next in order. State changes only here and in `absorb`. The loop writes a ledger entry
   * for each call, so a replay repeats it with the same numbers.
   * @param watermarkMs Everything that began or ended before this has been absorbed.
   */
  advance(nowMs: number, watermarkMs: number): void {
    for (const running of this.#trials.values()) running.advance(nowMs, watermarkMs, this.#holdout);
  }

  /** Returns whether `advance` would change anything without another record. */
  isDue(nowMs: number, watermarkMs: number): boolean {
    for (const running of this.#trials.values()) if (running.isDue(nowMs, watermarkMs)) return true;
    return false;
  }

  /** Returns the conclusions so far. Changes nothing. */
  report(): LookReport {
    const verdicts: LookReport['verdicts'][number][] = [];
    const changes: LookReport['changes'][number][] = [];
    const alarms: LookReport['alarms'][number][] = [];
    const voids: { readonly fixId: FixId }[] = [];
    for (const [fixId, running] of this.#trials) {
      const { ruling } = running;
      if (!ruling) continue;
      if (ruling.kind === 'void') {
        voids.push({ fixId });
        continue;
      }
      const trial = running.nextTrial(this.#holdout);
      const figures = running.figures();
      if (ruling.kind === 'alarm') {
        alarms.push({ fixId, reason: alarmReason(ruling), verdict: { ...ruling, kind: 'failed', figures } });
      } else if (isChange(ruling)) {
        if (trial) changes.push({ fixId, trial, reason: changeReason(ruling) });
      } else verdicts.push({ fixId, verdict: verdictOf(ruling, figures), ...(trial && { trial }) });
    }
    return { verdicts, changes, alarms, ...(voids.length > 0 && { voids }) };
  }

  /**
   * Advances and reports in one step.
   * @param watermarkMs As in `advance`; default `nowMs`.
   */
  look(nowMs: number, watermarkMs: number = nowMs): LookReport {
    this.advance(nowMs, watermarkMs);
    return this.report();
  }

  /** Returns the records ignored since the last call, with reasons, and resets the counts. */
  takeIgnored(): readonly IgnoredRecords[] {
    if (this.#ignored.size === 0) return [];
    const ignored = [...this.#ignored].flatMap(([fixId, counts]) =>
      [...counts].map(([why, count]) => ({ fixId, why, count })),
    );
    this.#ignored.clear();
    return ignored;
  }

  /** Returns the current figures of a fix's trial; undefined if none is open. */
  figures(fixId: FixId): TrialFigures | undefined {
    return this.#trials.get(fixId)?.figures();
  }

  /** Returns how a fix's trial went: its figures at most 240 times, oldest first. Known for the 50 newest trials. */
  course(fixId: FixId): readonly TrialPoint[] {
    return (this.#trials.get(fixId)?.course ?? this.#ended.get(fixId))?.points ?? [];
  }

  snapshot(): VerifierSnapshot {
    return {
      trials: [...this.#trials.values()].map((running) => running.snapshot()),
      early: this.#early.snapshot(),
      others: this.#others.snapshot(),
      ended: [...this.#ended].map(([fixId, course]) => [fixId, course.snapshot()] as const),
    };
  }

  #add(running: RunningTrial): void {
    const { fixId, unit, scope } = running.trial;
    this.#trials.set(fixId, running);
    // The end of a session concerns every session trial, whichever task reports it.
    if (unit === 'session' || scope.task === undefined) {
      this.#ofAnyTask.set(fixId, running);
      return;
    }
    const ofTask = this.#ofTask.get(scope.task) ?? new Map<FixId, RunningTrial>();
    this.#ofTask.set(scope.task, ofTask.set(fixId, running));
  }

  #keepCourse(fixId: FixId, course: TrialCourse): void {
    this.#ended.set(fixId, course);
    const [oldest] = this.#ended.keys();
    if (this.#ended.size > MAX_ENDED && oldest !== undefined) this.#ended.delete(oldest);
  }

  #begin(start: Start): void {
    const end = this.#early.get(start.id);
    if (end) this.#early.delete(start.id);
    const scope = kindOf(start);
    for (const assigned of start.arms) {
      const running = this.#trials.get(assigned.fixId);
      if (!running) continue;
      const taken = running.queue.begin(taskOf(start, assigned, scope, running.trial));
      if (taken !== 'taken' && taken !== 'not-bet-on') this.#ignore(assigned.fixId, taken);
      if (taken === 'taken' && end) running.queue.end(start.id, measured(end, running.trial));
    }
  }

  #end(outcome: Outcome): void {
    this.#others.add(outcome);
    const end = taskEndOf(outcome);
    let known = false;
    for (const trials of [this.#ofTask.get(outcome.task), this.#ofAnyTask]) {
      for (const running of trials?.values() ?? []) if (this.#endIn(running, outcome, end)) known = true;
    }
    if (outcome.managed && !known && !this.#early.has(outcome.id)) this.#early.set(outcome.id, end);
  }

  /**
   * Returns whether the trial knows the ended task. Only the beginner's end is managed: another process that knows the
   * id can record an outcome under it, but not end the task.
   */
  #endIn({ trial, queue }: RunningTrial, outcome: Outcome, end: TaskEnd): boolean {
    const { id, session } = outcome;
    const isOfSessions = trial.unit === 'session';
    if (outcome.endsSession && session !== undefined && isOfSessions) queue.endSession(session, outcome.atMs);
    if (trial.scope.task !== undefined && trial.scope.task !== outcome.task) return false;
    const taken = outcome.managed ? queue.end(id, measured(end, trial)) : 'unknown';
    if (taken === 'unknown' && isOfSessions && session !== undefined && scopeCovers(trial.scope, outcome)) {
      queue.endInSession(session, id, measured(end, trial));
    }
    if (taken === 'repeated' || taken === 'overdue') this.#ignore(trial.fixId, taken);
    return taken !== 'unknown';
  }

  #ignore(fixId: FixId, why: Ignored): void {
    const counts = this.#ignored.get(fixId) ?? new Map<Ignored, number>();
    counts.set(why, (counts.get(why) ?? 0) + 1);
    this.#ignored.set(fixId, counts);
  }
}

/** Facts about the agent and the release of a task. */
const OF_PROGRAM = ['agent', ...DEPLOYMENT_KEYS] as const;

/** Returns the verdict of a ruling. Its counts are part of the figures. */
function verdictOf(
  ruling: Exclude<Conclusion, { kind: 'alarm' | 'void' } | Change>,
  figures: TrialFigures,
): TrialVerdict {
  if (ruling.kind === 'confirmed') return { kind: 'confirmed', atMs: ruling.atMs, figures };
  if (ruling.kind !== 'failed') return { ...ruling, figures };
  const { counts: _, ...failed } = ruling;
  return { ...failed, figures };
}

/** Returns the parts of the scope that can differ within a trial. */
function kindOf({ scope }: Start): Scope {
  const { model, tool, source } = scope;
  const kind: Mutable<Scope> = {};
  if (model !== undefined) kind.model = model;
  if (tool !== undefined) kind.tool = tool;
  if (source !== undefined) kind.source = source;
  for (const name of OF_PROGRAM) if (scope[name] !== undefined) kind[name] = scope[name];
  for (const key in scope) if (isFeatureKey(key)) kind[key] = scope[key];
  return kind;
}

function taskOf(start: Start, { unit, arm, share }: ArmAssignment, scope: Scope, trial: Trial): TrialTask {
  const { id, atMs, writer, counter, deadlineMs, features, session } = start;
  // Written field by field for speed, as in `taskEndOf`.
  const task: Mutable<TrialTask> = { id, atMs, writer, counter, deadlineMs, unit, arm, share, scope };
  if (features !== undefined && trial.unit === 'task') task.features = features;
  if (session !== undefined && trial.unit === 'task') task.follows = session;
  if (trial.unit === 'session' && !scopeCovers(trial.scope, start.scope)) task.isAnchor = true;
  return task;
}
