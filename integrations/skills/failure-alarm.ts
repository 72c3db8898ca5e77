import { betting } from 'rsi-loop/kit';

/** Supposed multiples of the failure rate. */
const HARM_RATIOS: readonly number[] = [1.5, 2, 4];

/** Share of calls that may fail without an alarm. */
export const TOLERATED = 0.2;
/** E-value needed: on average at most one false alarm in 10,000 calls of a skill that fails at the tolerated rate. */
const NEEDED = 10_000;

/** State of an alarm: one logarithm for each supposed failure rate. */
export type AlarmState = readonly number[];

export const QUIET: AlarmState = /* @__PURE__ */ HARM_RATIOS.map(() => 0);

/**
 * Returns the state after one more call. Each bet supposes that calls fail 1.5, 2 or 4 times as often as tolerated. A
 * bet never falls below 1, so that a long time without failures does not delay the alarm.
 */
export function afterCall(state: AlarmState, ok: boolean): AlarmState {
  return HARM_RATIOS.map((ratio, at) => {
    const factor = ok ? (1 - TOLERATED * ratio) / (1 - TOLERATED) : ratio;
    return Math.max(0, (state[at] ?? 0) + Math.log(factor));
  });
}

/** Returns whether the failures of a skill exceed what is tolerated, however often this is asked. */
export function isAlarming(state: AlarmState): boolean {
  return betting.logMean(state) >= Math.log(NEEDED);
}
