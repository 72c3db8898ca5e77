/** A rate with its 95 % interval and the number of trials behind it. */
export interface Rate {
  /** 0 to 1. */
  readonly value: number;
  /**
   * Of the rate over a longer time, as wide as the hours of the window differ. `low` is 0 and `high` is 1 while less than
   * three days, or half a window, are known.
   */
  readonly low: number;
  readonly high: number;
  readonly of: number;
}
