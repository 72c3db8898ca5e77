/** Rate with its 95 % interval and the number of trials behind it. */
export interface Rate {
  /** 0 to 1. */
  readonly value: number;
  /**
   * Lower end of the interval for the long-term rate, based on how much the hours of the window vary.
   * `low` is 0 and `high` is 1 until three days, or half a window, are known.
   */
  readonly low: number;
  readonly high: number;
  readonly of: number;
}
