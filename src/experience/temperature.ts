import type { Streak } from './streaks.js';

/** How bold the next attempt of a task should be. */
export type TemperatureAdvice =
  /** Nothing of its own doing ended lately: whatever the host uses. */
  | { readonly kind: 'keep'; readonly why: string }
  | {
      readonly kind: 'exploit' | 'explore';
      /** Sampling temperature for a model whose range is 0 to 1 or 2. */
      readonly temperature: number;
      readonly failuresInARow: number;
      readonly why: string;
    };

/** What works goes on at the temperature that is best for one try; each failure in a row adds a step. */
const LOWEST = 0.2;
const STEP = 0.2;
/** Best where several tries are made and one has to be right (Chen et al. 2021: 0.2 for one try, 0.8 for a hundred). */
const HIGHEST = 0.8;
/** What is older says nothing about the next attempt. */
const FRESH_MS = 24 * 3_600_000;

/** Exploit after success, explore after repeated failure: the same again at a low temperature fails the same way. */
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
