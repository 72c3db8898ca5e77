import { LoopError } from '../contract/errors.js';
import type { Arm } from '../contract/start.js';
import type { UnitKind } from '../contract/trial.js';
import type { ArmFigures } from '../contract/verdict.js';
import { ArmCounts, type ArmCountsSnapshot } from './arm-counts.js';
import type { EndedUnit } from './betting-martingale.js';
import { type Effect, EffectMeter, type EffectMeterSnapshot } from './effect.js';
import { EffectBets, type EffectBetsSnapshot, USEFUL_RATIO } from './effect-bets.js';

/** Failure-rate ratios (fix over control) that the bets suppose for a useful fix. */
const HELP_RATIOS: readonly number[] = [0.7, 0.5, 0.3, 0.1];
/** Default probability of a false confirmation. */
const DEFAULT_ALPHA = 0.05;
const LOG_HARM_NEEDED = /* @__PURE__ */ Math.log(20);
const LOG_NONE_NEEDED = /* @__PURE__ */ Math.log(10);
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
  readonly counts: ArmCountsSnapshot;
  readonly bets: EffectBetsSnapshot;
  readonly effect: EffectMeterSnapshot;
}

/**
 * Sequential test behind every verdict: bets on the arm of each unit from how it ended, in the order of starts.
 * Confirms a fix that does nothing with probability at most `alpha`. This bound is exact, however often results are
 * checked and however the failure rate drifts. A decision needs units of both arms, and failure rates that differ in its
 * direction. It is final: later pushes change nothing.
 */
export class ArmBet {
  readonly #unit: UnitKind;
  readonly #alpha: number;
  readonly #aim: number;
  readonly #bets: EffectBets;
  readonly #effect: EffectMeter;
  readonly #counts: ArmCounts;
  readonly #waiting: Map<number, EndedUnit>;
  readonly #logNeeded: number;
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
    const isSingle = unit === 'task';
    const ratios = { helpRatios: helpRatios(aim), usefulRatio: ofAll(USEFUL_RATIO, aim) };
    this.#bets = new EffectBets({ isSingle, ...ratios }, snapshot?.bets);
    this.#effect = new EffectMeter(isSingle, snapshot?.effect);
    this.#counts = new ArmCounts(snapshot?.counts);
    const { waiting, next = 0, repeated = 0, decision, why } = snapshot ?? {};
    this.#waiting = new Map(waiting);
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
      if (arm !== 'fix') this.#bets.guess.add(tasks, failures);
      if (seq !== undefined) this.#next = Math.max(this.#next, seq + 1);
    }
  }

  /**
   * Restores the test after a kind of task on which the fix failed was removed from the trial. Evidence for the fix is
   * kept, which keeps `alpha` exact. Evidence against it restarts at 1.
   */
  static goingOn(snapshot: ArmBetSnapshot): ArmBet {
    const nothing = (logs: readonly number[]) => logs.map(() => 0);
    const bets = { ...snapshot.bets, harm: nothing(snapshot.bets.harm), useful: nothing(snapshot.bets.useful) };
    return new ArmBet({}, { ...snapshot, decision: 'undecided', why: null, bets });
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
    return this.#bets.help.value;
  }

  get eHarm(): number {
    return this.#bets.harm.value;
  }

  /** E-value that the fix is not useful: that it leaves more than 0.7 of the failures it targets. */
  get eNone(): number {
    return Math.exp(this.#bets.logNone);
  }

  /** Number of pushes ignored because their `seq` was already known. */
  get repeated(): number {
    return this.#repeated;
  }

  /** Estimate of control's failure rate used for the next bet. */
  get controlRate(): number {
    return this.#bets.guess.rate;
  }

  /** Failure rate of the fix arm over that of control, without its interval. Cheap to read. */
  get ratio(): number {
    return this.#effect.ratio;
  }

  /** Number of units processed so far. */
  get units(): number {
    return this.#counts.units;
  }

  /** Totals of all units processed so far, both arms together. */
  get seen(): ArmFigures {
    return this.#counts.both;
  }

  /** Totals of all units processed so far, by arm. */
  get arms(): Readonly<Record<Arm, ArmFigures>> {
    return this.#counts.snapshot();
  }

  figures(): BetFigures {
    return {
      ...this.arms,
      effect: this.#effectWithBets(),
      eHelp: this.eHelp,
      eHarm: this.eHarm,
      eNone: this.eNone,
      needed: 1 / this.#alpha,
    };
  }

  /** Returns the effect. It ends at 1 on the side that the bets exclude, so that it agrees with a verdict. */
  #effectWithBets(): Effect {
    const { value, low, high } = this.#effect.effect();
    if (this.eHelp >= 1 / this.#alpha) return { value: Math.min(1, value), low, high: Math.min(1, high) };
    return this.#why === 'harm' ? { value: Math.max(1, value), low: Math.max(1, low), high } : { value, low, high };
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
      counts: this.#counts.snapshot(),
      bets: this.#bets.snapshot(),
      effect: this.#effect.snapshot(),
    };
  }

  #take(unit: EndedUnit): void {
    this.#next++;
    this.#counts.add(unit);
    if (unit.share > 0 && unit.share < 1) this.#effect.add(unit, this.#bets.guess.rate);
    this.#bets.bet(unit);
    this.#bets.learn(unit);
    this.#decide();
  }

  #decide(): void {
    const { help, harm, logNone } = this.#bets;
    const difference = this.#counts.difference;
    // Chance sometimes puts the first units all in one arm. That alone wins bets, but nothing was compared yet.
    if (difference === undefined) return;
    if (difference < 0 && help.reaches(this.#logNeeded)) this.#decision = 'confirmed';
    else if (difference > 0 && harm.reaches(LOG_HARM_NEEDED)) [this.#decision, this.#why] = ['failed', 'harm'];
    else if (logNone >= LOG_NONE_NEEDED) [this.#decision, this.#why] = ['failed', 'no-effect'];
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
