/** Time, for the loop and everything in it. Tests and simulations bring a manual one. */
export interface Clock {
  /** Epoch milliseconds; may jump when the machine's clock is set. */
  now(): number;
  /** Milliseconds that never go back; for durations. */
  monotonic(): number;
  /** Calls `run` once after `delayMs` and gives the function that cancels it. `background` timers never keep the process alive. */
  after(delayMs: number, run: () => void, options?: { readonly background?: boolean }): () => void;
}
