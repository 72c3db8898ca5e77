/** Reason why a change should help. It is kept, and shown beside the measured gain. */
export interface Hypothesis {
  /** Why it should help, in a sentence. */
  readonly hypothesis: string;
  /** Gain of the mean score that the proposer expects, e.g. 0.1 for ten points. */
  readonly expectedGain?: number;
}
