import { LoopError } from 'rsi-loop';
import { isWithin, showValue } from 'rsi-loop/kit';
import type { ProblemResult } from './bench-run.js';
import { PairedBet } from './paired-bet.js';

/** Shortest duration that differs from zero, in milliseconds. */
const LEAST_MS = 10;

/** Measure that a better version must not worsen. */
export type GuardName = 'cost' | 'tokens' | 'duration' | 'turns';

/** Highest mean cost, tokens, duration and turns of a candidate, as a multiple of the baseline's. */
export type GuardRatios = Readonly<Partial<Record<GuardName, number>>>;

const DEFAULT_RATIO = 1.5;
/** e-value that fires a guard, for four guards at 1 in 20 together. */
const NEEDED = 80;

/** Readers of what a guard watches. */
const MEASURES: Readonly<Record<GuardName, (result: ProblemResult) => number | undefined>> = {
  cost: ({ costUsd }) => costUsd,
  tokens: ({ tokens }) => tokens && tokens.input + tokens.output,
  duration: ({ durationMs }) => Math.max(LEAST_MS, durationMs),
  turns: ({ turns }) => turns,
};

/** Watches whether a candidate uses more than it may. */
export class GuardBets {
  readonly #guards: readonly { readonly name: GuardName; readonly ratio: number; readonly bet: PairedBet }[];
  #fired: GuardName | undefined;

  /** @throws LoopError `invalid-input` for a ratio below 1. */
  constructor(ratios: GuardRatios = {}) {
    this.#guards = (Object.keys(MEASURES) as GuardName[]).map((name) => {
      const ratio = ratios[name] ?? DEFAULT_RATIO;
      if (isWithin(ratio, 1)) return { name, ratio, bet: new PairedBet(0.5) };
      throw new LoopError(
        'invalid-input',
        `guards.${name} is ${showValue(ratio)}: give a multiple of the baseline, from 1`,
      );
    });
  }

  /** The first guard that fired. */
  get fired(): GuardName | undefined {
    return this.#fired;
  }

  /** Whether a mean is above its limit so far, which may be chance. */
  get isSuspicious(): boolean {
    return this.#guards.some(({ bet }) => bet.mean > 0);
  }

  add(baseline: ProblemResult, candidate: ProblemResult): void {
    for (const { name, ratio, bet } of this.#guards) {
      const before = MEASURES[name](baseline);
      const now = MEASURES[name](candidate);
      if (before === undefined || now === undefined || before + now <= 0) continue;
      // Relative to both, so that one long problem does not outweigh all others: -1 to 1, above 0 if now is too much.
      bet.add((now - ratio * before) / (now + ratio * before));
      if (bet.evidence.eBetter >= NEEDED) this.#fired ??= name;
    }
  }
}
