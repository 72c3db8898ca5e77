/** Source of time for the loop and all its components. Tests and simulations pass a manual clock. */
export interface Clock {
  /** Epoch milliseconds; may jump when the machine's clock is set. */
  now(): number;
  /** Milliseconds that never decrease; use it for durations. */
  monotonic(): number;
  /**
   * Calls `run` once after `delayMs` and returns a function that cancels it.
   * `background` timers do not keep the process alive.
   */
  after(delayMs: number, run: () => void, options?: { readonly background?: boolean }): () => void;
}
