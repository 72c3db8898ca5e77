import type { Trial } from '../contract/trial.js';
import { HARM_RATIOS } from './arm-bet.js';
import { EVEN_SHARE, levelOf, levelShare } from './assign.js';
import { BettingMartingale, type EndedUnit } from './betting-martingale.js';
import { RateGuess, type RateGuessSnapshot } from './rate-guess.js';
import type { Unit } from './unit-queue.js';

/** Levels with tasks in them that a ramp has at most. */
const LEVELS = 12;
const NEEDED = 20;
/** What one level can win at best: levels are drawn evenly, so a right guess pays twice. */
const MOST_PER_LEVEL = 1 / EVEN_SHARE;

type Level = { number: number; share: number; tasks: number; failures: number; mixed: boolean };

export interface RampSnapshot {
  readonly logs: readonly number[];
  readonly guess: RateGuessSnapshot;
  readonly level: Readonly<Level> | null;
  readonly levels: number;
}

/**
 * Looks for interference while the share of a fix grows: failures of both arms together that rise with the share. Which
 * stretches of time have the high share is drawn, so the same bet applies with stretches as units and the high share as
 * the fix, whatever else changes meanwhile.
 */
export class Ramp {
  readonly #trial: Trial;
  readonly #harm: BettingMartingale;
  readonly #guess: RateGuess;
  #level: Level | undefined;
  #levels: number;

  constructor(trial: Trial, rhos: readonly number[], snapshot?: RampSnapshot) {
    this.#trial = trial;
    this.#harm = new BettingMartingale(HARM_RATIOS, rhos, snapshot?.logs);
    this.#guess = snapshot ? RateGuess.restore(snapshot.guess) : new RateGuess();
    this.#level = snapshot?.level ? { ...snapshot.level } : undefined;
    this.#levels = snapshot?.levels ?? 0;
  }

  /** Capital of the bet that failures rise with the share. */
  get evidence(): number {
    return this.#harm.value;
  }

  /** Takes the next block of the trial; undefined while the ramp goes on. */
  take(unit: Unit, ended: EndedUnit): 'interference' | 'none' | undefined {
    const number = levelOf(this.#trial, Number(unit.key));
    if (number === undefined) return undefined;
    if (this.#level?.number !== number) {
      const found = this.#finish();
      this.#level = { number, share: levelShare(this.#trial, number), tasks: 0, failures: 0, mixed: false };
      if (found) return found;
    }
    const level = this.#level;
    level.tasks += ended.tasks;
    level.failures += ended.failures;
    level.mixed ||= unit.share !== level.share;
    return undefined;
  }

  snapshot(): RampSnapshot {
    return {
      logs: [...this.#harm.logs],
      guess: this.#guess.snapshot(),
      level: this.#level ? { ...this.#level } : null,
      levels: this.#levels,
    };
  }

  #finish(): 'interference' | 'none' | undefined {
    const level = this.#level;
    if (!level || level.mixed) return undefined;
    const isHigh = level.share > EVEN_SHARE;
    const { tasks, failures } = level;
    this.#harm.bet({ arm: isHigh ? 'fix' : 'control', share: EVEN_SHARE, tasks, failures }, this.#guess.rate);
    if (!isHigh) this.#guess.add(tasks, failures);
    this.#levels++;
    if (this.#harm.reaches(Math.log(NEEDED))) return 'interference';
    // Over when the levels that are left could not win what is missing: going on would end the same.
    const left = LEVELS - this.#levels;
    return this.#harm.log + left * Math.log(MOST_PER_LEVEL) < Math.log(NEEDED) ? 'none' : undefined;
  }
}
