import type { Trial } from '../contract/trial.js';
import { EVEN_SHARE, levelOf, levelShare } from './assign.js';
import { BettingMartingale, type EndedUnit } from './betting-martingale.js';
import { HARM_RATIOS } from './effect-bets.js';
import { RateGuess, type RateGuessSnapshot } from './rate-guess.js';
import type { Unit } from './unit.js';

/** Maximum levels with tasks per ramp. */
const LEVELS = 12;
const NEEDED = 20;
/** Maximum win per level: levels are randomised evenly, so a correct bet pays double. */
const MOST_PER_LEVEL = 1 / EVEN_SHARE;

type Level = { number: number; share: number; tasks: number; failures: number; mixed: boolean };

export interface RampSnapshot {
  readonly logs: readonly number[];
  readonly guess: RateGuessSnapshot;
  readonly level: Readonly<Level> | null;
  readonly levels: number;
}

/**
 * Interference test during the ramp of a fix: checks whether failures of both arms together rise with the share. Time
 * levels get the high share at random. So the same bet applies with levels as units and the high share as the fix.
 * Other changes over time do not bias it.
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
    this.#guess = new RateGuess(snapshot?.guess);
    this.#level = snapshot?.level ? { ...snapshot.level } : undefined;
    this.#levels = snapshot?.levels ?? 0;
  }

  /** E-value for failures that rise with the share. */
  get evidence(): number {
    return this.#harm.value;
  }

  /** Processes the trial's next block. Returns undefined while the ramp continues. */
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
    // Stop early if the remaining levels cannot win the missing evidence: continuing could not change the result.
    const left = LEVELS - this.#levels;
    return this.#harm.log + left * Math.log(MOST_PER_LEVEL) < Math.log(NEEDED) ? 'none' : undefined;
  }
}
