import type { Arm, GuardFigures, GuardName } from '../records.js';
import { HARM_RATIOS } from './arm-bet.js';
import { Capital } from './capital.js';
import { RateGuess, type RateGuessSnapshot } from './rate-guess.js';
import type { TaskEnd } from './unit-queue.js';

const GUARDS: readonly GuardName[] = ['duration', 'tokens', 'cost', 'quality'];
/** The harm bet needs 20; with several guards looking at once, each needs that many times more. */
const NEEDED = 80; // 20 for each of them
/** Values of control's successes that the quantile is taken from, and how many there must be first. */
const WINDOW = 200;
const ENOUGH = 20;
const QUANTILE = 0.9;
/** Quality up to this is bad. */
const BAD_QUALITY = 2;

export interface GuardsSnapshot {
  readonly guards: readonly {
    readonly logs: readonly number[];
    readonly guess: RateGuessSnapshot;
    readonly recent: readonly number[];
  }[];
}

/**
 * Watches that a fix does not buy fewer failures with something else: longer, dearer or worse answers. The same harm
 * bet, on tasks that took more than nine tenths of control's successes did. A failed task counts as one that did, in
 * both arms: a slow success is no worse than a failure, but a success that was quick without the fix is.
 */
export class Guards {
  readonly #guards: readonly Guard[];

  constructor(rhos: readonly number[], snapshot?: GuardsSnapshot) {
    this.#guards = GUARDS.map((name, index) => new Guard(name, rhos, snapshot?.guards[index]));
  }

  bet(arm: Arm, share: number, ends: readonly TaskEnd[]): void {
    for (const guard of this.#guards) guard.bet(arm, share, ends);
  }

  /** The first guard with enough evidence of harm. */
  get fired(): GuardName | undefined {
    return this.#guards.find((guard) => guard.capital.reaches(Math.log(NEEDED)))?.name;
  }

  figures(): readonly GuardFigures[] {
    return this.#guards.map((guard) => ({ guard: guard.name, eHarm: guard.capital.value, needed: NEEDED }));
  }

  snapshot(): GuardsSnapshot {
    return { guards: this.#guards.map((guard) => guard.snapshot()) };
  }
}

class Guard {
  readonly name: GuardName;
  readonly capital: Capital;
  readonly #guess: RateGuess;
  readonly #recent: RecentValues;

  constructor(name: GuardName, rhos: readonly number[], snapshot?: GuardsSnapshot['guards'][number]) {
    this.name = name;
    this.capital = new Capital(HARM_RATIOS, rhos, snapshot?.logs);
    this.#guess = snapshot ? RateGuess.restore(snapshot.guess) : new RateGuess(1 - QUANTILE);
    this.#recent = new RecentValues(snapshot?.recent);
  }

  bet(arm: Arm, share: number, ends: readonly TaskEnd[]): void {
    const limit = this.#recent.quantile();
    let tasks = 0;
    let bad = 0;
    for (const end of ends) {
      const isBad = this.#isBad(end, limit);
      if (isBad !== undefined) tasks++;
      if (isBad) bad++;
    }
    if (tasks > 0) {
      this.capital.bet({ arm, share, tasks, failures: bad }, this.#guess.rate);
      if (arm === 'control') this.#guess.add(tasks, bad);
    }
    if (arm !== 'control' || this.name === 'quality') return;
    for (const end of ends) {
      const value = this.#value(end);
      if (value !== undefined && !end.failed) this.#recent.add(value);
    }
  }

  snapshot(): GuardsSnapshot['guards'][number] {
    return { logs: [...this.capital.logs], guess: this.#guess.snapshot(), recent: this.#recent.list() };
  }

  /** Undefined where the task says nothing about this guard. */
  #isBad(end: TaskEnd, limit: number | undefined): boolean | undefined {
    const value = this.#value(end);
    if (this.name === 'quality') return value === undefined ? undefined : value <= BAD_QUALITY;
    if (limit === undefined) return undefined;
    if (end.failed) return true;
    return value === undefined ? undefined : value > limit;
  }

  #value(end: TaskEnd): number | undefined {
    switch (this.name) {
      case 'duration':
        return end.durationMs;
      case 'tokens':
        return end.tokens;
      case 'cost':
        return end.costUsd;
      case 'quality':
        return end.quality;
      default:
        return this.name satisfies never;
    }
  }
}

/** The newest values, also kept sorted so that a quantile is a look-up. */
class RecentValues {
  readonly #inTime: number[] = [];
  readonly #sorted: number[] = [];

  constructor(values: readonly number[] = []) {
    for (const value of values) this.add(value);
  }

  add(value: number): void {
    this.#inTime.push(value);
    this.#sorted.splice(placeOf(this.#sorted, value), 0, value);
    if (this.#inTime.length <= WINDOW) return;
    const oldest = this.#inTime.shift();
    if (oldest !== undefined) this.#sorted.splice(placeOf(this.#sorted, oldest), 1);
  }

  /** Undefined while there are too few. */
  quantile(): number | undefined {
    return this.#sorted.length < ENOUGH ? undefined : this.#sorted[Math.floor(QUANTILE * this.#sorted.length)];
  }

  list(): readonly number[] {
    return [...this.#inTime];
  }
}

/** Where the value is or belongs in a sorted list. */
function placeOf(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
