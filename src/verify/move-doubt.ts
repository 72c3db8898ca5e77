import type { Arm } from '../contract/start.js';
import { type EndedUnit, logMean } from './betting-martingale.js';
import { type Counts, countFixes, RunningRate, UNIT_RHO } from './moved-bet.js';
import type { TaskCounts } from './other-tasks.js';

/** Supposed ratios of the fix's failure rate to control's. Their weights follow from the trial's own tasks. */
const RATIOS: readonly number[] = [0.7, 0.5, 0.3, 0.1];
/** Share of the avoided failures supposed to return. Some are avoided only by luck, and some return late. */
const PART = 0.5;
/** Weight, in tasks, of the prior failure rate of the tasks after others. */
const PRIOR_TASKS = 10;
const PRIOR_RATE = 0.2;
const LOWEST_RATE = 0.002;
const HIGHEST_RATE = 0.98;
/** Below this share of units with such tasks, other tasks carry too little information to wait for. */
const LARGE = 0.1;
/** Supposed change of other tasks' failure rate between two periods without any cause here, as a share of the rate. */
const DRIFT = 0.2;
/** Limit on the log evidence of a comparison with the time before the trial, which nothing randomised. */
const MOST_FROM_PAST = 3;

const NONE: Counts = [0, 0];

/** Counts of tasks with one arm, by the arm of the task before. */
type Cell = readonly [afterControl: Counts, afterFix: Counts];
type MutableCell = readonly [afterControl: [number, number], afterFix: [number, number]];

export interface MoveDoubtSnapshot {
  readonly own: Readonly<Record<Arm, Counts>>;
  readonly units: number;
  readonly next: Readonly<Record<Arm, Cell>>;
  readonly others: { readonly sum: number; readonly weight: number; readonly units: number; readonly after: Counts };
}

/** Failures of other names before the trial and since it began. */
export interface Level {
  readonly before: TaskCounts;
  readonly since: TaskCounts;
}

/**
 * Weighs two explanations of a trial so far: that the avoided failures are gone, and that a good part of them returned
 * in the next task or in tasks of another name. Delays a confirmation only. It bounds no error exactly.
 */
export class MoveDoubt {
  readonly #own: Readonly<Record<Arm, RunningRate>>;
  #units: number;
  readonly #next: Readonly<Record<Arm, MutableCell>>;
  /** Regression of other tasks' failures on how many of the units before them had the fix. */
  #sum: number;
  #weight: number;
  #othersAfter: number;
  readonly #others: RunningRate;

  /** @param past Prior results of control's tasks. */
  constructor(past: Counts, snapshot?: MoveDoubtSnapshot) {
    const { own, units, next, others } = snapshot ?? {};
    this.#own = { fix: new RunningRate(own?.fix ?? [0, 0]), control: new RunningRate(own?.control ?? past) };
    this.#units = units ?? 0;
    this.#next = { fix: cellOf(next?.fix), control: cellOf(next?.control) };
    this.#sum = others?.sum ?? 0;
    this.#weight = others?.weight ?? 0;
    this.#othersAfter = others?.units ?? 0;
    this.#others = new RunningRate(others?.after);
  }

  /** Adds a unit that the fix could act on. */
  addUnit({ arm, tasks, failures }: EndedUnit): void {
    this.#units++;
    this.#own[arm].add(tasks, failures);
  }

  /** Adds a task by its own arm and by that of the task before it. */
  addNext(arm: Arm, before: Arm, failed: boolean): void {
    const counts = this.#next[arm][before === 'fix' ? 1 : 0];
    counts[0]++;
    if (failed) counts[1]++;
  }

  /** Adds tasks of other names, by the arms of the units before them. */
  addOthers(preceding: readonly EndedUnit[], [tasks, failures]: Counts): void {
    const [first] = preceding;
    if (!first || tasks === 0) return;
    this.#othersAfter += preceding.length;
    const exposed = ((countFixes(preceding) - preceding.length * first.share) * first.tasks) / tasks;
    const weight = tasks / (1 + (tasks - 1) * UNIT_RHO);
    this.#sum += weight * exposed * (failures / tasks - this.#others.value);
    this.#weight += weight * exposed * exposed;
    this.#others.add(tasks, failures);
  }

  /**
   * Returns the log likelihood ratio of "gone" over "returned": the lower one of next tasks and of other tasks. Infinite
   * if neither has enough tasks to judge.
   */
  evidence(level: Level | undefined): number {
    const next = Object.values(this.#next).reduce((sum, [one, other]) => sum + one[0] + other[0], 0);
    const ofNext = next >= LARGE * this.#units && next > 0;
    const ofOthers = this.#weight > 0 && this.#othersAfter >= LARGE * this.#units;
    return Math.min(
      ofNext ? -this.#mean((avoided) => this.#nextReturned(avoided)) : Number.POSITIVE_INFINITY,
      ofOthers ? -this.#mean((avoided) => this.#othersReturned(avoided, level)) : Number.POSITIVE_INFINITY,
    );
  }

  snapshot(): MoveDoubtSnapshot {
    return {
      own: { fix: this.#own.fix.counts, control: this.#own.control.counts },
      units: this.#units,
      next: { fix: cellOf(this.#next.fix), control: cellOf(this.#next.control) },
      others: { sum: this.#sum, weight: this.#weight, units: this.#othersAfter, after: this.#others.counts },
    };
  }

  /** Returns the log of the mean likelihood over the supposed ratios, weighted by the arms of the trial's failures. */
  #mean(logOf: (avoided: number) => number): number {
    const [fixTasks, fixFailures] = this.#own.fix.counts;
    const [controlTasks, controlFailures] = this.#own.control.counts;
    const perUnit = (fixTasks + controlTasks) / Math.max(1, this.#units);
    const alike = 1 + Math.max(0, perUnit - 1) * UNIT_RHO;
    const weights = RATIOS.map((ratio) => {
      const share = (fixTasks * ratio) / (fixTasks * ratio + controlTasks);
      return (fixFailures * Math.log(share || 1) + controlFailures * Math.log(1 - share)) / alike;
    });
    const logs = RATIOS.map(
      (ratio, index) => (weights[index] ?? 0) + logOf(PART * this.#own.control.value * (1 - ratio)),
    );
    return logMean(logs) - logMean(weights);
  }

  /** Log likelihood ratio of "returned" over "gone" in the next tasks, each arm of theirs with a rate of its own. */
  #nextReturned(avoided: number): number {
    let log = 0;
    for (const [afterControl, afterFix] of Object.values(this.#next)) {
      const tasks = afterControl[0] + afterFix[0];
      const mean = (afterControl[1] + afterFix[1] + PRIOR_RATE * PRIOR_TASKS) / (tasks + PRIOR_TASKS);
      if (tasks === 0) continue;
      const without = Math.max(LOWEST_RATE, mean - (avoided * afterFix[0]) / tasks);
      log += logLikelihood(afterControl, without) + logLikelihood(afterFix, without + avoided);
      log -= logLikelihood(afterControl, mean) + logLikelihood(afterFix, mean);
    }
    return log;
  }

  /** Log likelihood ratio in tasks of other names: by the arms before them, and by the time before the trial. */
  #othersReturned(avoided: number, level: Level | undefined): number {
    const slope = this.#sum / this.#weight;
    const byArm = ((2 * slope - avoided) * avoided * this.#weight) / (2 * this.#others.variance);
    if (!level || level.before.tasks === 0 || level.since.tasks === 0) return byArm;
    const before = new RunningRate([level.before.tasks + 5, level.before.failures + 1]);
    const since = new RunningRate([level.since.tasks + 5, level.since.failures + 1]);
    const rise = Math.min(1 - before.value, (avoided * this.#own.fix.counts[0]) / level.since.tasks);
    const variance =
      before.variance / level.before.tasks + since.variance / level.since.tasks + (DRIFT * before.value) ** 2;
    const byTime = ((2 * (since.value - before.value) - rise) * rise) / (2 * variance);
    return byArm + Math.min(MOST_FROM_PAST, Math.max(-MOST_FROM_PAST, byTime));
  }
}

function cellOf(cell: Cell | undefined): MutableCell {
  return [[...(cell?.[0] ?? NONE)], [...(cell?.[1] ?? NONE)]];
}

function logLikelihood([tasks, failures]: Counts, rate: number): number {
  const inside = Math.min(HIGHEST_RATE, rate);
  return failures * Math.log(inside) + (tasks - failures) * Math.log(1 - inside);
}
