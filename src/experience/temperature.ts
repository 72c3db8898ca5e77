import type { Streak } from './streaks.js';

/** Sampling temperature to use for the next attempt of a task. */
export type TemperatureAdvice =
  /** No recent outcomes to judge by: keep the host's own temperature. */
  | { readonly kind: 'keep'; readonly why: string }
  | {
      readonly kind: 'exploit' | 'explore';
      /** Sampling temperature, for a model whose range is 0 to 1 or 2. */
      readonly temperature: number;
      readonly failuresInARow: number;
      readonly why: string;
    };

/** Temperature after a success, the best one for a single attempt. Each failure in a row adds a step. */
const LOWEST = 0.2;
const STEP = 0.2;
/** Best if several attempts are made and one must be right (Chen et al. 2021: 0.2 for one try, 0.8 for a hundred). */
const HIGHEST = 0.8;
/** Age above which an outcome says nothing about the next attempt, in milliseconds. */
const FRESH_MS = 24 * 3_600_000;

/**
 * Returns a low temperature after success and a higher one after repeated failures.
 * At a low temperature, the same request fails in the same way again.
 */
export function adviseTemperature(streak: Streak | undefined, nowMs: number): TemperatureAdvice {
  if (!streak || nowMs - streak.lastMs > FRESH_MS) {
    return { kind: 'keep', why: 'nothing is known of the last 24 hours that a temperature could change' };
  }
  const { failures } = streak;
  if (failures === 0) {
    return { kind: 'exploit', temperature: LOWEST, failuresInARow: 0, why: 'the last one went well: stay close to it' };
  }
  return {
    kind: 'explore',
    temperature: Math.round(Math.min(HIGHEST, LOWEST + STEP * failures) * 10) / 10,
    failuresInARow: failures,
    why: `${failures === 1 ? 'the last one' : `the last ${failures}`} failed: the same again would fail the same way`,
  };
}
