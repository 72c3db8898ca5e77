import type { Trial } from '../contract/trial.js';
import type { ShareFigures } from '../contract/verdict.js';
import { levelAt } from './assign.js';
import type { EndedUnit } from './betting-martingale.js';

/** Levels of each share before anything is decided, and levels after which it is. */
const LEAST = 2;
const MOST = 24;
/**
 * Log likelihood ratio of "all tasks gain what the fix gained" over "they gain nothing" from which the fix is confirmed,
 * and below which it fails.
 */
const GAINED = 1.5;
const NOTHING = -4;
/** Part of the gain that is supposed: a lucky stop of the bet inflates it. */
const PART = 0.7;
/** Weight, in tasks, of the prior failure rate behind the variance of a level. */
const PRIOR = { tasks: 10, failures: 2 };

type Level = { number: number; share: number; tasks: number; failures: number };

export interface EverybodySnapshot {
  /** Gain that the bet has found, in failures per task. */
  readonly gain: number;
  readonly levels: readonly Readonly<Level>[];
}

/**
 * Compares the failures of all tasks, of both arms, between levels of time with a high and a low share of the fix. A fix
 * that spoils what tasks share, such as a cache, looks good against control and still makes all tasks worse. The share of
 * each level is drawn, so other changes over time do not favour either.
 */
export class Everybody {
  readonly #trial: Trial;
  readonly #gain: number;
  readonly #levels: Level[];

  constructor(trial: Trial, gain: number, snapshot?: EverybodySnapshot) {
    this.#trial = trial;
    this.#gain = snapshot?.gain ?? gain;
    this.#levels = (snapshot?.levels ?? []).map((level) => ({ ...level }));
  }

  /** Counts a task that began at this time. Returns undefined while the levels go on. */
  take(atMs: number, { share, tasks, failures }: EndedUnit): 'interference' | 'none' | undefined {
    const number = levelAt(this.#trial, atMs);
    if (number === undefined) return undefined;
    const last = this.#levels.at(-1);
    if (last && last.number >= number) {
      last.tasks += tasks;
      last.failures += failures;
      return undefined;
    }
    const found = this.#judge();
    this.#levels.push({ number, share, tasks, failures });
    return found;
  }

  /** Failures of all tasks by the share of the fix among them, lowest first. */
  get figures(): readonly ShareFigures[] {
    const shares = [...new Set(this.#levels.map(({ share }) => share))].sort((one, other) => one - other);
    return shares.map((share) => ({ share, ...totalOf(this.#levels.filter((level) => level.share === share)) }));
  }

  snapshot(): EverybodySnapshot {
    return { gain: this.#gain, levels: this.#levels.map((level) => ({ ...level })) };
  }

  #judge(): 'interference' | 'none' | undefined {
    const high = this.#levels.filter(({ share }) => share > 0.5);
    const low = this.#levels.filter(({ share }) => share < 0.5);
    if (Math.min(high.length, low.length) < LEAST) return undefined;
    const [more, fewer] = [totalOf(high), totalOf(low)];
    const expected = PART * this.#gain * ((high[0]?.share ?? 1) - (low[0]?.share ?? 0));
    const gained = fewer.failures / fewer.tasks - more.failures / more.tasks;
    const variance = varianceOf(high) + varianceOf(low);
    const evidence = (expected * (gained - expected / 2)) / variance;
    if (evidence >= GAINED) return 'none';
    if (evidence <= NOTHING) return 'interference';
    return this.#levels.length < MOST ? undefined : evidence >= 0 ? 'none' : 'interference';
  }
}

function totalOf(levels: readonly Level[]): { readonly tasks: number; readonly failures: number } {
  return levels.reduce(
    (sum, { tasks, failures }) => ({ tasks: sum.tasks + tasks, failures: sum.failures + failures }),
    { tasks: 0, failures: 0 },
  );
}

/** Returns the variance of the rate over some levels: what differs between them, and chance at least. */
function varianceOf(levels: readonly Level[]): number {
  const { tasks, failures } = totalOf(levels);
  const rate = failures / tasks;
  const likely = (failures + PRIOR.failures) / (tasks + PRIOR.tasks);
  const between = levels.reduce((sum, level) => sum + (level.failures - rate * level.tasks) ** 2, 0) / tasks ** 2;
  return Math.max((likely * (1 - likely)) / tasks, (between * levels.length) / (levels.length - 1));
}
