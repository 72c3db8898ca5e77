import { LoopError } from '../contract/errors.js';
import type { Arm } from '../contract/start.js';
import type { UnitKind } from '../contract/trial.js';
import type { ArmFigures } from '../contract/verdict.js';
import { BettingMartingale, type EndedUnit, logMean } from './betting-martingale.js';
import { type Effect, EffectMeter, type EffectMeterSnapshot } from './effect.js';
import { RateGuess, type RateGuessSnapshot } from './rate-guess.js';

/** Ratios a useful fix may have, and those of a harmful one. */
const HELP_RATIOS: readonly number[] = [0.7, 0.5, 0.3, 0.1];
export const HARM_RATIOS: readonly number[] = [1.5, 2, 4];
/** How much tasks of one unit may depend on each other. */
export const SINGLE_RHO: readonly number[] = [0];
export const UNIT_RHOS: readonly number[] = [0, 0.05, 0.2, 1];
/**
 * Dependence supposed when a useful fix is to be ruled out. Only the larger values: taking the tasks of one bad session
 * for independent rejects one halving in fourteen.
 */
export const NONE_RHOS: readonly number[] = [0.2, 1];
/** False confirmations allowed when nobody says otherwise. */
const DEFAULT_ALPHA = 0.05;
const LOG_HARM_NEEDED = /* @__PURE__ */ Math.log(20);
const LOG_NONE_NEEDED = /* @__PURE__ */ Math.log(10);
/** A fix that leaves more than this of the failures that it is for is no useful one. */
export const USEFUL_RATIO = 0.7;
/** Below this part of all failures, ratios are those that mending the part alone can reach. */
const SMALL_AIM = 0.9;
/** Units that may wait for one that is missing before them. */
const MAX_WAITING = 100_000;

export interface ArmBetOptions {
  /** What is randomised: single tasks (default), or blocks or sessions of several. */
  readonly unit?: UnitKind;
  /** Probability of confirming a fix that does nothing, however often one looks. Default 0.05. */
  readonly alpha?: number;
  /** Which part of the failures the fix is for, above 0 to 1, as known before the first unit. Default 1. */
  readonly aim?: number;
}

/** The end of a unit. `null`: cancelled after its start or never ended, which is a failure of its arm. */
export type BetEnd = {
  /** Place in the order of starts: dense from 0, or after the last seeded one. */
  readonly seq: number;
  readonly arm: Arm;
  /** Probability with which the unit was given to the fix, 0 to 1. With 0 or 1 nothing was drawn and nothing is bet. */
  readonly share: number;
} & ({ readonly success: boolean | null } | { readonly tasks: number; readonly failures: number });

/** A task that ended before the trial, the oldest first; with `arm` only those of control count. */
export type PastEnd =
  | boolean
  | { readonly success: boolean | null; readonly seq?: number; readonly arm?: Arm }
  | { readonly tasks: number; readonly failures: number };

export type BetDecision = 'undecided' | 'confirmed' | 'rejected';

export interface BetFigures {
  readonly fix: ArmFigures;
  readonly control: ArmFigures;
  readonly effect: Effect;
  readonly eHelp: number;
  readonly eHarm: number;
  readonly eNone: number;
  /** What `eHelp` must reach. */
  readonly needed: number;
}

type Tally = { units: number; tasks: number; failures: number };

/** Everything an `ArmBet` holds, as JSON. */
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
 * The test behind every verdict: bets on the arms of units from how they ended, in the order in which they began.
 * Confirms a fix that does nothing with probability at most `alpha`, exactly, however often it is looked at and whatever
 * the failure rate does. A decision is final: what is pushed after it changes nothing.
 */
export class ArmBet {
  readonly #unit: UnitKind;
  readonly #alpha: number;
  readonly #aim: number;
  readonly #help: BettingMartingale;
  readonly #harm: BettingMartingale;
  /** A bet on a fix that is just useful; what it loses is evidence that the fix is not. */
  readonly #useful: BettingMartingale;
  readonly #effect: EffectMeter;
  readonly #waiting = new Map<number, EndedUnit>();
  readonly #tallies: Record<Arm, Tally>;
  readonly #logNeeded: number;
  #guess: RateGuess;
  #next: number;
  #repeated: number;
  #decision: BetDecision;
  #why: 'harm' | 'no-effect' | undefined;

  constructor(options: ArmBetOptions = {}, snapshot?: ArmBetSnapshot) {
    this.#unit = snapshot?.unit ?? options.unit ?? 'task';
    this.#alpha = snapshot?.alpha ?? options.alpha ?? DEFAULT_ALPHA;
    if (!(this.#alpha > 0 && this.#alpha < 1)) {
      throw new LoopError('invalid-input', `alpha is ${this.#alpha}: give a number between 0 and 1`);
    }
    this.#aim = snapshot?.aim ?? options.aim ?? 1;
    if (!(this.#aim > 0 && this.#aim <= 1)) {
      throw new LoopError('invalid-input', `aim is ${this.#aim}: give a number above 0, at most 1`);
    }
    this.#logNeeded = -Math.log(this.#alpha);
    const rhos = this.#unit === 'task' ? SINGLE_RHO : UNIT_RHOS;
    this.#help = new BettingMartingale(helpRatios(this.#aim), rhos, snapshot?.help);
    this.#harm = new BettingMartingale(HARM_RATIOS, rhos, snapshot?.harm);
    const useful = ofAll(USEFUL_RATIO, this.#aim);
    this.#useful = new BettingMartingale([useful], this.#unit === 'task' ? rhos : NONE_RHOS, snapshot?.useful);
    this.#effect = new EffectMeter(this.#unit === 'task', snapshot?.effect);
    this.#guess = snapshot ? RateGuess.restore(snapshot.guess) : new RateGuess();
    for (const [seq, unit] of snapshot?.waiting ?? []) this.#waiting.set(seq, unit);
    const none = { units: 0, tasks: 0, failures: 0 };
    this.#tallies = { fix: { ...(snapshot?.fix ?? none) }, control: { ...(snapshot?.control ?? none) } };
    this.#next = snapshot?.next ?? 0;
    this.#repeated = snapshot?.repeated ?? 0;
    this.#decision = snapshot?.decision ?? 'undecided';
    this.#why = snapshot?.why ?? undefined;
  }

  static restore(snapshot: ArmBetSnapshot): ArmBet {
    return new ArmBet({}, snapshot);
  }

  /**
   * Starts the running guess of control's failure rate from what ended before the trial. Nothing is bet on it.
   * Where the past is numbered, the first unit of the trial comes after its last number.
   */
  seed(pastOutcomes: readonly PastEnd[]): void {
    if (this.#waiting.size > 0 || this.seen.units > 0) {
      throw new LoopError('invalid-input', 'seed() after push(): seed the past before the first unit of the trial');
    }
    for (const past of pastOutcomes) {
      if (typeof past === 'boolean') this.#guess.add(1, past ? 0 : 1);
      else if ('tasks' in past) this.#guess.add(past.tasks, past.failures);
      else {
        if (past.arm !== 'fix') this.#guess.add(1, past.success === true ? 0 : 1);
        if (past.seq !== undefined) this.#next = Math.max(this.#next, past.seq + 1);
      }
    }
  }

  /**
   * Goes on after units of a kind on which it lost were taken out of the trial: what speaks for the fix counts on, which
   * keeps `alpha` exact, and what speaks against it begins anew.
   */
  static goingOn(snapshot: ArmBetSnapshot): ArmBet {
    const nothing = (logs: readonly number[]) => logs.map(() => 0);
    const { harm, useful } = snapshot;
    const anew = { decision: 'undecided', why: null, harm: nothing(harm), useful: nothing(useful) } as const;
    return new ArmBet({}, { ...snapshot, ...anew });
  }

  /**
   * Takes the end of a unit, in any order; it is bet on once every unit before it was. A repeated `seq` is ignored and
   * counted in `repeated`.
   * @throws LoopError `invalid-input` for a share, a number or an arm that cannot be.
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

  /** Why it was rejected; undefined otherwise. */
  get why(): 'harm' | 'no-effect' | undefined {
    return this.#why;
  }

  /** Evidence that the fix helps: capital that started at 1. */
  get eHelp(): number {
    return this.#help.value;
  }

  get eHarm(): number {
    return this.#harm.value;
  }

  /** Evidence that the fix is not useful: it leaves more than 0.7 of the failures that it is for. */
  get eNone(): number {
    return Math.exp(this.#logNone);
  }

  /** Pushes that were ignored because their `seq` was known. */
  get repeated(): number {
    return this.#repeated;
  }

  /** The guess of control's failure rate that the next bet is made with. */
  get controlRate(): number {
    return this.#guess.rate;
  }

  /** Failure rate of the fix arm over that of control, without its interval: quick to read. */
  get ratio(): number {
    return this.#effect.ratio;
  }

  /** What was bet on, both arms together. */
  get seen(): ArmFigures {
    const { fix, control } = this.#tallies;
    return {
      units: fix.units + control.units,
      tasks: fix.tasks + control.tasks,
      failures: fix.failures + control.failures,
    };
  }

  get #logNone(): number {
    const lost = this.#useful.logs.map((log) => -log);
    return lost.length === 1 ? (lost[0] ?? 0) : logMean(lost);
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
      // For a single task a failure alone tells the arm whatever the failure rate is, which makes this bet exact, too.
      if (unit.failures > 0 || this.#unit !== 'task') this.#useful.bet(unit, rate);
      this.#effect.add(unit, rate);
    }
    if (unit.arm === 'control') this.#guess.add(unit.tasks, unit.failures);
    this.#decide();
  }

  #decide(): void {
    if (this.#help.reaches(this.#logNeeded)) this.#decision = 'confirmed';
    else if (this.#harm.reaches(LOG_HARM_NEEDED)) [this.#decision, this.#why] = ['rejected', 'harm'];
    else if (this.#logNone >= LOG_NONE_NEEDED) [this.#decision, this.#why] = ['rejected', 'no-effect'];
    if (this.#decision !== 'undecided') this.#waiting.clear();
  }

  #read(end: BetEnd): EndedUnit {
    const { seq, arm, share } = end;
    const single = 'success' in end;
    const tasks = single ? 1 : end.tasks;
    const failures = single ? (end.success === true ? 0 : 1) : end.failures;
    const possible = arm === 'fix' ? share > 0 && share <= 1 : arm === 'control' && share >= 0 && share < 1;
    if (!Number.isSafeInteger(seq) || seq < 0) refuse('seq', seq, 'a whole number from 0');
    if (!possible)
      refuse('share', share, `a probability from 0 to 1 with which arm ${JSON.stringify(arm)} can be drawn`);
    if (!Number.isSafeInteger(tasks) || tasks < 1) refuse('tasks', tasks, 'a whole number from 1');
    if (tasks > 1 && this.#unit === 'task') refuse('tasks', tasks, '1, or make the bet with `unit: "block"`');
    if (!Number.isSafeInteger(failures) || failures < 0 || failures > tasks) {
      refuse('failures', failures, 'a whole number from 0 to `tasks`');
    }
    return { arm, share, tasks, failures };
  }
}

/**
 * What a fix may leave of all failures. Of a part it may mend a half or most; more than the part, as that is a cautious
 * guess; or half of all failures.
 */
function helpRatios(aim: number): readonly number[] {
  if (aim > SMALL_AIM) return HELP_RATIOS;
  return [1 - 0.5 * aim, 1 - 0.9 * aim, Math.max(0.1, 1 - 1.5 * aim), 0.5];
}

/** What is left of all failures when `ratio` is left of the part `aim`. */
function ofAll(ratio: number, aim: number): number {
  return aim === 1 ? ratio : 1 - aim * (1 - ratio);
}

function refuse(name: string, value: unknown, wanted: string): never {
  throw new LoopError('invalid-input', `${name} is ${String(value)}: give ${wanted}`);
}
