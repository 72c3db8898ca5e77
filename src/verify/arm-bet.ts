import { LoopError } from '../contract/errors.js';
import type { Arm } from '../contract/start.js';
import type { UnitKind } from '../contract/trial.js';
import type { ArmFigures } from '../contract/verdict.js';
import { isWithin } from '../lib/must-be.js';
import { ArmCounts, type ArmCountsSnapshot } from './arm-counts.js';
import { type BetEnd, countsOf, type PastEnd, readEnd, refuse, type UnitWithNames } from './bet-end.js';
import { type ArmBetOptions, type Bets, type BetsSnapshot, betsOf, setOptions } from './bets-of.js';
import { LARGEST_LOG } from './betting-martingale.js';
import { type Effect, EffectMeter, type EffectMeterSnapshot } from './effect.js';
import { ResidualBets } from './residual-bets.js';

/** Default probability of a false confirmation. */
const DEFAULT_ALPHA = 0.05;
const LOG_HARM_NEEDED = /* @__PURE__ */ Math.log(20);
const LOG_NONE_NEEDED = /* @__PURE__ */ Math.log(10);
/** Units after which a trial may be hopeless; multiples of ln(1 / alpha), see `enough`. */
const LEAST_UNITS = 1_000;
const TO_TELL = 17;
const MOST_FAILURES = 800;
/** Limit on units that wait for a missing earlier one. */
const MAX_WAITING = 100_000;

export type { BetEnd, PastEnd } from './bet-end.js';
export type { ArmBetOptions } from './bets-of.js';

/** Decision that the evidence of a bet allows so far. */
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
  /** Single tasks: gain that `eNone` is evidence against, as a share of tasks. */
  readonly smallestGain?: number;
}

/** Complete state of an `ArmBet`, as JSON. */
export interface ArmBetSnapshot extends ArmBetOptions {
  readonly unit: UnitKind;
  readonly alpha: number;
  readonly aim: number;
  readonly decision: BetDecision;
  readonly why: 'harm' | 'no-effect' | null;
  readonly next: number;
  readonly repeated: number;
  readonly waiting: readonly (readonly [number, UnitWithNames])[];
  readonly counts: ArmCountsSnapshot;
  readonly bets: BetsSnapshot;
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
  readonly #options: ArmBetOptions;
  readonly #bets: Bets;
  readonly #effect: EffectMeter;
  readonly #counts: ArmCounts;
  readonly #waiting: Map<number, UnitWithNames>;
  readonly #logNeeded: number;
  #next: number;
  #repeated: number;
  #decision: BetDecision;
  #why: 'harm' | 'no-effect' | undefined;

  constructor(options: ArmBetOptions = {}, snapshot?: ArmBetSnapshot) {
    const { unit = 'task', alpha = DEFAULT_ALPHA, aim = 1 } = snapshot ?? options;
    if (!(isWithin(alpha, 0, 1) && alpha > 0 && alpha < 1)) refuse('alpha', alpha, 'a number between 0 and 1');
    if (!(isWithin(aim, 0, 1) && aim > 0)) refuse('aim', aim, 'a number above 0, at most 1');
    this.#unit = unit;
    this.#alpha = alpha;
    this.#aim = aim;
    this.#logNeeded = -Math.log(alpha);
    // Snapshots of single tasks from earlier versions hold bets on ratios and do not name them.
    const method = snapshot?.unit === 'task' && 'useful' in snapshot.bets ? { method: 'ratios' as const } : {};
    this.#options = setOptions({ ...(snapshot ?? options), ...method });
    this.#bets = betsOf({ ...this.#options, unit, aim }, 1 / alpha, snapshot?.bets);
    this.#effect = new EffectMeter(unit === 'task', snapshot?.effect);
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
      const { arm, seq, features } = typeof past === 'object' && 'success' in past ? past : {};
      const { tasks, failures } = countsOf(past);
      if (arm !== 'fix' && features && this.#bets instanceof ResidualBets) this.#bets.practise(failures, features);
      else if (arm !== 'fix') this.#bets.seed(tasks, failures);
      if (seq !== undefined) this.#next = Math.max(this.#next, seq + 1);
    }
  }

  /**
   * Restores the test after a kind of task on which the fix failed was removed from the trial. Evidence for the fix is
   * kept, which keeps `alpha` exact. Evidence against it restarts at 1.
   */
  static goingOn(snapshot: ArmBetSnapshot): ArmBet {
    const nothing = (logs: readonly number[]) => logs.map(() => 0);
    const { bets: before } = snapshot;
    const against =
      'useful' in before ? { useful: nothing(before.useful) } : { none: nothing(before.none), largest: 0 };
    const bets = { ...before, ...against, harm: nothing(before.harm) } as BetsSnapshot; // of the same kind
    return new ArmBet({}, { ...snapshot, decision: 'undecided', why: null, bets });
  }

  /**
   * Accepts the end of a unit, in any order. Bets on it once all earlier units have been bet on. Ignores a repeated
   * `seq` and counts it in `repeated`.
   * @throws LoopError `invalid-input` for an impossible share, number or arm. `queue-full` if 100,000 units wait for a
   * missing one.
   */
  push(end: BetEnd): BetDecision {
    const unit = readEnd(end, this.#unit);
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
    return eValue(this.#bets.logHelp);
  }

  get eHarm(): number {
    return eValue(this.#bets.logHarm);
  }

  /**
   * E-value that the fix is not useful: that it gains less than `smallestGain`. For units of several tasks: that it
   * leaves more than 0.7 of the failures it targets.
   */
  get eNone(): number {
    return eValue(this.#bets.logNone);
  }

  /**
   * Units after which an undecided trial of single tasks is hopeless: 1,000, or as many as it takes to tell the smallest
   * gain from none with some to spare. Undefined for units of several tasks.
   */
  get enough(): number | undefined {
    if (!(this.#bets instanceof ResidualBets)) return undefined;
    const { variance = 0, gainAskedFor, rate } = this.#bets;
    const toTell = (TO_TELL * this.#logNeeded * variance) / gainAskedFor ** 2;
    return Math.max(LEAST_UNITS, Math.min(toTell, (MOST_FAILURES * this.#logNeeded) / rate));
  }

  /** Number of pushes ignored because their `seq` was already known. */
  get repeated(): number {
    return this.#repeated;
  }

  /** Estimate of the failure rate used for the next bet. Single tasks: of both arms. Others: of control. */
  get controlRate(): number {
    return this.#bets.rate;
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
      ...(this.#bets instanceof ResidualBets && this.units > 0 && { smallestGain: this.#bets.excluded }),
    };
  }

  /**
   * Returns the effect. It ends at 1 on the side that the bets exclude, so that it agrees with a verdict. Once
   * confirmed, its value is an estimate that a lucky stop inflates little.
   */
  #effectWithBets(): Effect {
    const { value, low, high } = this.#effect.effect();
    if (this.eHelp >= 1 / this.#alpha) {
      const highest = Math.min(1, high);
      return { value: Math.min(highest, Math.max(low, this.#fairRatio ?? value)), low, high: highest };
    }
    return this.#why === 'harm' ? { value: Math.max(1, value), low: Math.max(1, low), high } : { value, low, high };
  }

  /** Ratio of the rates at the estimated gain, around the rate of both arms together. */
  get #fairRatio(): number | undefined {
    if (!(this.#bets instanceof ResidualBets)) return undefined;
    const { fix, control } = this.arms;
    const tasks = fix.tasks + control.tasks;
    const gain = this.#bets.gain;
    const withoutFix = (fix.failures + control.failures + gain * fix.tasks) / tasks;
    return withoutFix > 0 ? Math.max(0, 1 - gain / withoutFix) : undefined;
  }

  snapshot(): ArmBetSnapshot {
    return {
      ...this.#options,
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

  #take(unit: UnitWithNames): void {
    this.#next++;
    this.#counts.add(unit);
    if (unit.share > 0 && unit.share < 1) this.#effect.add(unit, this.#bets.rate);
    this.#bets.take(unit, unit.features);
    this.#decide();
  }

  #decide(): void {
    const difference = this.#counts.difference;
    // Chance sometimes puts the first units all in one arm. That alone wins bets, but nothing was compared yet.
    if (difference === undefined) return;
    const bets = this.#bets;
    if (difference < 0 && bets.logHelp >= this.#logNeeded) this.#decision = 'confirmed';
    else if (difference > 0 && bets.logHarm >= LOG_HARM_NEEDED) [this.#decision, this.#why] = ['failed', 'harm'];
    else if (bets.logNone >= LOG_NONE_NEEDED) [this.#decision, this.#why] = ['failed', 'no-effect'];
    if (this.#decision !== 'undecided') this.#waiting.clear();
  }
}

/** Returns an e-value, capped so that it remains a number in JSON. */
function eValue(log: number): number {
  return Math.exp(Math.min(log, LARGEST_LOG));
}
