import { LoopError } from '../contract/errors.js';
import type { Arm } from '../contract/start.js';
import type { UnitKind } from '../contract/trial.js';
import type { ArmFigures } from '../contract/verdict.js';
import { BettingMartingale, type EndedUnit, logMean } from './betting-martingale.js';
import { type Effect, EffectMeter, type EffectMeterSnapshot } from './effect.js';
import { RateGuess, type RateGuessSnapshot } from './rate-guess.js';

/** Failure-rate ratios (fix over control) that the bets suppose for a useful fix, and for a harmful one. */
const HELP_RATIOS: readonly number[] = [0.7, 0.5, 0.3, 0.1];
export const HARM_RATIOS: readonly number[] = [1.5, 2, 4];
/** Supposed correlations (rho) between tasks of one unit. */
export const SINGLE_RHO: readonly number[] = [0];
export const UNIT_RHOS: readonly number[] = [0, 0.05, 0.2, 1];
/**
 * Correlations supposed when ruling out a useful fix. Only the larger values: treating the tasks of one bad session as
 * independent rejects one in fourteen fixes that halve the failures.
 */
export const NONE_RHOS: readonly number[] = [0.2, 1];
/** Default probability of a false confirmation. */
const DEFAULT_ALPHA = 0.05;
const LOG_HARM_NEEDED = /* @__PURE__ */ Math.log(20);
const LOG_NONE_NEEDED = /* @__PURE__ */ Math.log(10);
/** A fix that leaves more than this share of the failures it targets does not count as useful. */
export const USEFUL_RATIO = 0.7;
/** Below this share of all failures, the ratios are those reachable by fixing only the targeted share. */
const SMALL_AIM = 0.9;
/** Limit on units that wait for a missing earlier one. */
const MAX_WAITING = 100_000;

export interface ArmBetOptions {
  /** The unit of randomisation: single tasks (default), or blocks or sessions of several tasks. */
  readonly unit?: UnitKind;
  /** Probability of confirming a fix that does nothing, valid however often results are checked. Default 0.05. */
  readonly alpha?: number;
  /** Share of the failures that the fix targets, above 0 to 1, fixed before the first unit. Default 1. */
  readonly aim?: number;
}

/** End of a unit. `null`: cancelled after its start or never ended. Both count as a failure of its arm. */
export type BetEnd = {
  /** Position in the order of starts: consecutive from 0, or from the last seeded number plus 1. */
  readonly seq: number;
  readonly arm: Arm;
  /**
   * Probability that the unit was assigned to the fix, 0 to 1. With 0 or 1 nothing was randomised and nothing is bet.
   */
  readonly share: number;
} & ({ readonly success: boolean | null } | { readonly tasks: number; readonly failures: number });

/** Task that ended before the trial, oldest first. If `arm` is present, only control tasks count. */
export type PastEnd =
  | boolean
  | { readonly success: boolean | null; readonly seq?: number; readonly arm?: Arm }
  | { readonly tasks: number; readonly failures: number };

export type BetDecision = 'undecided' | 'confirmed' | 'failed';

export interface BetFigures {
  readonly fix: ArmFigures;
  readonly control: ArmFigures;
  readonly effect: Effect;
  readonly eHelp: number;
  readonly eHarm: number;
  readonly eNone: number;
  /** Value of `eHelp` needed to confirm the fix: 1 / alpha. */
  readonly needed: number;
}

type Tally = { units: number; tasks: number; failures: number };
const NONE: ArmFigures = { units: 0, tasks: 0, failures: 0 };

/** Complete state of an `ArmBet`, as JSON. */
export interface ArmBetSnapshot {
  readonly unit: UnitKind;
  readonly alpha: number;
  readonly aim: number;
  readonly decision: BetDecision;
  readonly why: 'harm' | 'no-effect' | null;
  readonly next: number;
  readonly repeated: number;
  readonly waiting: readonly (readonly [number, EndedUnit])[];
  readonly fix: ArmFigures;
  readonly control: ArmFigures;
  readonly help: readonly number[];
  readonly harm: readonly number[];
  readonly useful: readonly number[];
  readonly guess: RateGuessSnapshot;
  readonly effect: EffectMeterSnapshot;
}

/**
 * Sequential test behind every verdict: bets on the arm of each unit from how it ended, in the order of starts.
 * Confirms a fix that does nothing with probability at most `alpha`. This bound is exact, however often results are
 * checked and however the failure rate drifts. A decision is final: later pushes change nothing.
 */
export class ArmBet {
  readonly #unit: UnitKind;
  readonly #alpha: number;
  readonly #aim: number;
  readonly #help: BettingMartingale;
  readonly #harm: BettingMartingale;
  /** Bet on a fix that is just useful. Its losses are evidence that the fix is not useful. */
  readonly #useful: BettingMartingale;
  readonly #effect: EffectMeter;
  readonly #waiting: Map<number, EndedUnit>;
  readonly #tallies: Record<Arm, Tally>;
  readonly #logNeeded: number;
  #guess: RateGuess;
  #next: number;
  #repeated: number;
  #decision: BetDecision;
  #why: 'harm' | 'no-effect' | undefined;

  constructor(options: ArmBetOptions = {}, snapshot?: ArmBetSnapshot) {
    const { unit = 'task', alpha = DEFAULT_ALPHA, aim = 1 } = snapshot ?? options;
    if (!(alpha > 0 && alpha < 1)) refuse('alpha', alpha, 'a number between 0 and 1');
    if (!(aim > 0 && aim <= 1)) refuse('aim', aim, 'a number above 0, at most 1');
    this.#unit = unit;
    this.#alpha = alpha;
    this.#aim = aim;
    this.#logNeeded = -Math.log(alpha);
    const rhos = unit === 'task' ? SINGLE_RHO : UNIT_RHOS;
    this.#help = new BettingMartingale(helpRatios(aim), rhos, snapshot?.help);
    this.#harm = new BettingMartingale(HARM_RATIOS, rhos, snapshot?.harm);
    const usefulRhos = unit === 'task' ? rhos : NONE_RHOS;
    this.#useful = new BettingMartingale([ofAll(USEFUL_RATIO, aim)], usefulRhos, snapshot?.useful);
    this.#effect = new EffectMeter(unit === 'task', snapshot?.effect);
    this.#guess = snapshot ? RateGuess.restore(snapshot.guess) : new RateGuess();
    const { waiting, fix = NONE, control = NONE, next = 0, repeated = 0, decision, why } = snapshot ?? {};
    this.#waiting = new Map(waiting);
    this.#tallies = { fix: { ...fix }, control: { ...control } };
    this.#next = next;
    this.#repeated = repeated;
    this.#decision = decision ?? 'undecided';
    this.#why = why ?? undefined;
  }

  static restore(snapshot: ArmBetSnapshot): ArmBet {
    return new ArmBet({}, snapshot);
  }

  /**
   * Initialises the running estimate of control's failure rate from past outcomes. Does not bet on them. If the past is
   * numbered, the trial's first unit follows its last number. |
   * @throws LoopError `invalid-input` after the first push.
   */
  seed(pastOutcomes: readonly PastEnd[]): void {
    if (this.#waiting.size > 0 || this.units > 0) {
      throw new LoopError('invalid-input', 'seed() after push(): seed the past before the first unit of the trial');
    }
    for (const past of pastOutcomes) {
      const { arm, seq } = typeof past === 'object' && 'success' in past ? past : {};
      const { tasks, failures } = countsOf(past);
      if (arm !== 'fix') this.#guess.add(tasks, failures);
      if (seq !== undefined) this.#next = Math.max(this.#next, seq + 1);
    }
  }

  /**
   * Restores the test after a kind of task on which the fix failed was removed from the trial. Evidence for the fix is
   * kept, which keeps `alpha` exact. Evidence against it restarts at 1.
   */
  static goingOn(snapshot: ArmBetSnapshot): ArmBet {
    const nothing = (logs: readonly number[]) => logs.map(() => 0);
    const { harm, useful } = snapshot;
    const anew = { decision: 'undecided', why: null, harm: nothing(harm), useful: nothing(useful) } as const;
    return new ArmBet({}, { ...snapshot, ...anew });
  }

  /**
   * Accepts the end of a unit, in any order. Bets on it once all earlier units have been bet on. Ignores a repeated
   * `seq` and counts it in `repeated`.
   * @throws LoopError `invalid-input` for an impossible share, number or arm. `queue-full` if 100,000 units wait for a
   * missing one.
   */
  push(end: BetEnd): BetDecision {
    const unit = this.#read(end);
    if (this.#decision !== 'undecided') return this.#decision;
    if (end.seq < this.#next || this.#waiting.has(end.seq)) {
      this.#repeated++;
      return this.#decision;
    }
    if (end.seq !== this.#next) {
      if (this.#waiting.size >= MAX_WAITING) {
        throw new LoopError('queue-full', `${MAX_WAITING} units wait for unit ${this.#next}: push it first`);
      }
      this.#waiting.set(end.seq, unit);
      return this.#decision;
    }
    this.#take(unit);
    for (let next = this.#waiting.get(this.#next); next; next = this.#waiting.get(this.#next)) {
      this.#waiting.delete(this.#next);
      this.#take(next);
    }
    return this.#decision;
  }

  get decision(): BetDecision {
    return this.#decision;
  }

  /** Reason why the fix failed; undefined if it did not. */
  get why(): 'harm' | 'no-effect' | undefined {
    return this.#why;
  }

  /** E-value that the fix helps; starts at 1. */
  get eHelp(): number {
    return this.#help.value;
  }

  get eHarm(): number {
    return this.#harm.value;
  }

  /** E-value that the fix is not useful: that it leaves more than 0.7 of the failures it targets. */
  get eNone(): number {
    return Math.exp(this.#logNone);
  }

  /** Number of pushes ignored because their `seq` was already known. */
  get repeated(): number {
    return this.#repeated;
  }

  /** Estimate of control's failure rate used for the next bet. */
  get controlRate(): number {
    return this.#guess.rate;
  }

  /** Failure rate of the fix arm over that of control, without its interval. Cheap to read. */
  get ratio(): number {
    return this.#effect.ratio;
  }

  /** Number of units processed so far. */
  get units(): number {
    return this.#tallies.fix.units + this.#tallies.control.units;
  }

  /** Totals of all units processed so far, both arms together. */
  get seen(): ArmFigures {
    const { fix, control } = this.#tallies;
    return {
      units: fix.units + control.units,
      tasks: fix.tasks + control.tasks,
      failures: fix.failures + control.failures,
    };
  }

  /** Totals of all units processed so far, by arm. */
  get arms(): Readonly<Record<Arm, Readonly<ArmFigures>>> {
    return this.#tallies;
  }

  get #logNone(): number {
    const { logs } = this.#useful;
    return logs.length === 1 ? -(logs[0] ?? 0) : logMean(logs.map((log) => -log));
  }

  figures(): BetFigures {
    return {
      fix: { ...this.#tallies.fix },
      control: { ...this.#tallies.control },
      effect: this.#effect.effect(),
      eHelp: this.eHelp,
      eHarm: this.eHarm,
      eNone: this.eNone,
      needed: 1 / this.#alpha,
    };
  }

  snapshot(): ArmBetSnapshot {
    return {
      unit: this.#unit,
      alpha: this.#alpha,
      aim: this.#aim,
      decision: this.#decision,
      why: this.#why ?? null,
      next: this.#next,
      repeated: this.#repeated,
      waiting: [...this.#waiting],
      fix: { ...this.#tallies.fix },
      control: { ...this.#tallies.control },
      help: [...this.#help.logs],
      harm: [...this.#harm.logs],
      useful: [...this.#useful.logs],
      guess: this.#guess.snapshot(),
      effect: this.#effect.snapshot(),
    };
  }

  #take(unit: EndedUnit): void {
    this.#next++;
    const tally = this.#tallies[unit.arm];
    tally.units++;
    tally.tasks += unit.tasks;
    tally.failures += unit.failures;
    const rate = this.#guess.rate;
    if (unit.share > 0 && unit.share < 1) {
      this.#help.bet(unit, rate);
      this.#harm.bet(unit, rate);
      // A failed single task's arm has the same odds at any failure rate, so this bet is exact, too.
      if (unit.failures > 0 || this.#unit !== 'task') this.#useful.bet(unit, rate);
      this.#effect.add(unit, rate);
    }
    if (unit.arm === 'control') this.#guess.add(unit.tasks, unit.failures);
    this.#decide();
  }

  #decide(): void {
    if (this.#help.reaches(this.#logNeeded)) this.#decision = 'confirmed';
    else if (this.#harm.reaches(LOG_HARM_NEEDED)) [this.#decision, this.#why] = ['failed', 'harm'];
    else if (this.#logNone >= LOG_NONE_NEEDED) [this.#decision, this.#why] = ['failed', 'no-effect'];
    if (this.#decision !== 'undecided') this.#waiting.clear();
  }

  #read(end: BetEnd): EndedUnit {
    const { seq, arm, share } = end;
    const { tasks, failures } = countsOf(end);
    if (!isWhole(seq, 0)) refuse('seq', seq, 'a whole number from 0');
    if (!isPossible(arm, share))
      refuse('share', share, `a probability from 0 to 1 with which arm ${JSON.stringify(arm)} can be drawn`);
    if (!isWhole(tasks, 1)) refuse('tasks', tasks, 'a whole number from 1');
    if (tasks > 1 && this.#unit === 'task') refuse('tasks', tasks, '1, or make the bet with `unit: "block"`');
    if (!isWhole(failures, 0) || failures > tasks) refuse('failures', failures, 'a whole number from 0 to `tasks`');
    return { arm, share, tasks, failures };
  }
}

/** Returns the tasks of an end. A single task failed unless it succeeded. */
function countsOf(end: boolean | Counts | { readonly success: boolean | null }): Counts {
  if (typeof end === 'object' && !('success' in end)) return end;
  const success = typeof end === 'object' ? end.success : end;
  return { tasks: 1, failures: success === true ? 0 : 1 };
}

type Counts = Pick<EndedUnit, 'tasks' | 'failures'>;

function isPossible(arm: Arm, share: number): boolean {
  return arm === 'fix' ? share > 0 && share <= 1 : arm === 'control' && share >= 0 && share < 1;
}

function isWhole(value: number, least: number): boolean {
  return Number.isSafeInteger(value) && value >= least;
}

/**
 * Returns the ratios of total failures that a useful fix may leave. It may fix half or nine tenths of the targeted
 * share. It may also exceed that share, which is a cautious estimate, or halve all failures.
 */
function helpRatios(aim: number): readonly number[] {
  if (aim > SMALL_AIM) return HELP_RATIOS;
  return [1 - 0.5 * aim, 1 - 0.9 * aim, Math.max(0.1, 1 - 1.5 * aim), 0.5];
}

/** Returns the share of all failures left if the fix leaves `ratio` of the targeted share `aim`. */
function ofAll(ratio: number, aim: number): number {
  return aim === 1 ? ratio : 1 - aim * (1 - ratio);
}

function refuse(name: string, value: unknown, wanted: string): never {
  throw new LoopError('invalid-input', `${name} is ${String(value)}: give ${wanted}`);
}
